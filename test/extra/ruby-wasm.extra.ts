/** The ruby filter with `engine => "wasm"`: what code does to events is what our own engine does to them. */
import { afterEach, describe, expect, it } from 'vitest'
import { IN, type Json, jsonLines, Millrace, OUT } from '../support/millrace.ts'

const startLimit = 120_000
const running: Millrace[] = []
afterEach(async () => {
  for (const millrace of running.splice(0)) await millrace.dispose()
})

const event = {
  '@timestamp': '2024-05-06T07:08:09.123456Z',
  message: 'GET /a?b=1 naïve €',
  n: 21,
  f: 1.0,
  half: 0.5,
  list: [1, 'two', null, { three: 3 }],
  deep: { a: { b: ['c'] }, __proto: 1 },
  flag: true,
  nothing: null,
  tags: ['first'],
}

/** Code that uses all of the event's methods; double quotes would end the option. */
const codes = [
  "event.set('twice', event.get('n') * 2)",
  "event.set('[deep][a][c]', event.get('[deep][a][b]').first.upcase)",
  "event.set('types', %w[n f half flag nothing message list deep missing @timestamp].map { |f| event.get(f).class.to_s })",
  "event.set('kept', [event.get('f'), event.get('half'), 2**70, 10.0 / 4, -0.0, 1e300])",
  "event.remove('n'); event.set('had', event.include?('n')); event.set('has', event.include?('[deep][a]'))",
  "event.set('removed', event.remove('[deep][a]'))",
  "event.tag('second'); event.tag('first')",
  "event.set('hash', event.to_hash.keys.sort)",
  "event.set('[@metadata][x]', 1); event.set('with', event.to_hash_with_metadata['@metadata'])",
  "event.set('text', event.to_s); event.set('filled', event.sprintf('%{n}-%{[deep][a][b][0]}-%{+YYYY.MM.dd}-%{missing}'))",
  "event.set('time', [event.timestamp.to_iso8601, event.timestamp.to_i, event.timestamp.usec, event.timestamp.time.hour])",
  'event.timestamp = LogStash::Timestamp.new(Time.at(1))',
  "event.set('@timestamp', LogStash::Timestamp.at(1.5)); event.set('when', Time.utc(2020, 1, 2, 3, 4, 5))",
  "event.set('@timestamp', 'no time')",
  "event.set('stamp', LogStash::Timestamp.new('2020-01-02T03:04:05.678901Z'))",
  "event.set('symbols', { a: :b, 1 => nil, 'nested' => { 'x' => [true, false] } })",
  "event.set('range', (1..3))",
  "event.set('bad', Object.new)",
  "event.get('[unbalanced')",
  'event.get(nil)',
  "event['n']",
  "event['n'] = 1",
  "raise ArgumentError, 'refused'",
  'nil.upcase',
  'event.cancel',
  "event.cancel; event.uncancel; event.set('back', event.cancelled?)",
  "copy = event.clone; copy.set('copy', true); new_event_block.call(copy); event.set('original', copy == event)",
  "3.times { |i| new_event_block.call(LogStash::Event.new('i' => i, '@timestamp' => event.timestamp)) }; event.cancel",
  "other = LogStash::Event.new('n' => 5, 'list' => [2], 'o' => 1, '@timestamp' => event.timestamp); event.append(other)",
  "other = event.clone; other.set('n', 1); event.overwrite(other)",
  "event.set('json', JSON.parse(event.to_json)['deep'])",
  "event.set('digest', [Digest::MD5.hexdigest('x'), Base64.strict_encode64('é'), URI.parse('http://h:1/p').port])",
  "event.set('ip', IPAddr.new('10.0.0.0/8').include?(IPAddr.new('10.1.2.3')))",
  "event.set('csv', CSV.parse_line('a,b;c')); event.set('date', Date.new(2024, 2, 29).strftime('%j'))",
  "event.set('words', event.get('message').scan(/[[:alpha:]]+/).map(&:downcase).tally)",
  "event.set('match', event.get('message') =~ /(\\d)/ ? $1.to_i : nil)",
  "event.set('@seen', (@seen = (@seen || 0) + 1))",
  "event.to_hash.each { |k, v| event.set('s_' + k, v.to_s) if v.is_a?(Integer) }",
  "event.set('nul', { 'a' => 1 }); event.set('tags', ['x'])",
  "event.set('tags', { 'a' => 1 })",
  "event.set('__proto__', { 'constructor' => 1 }); event.set('[constructor][x]', event.get('__proto__'))",
  "event.set('bytes', 'abc'.b + 233.chr)",
]

async function results(engine: 'native' | 'wasm'): Promise<Json[][]> {
  const filters = codes.map(
    (code, i) =>
      `${i === 0 ? '' : 'else '}if [case] == ${i} { ruby { engine => "${engine}" code => "${code}" tag_with_exception_message => true } }`,
  )
  const millrace = await Millrace.start({
    config: `${IN} filter { ${filters.join('\n')} } ${OUT}`,
    env: { TZ: 'UTC' },
  })
  running.push(millrace)
  await millrace.untilStarted(startLimit)
  // An event that nobody changes ends each group.
  codes.forEach((_, i) => {
    millrace.write(jsonLines({ ...event, case: i }, { case: -1 }))
  })
  millrace.endInput()
  expect(await millrace.exit(60_000)).toMatchObject({ code: 0 })
  const groups: Json[][] = [[]]
  for (const one of millrace.events()) {
    if (one['case'] === -1) groups.push([])
    else groups.at(-1)!.push(one)
  }
  return groups.slice(0, codes.length)
}

/** Ruby 3.4 words some messages in another way than 3.1. */
function leveled(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value)
      .replace(/`([^`']*)'/g, "'$1'")
      .replace(/ for nil:NilClass/g, ' for nil'),
  )
}

describe('ruby filter in WebAssembly', () => {
  it('does to events what our own engine does', async () => {
    const [own, real] = [await results('native'), await results('wasm')]
    const differences = codes.flatMap((code, i) => {
      const [ours, theirs] = [leveled(own[i]), leveled(real[i])]
      return JSON.stringify(ours) === JSON.stringify(theirs) ? [] : [{ code, ours, theirs }]
    })
    expect(differences).toEqual([])
  })

  it('has what our own engine has not: classes, modules, the whole library', async () => {
    const millrace = await Millrace.start({
      config: `${IN} filter { ruby { engine => "wasm"
        init => "class Counter; def initialize; @n = 0; end; def next; @n += 1; end; end; @counter = Counter.new; require 'erb'"
        code => "event.set('count', @counter.next); event.set('page', ERB.new('<%= 1 + 1 %>').result)" } } ${OUT}`,
    })
    running.push(millrace)
    await millrace.untilStarted(startLimit)
    millrace.write(jsonLines({}, {}))
    await millrace.until(() => millrace.events().length === 2)
    expect(millrace.events()).toMatchObject([{ count: 1, page: '2' }, { count: 2 }])
  })

  it('runs script files and their tests', async () => {
    const script = `
def register(params)
  @by = params['by']
end
def filter(event)
  n = event.get('n')
  return [] if n == 0
  event.set('n', n * @by)
  n == 2 ? [event, LogStash::Event.new('more' => true)] : [event]
end
test 'multiplies' do
  parameters { { 'by' => 3 } }
  in_event { { 'n' => 5 } }
  expect('three times') { |events| events.first.get('n') == 15 }
end
`
    const options = (by: string) =>
      `${IN} filter { ruby { engine => "wasm" path => "script.rb" script_params => { "by" => ${by} } } } ${OUT}`
    const millrace = await Millrace.start({ config: options('10'), files: { 'script.rb': script } })
    running.push(millrace)
    await millrace.untilStarted(startLimit)
    expect(millrace.stdout).toContain('Test run complete')
    millrace.write(jsonLines({ n: 0 }, { n: 1 }, { n: 2 }))
    await millrace.until(() => millrace.events().length === 3)
    expect(millrace.events()).toMatchObject([{ n: 10 }, { n: 20 }, { more: true }])
    const failing = await Millrace.start({
      config: options('1'),
      files: { 'script.rb': script.replace('== 15', '== 16') },
    })
    running.push(failing)
    await failing.until('***TEST FAILURE FOR:', startLimit)
    expect((await failing.exit()).code).not.toBe(0)
  })

  it('cannot reach JavaScript', async () => {
    const ways = [
      "JS.eval('return process.pid')",
      'JS.global[:process][:pid].to_s',
      "event.host[:constructor][:constructor].call(:call, nil, 'return process')",
      'event.host[:event][:data]',
      "event.host[:get][:constructor].new('return 1')",
      'Millrace.host[:loggers]',
      'Millrace.host[:receiver] = 1; event.host.call(:toString)',
      "event.host[:get].call(:call, event.host, 'a')",
    ]
    const { events } = await runLong(
      ways
        .map((way) => `ruby { engine => "wasm" code => "event.set('reached', (${way}).inspect)" }`)
        .join('\n'),
    )
    expect(events[0]).not.toHaveProperty('reached')
    expect(running.at(-1)!.stdout.match(/Ruby exception occurred/g)).toHaveLength(ways.length)
  })

  it('goes on after a recursion without end', async () => {
    const { events } = await runLong(
      `ruby { engine => "wasm" code => "def again(n) = again(n + 1) + 1; again(0)" }
       ruby { engine => "wasm" code => "event.set('after', [1, 2].sum)" }`,
    )
    expect(events).toMatchObject([{ tags: ['_rubyexception'], after: 3 }])
  })

  it('refuses code that is no Ruby, and has no files', async () => {
    const broken = await Millrace.start({
      config: `${IN} filter { ruby { engine => "wasm" code => "event.set(" } } ${OUT}`,
    })
    running.push(broken)
    await broken.until('SyntaxError', startLimit)
    const { events } = await runLong(
      `ruby { engine => "wasm" code => "event.set('x', File.read('/etc/passwd'))" }`,
    )
    expect(events).toMatchObject([{ tags: ['_rubyexception'] }])
  })
})

async function runLong(filter: string) {
  const millrace = await Millrace.start({ config: `${IN} filter { ${filter} } ${OUT}` })
  running.push(millrace)
  await millrace.untilStarted(startLimit)
  millrace.write(jsonLines({ a: 1 }))
  await millrace.until(() => millrace.events().length === 1)
  return { events: millrace.events() }
}
