/** Table L, rows 7 to 10: patterns that never end, too many names, too many files, and an hour made short. */
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../support/millrace.ts'
import { all, attack, slack } from './support/attack.ts'
import { open, soon } from './support/sockets.ts'

const evil = [
  '^(a+)+$',
  '^(a|a)*$',
  '^(a|aa)+$',
  '(?=(a+)+b)c',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(a*)*b',
  '(.*a){20}$',
  '^(a+)*\\1$',
]
const groks = evil.map(
  (pattern) => `grok { match => { "message" => '${pattern}' } timeout_millis => 500 tag_on_failure => [] }`,
)

attack(
  {
    id: 'L7',
    attack: `${evil.length} evil patterns in grok, =~ and gsub, and in regexp, wildcard and query_string, on 30 KB texts`,
    wanted: 'tagged _groktimeout or passed, the other pipeline and the APIs p99 <= 250 ms',
  },
  async ({ start }) => {
    const [bad, good] = [await freePort(), await freePort()]
    const input = (port: number) => `input { tcp { host => "127.0.0.1" port => ${port} } }`
    const filter = `filter { ${groks.join(' ')} mutate { gsub => ["message", "(a+)+$", "b"] } if [message] =~ /^(b|b)*c$/ { mutate { add_tag => ["c"] } } }`
    const victim = await start({
      pipelines: `- pipeline.id: bad\n  pipeline.workers: 1\n  path.config: "DIR/bad.conf"\n- pipeline.id: good\n  pipeline.workers: 1\n  path.config: "DIR/good.conf"\n`,
      config: undefined,
      files: {
        'bad.conf': `${input(bad)} ${filter} output { millrace { index => "bad" } }`,
        'good.conf': `${input(good)} output { millrace { index => "good" } }`,
      },
    })
    const api = victim.ping(`${victim.api}/_node/stats/events`)
    const search = victim.ping(`${victim.search}/_cluster/health`)
    const text = `${'a'.repeat(30_000)}!`
    const attacker = (await open(bad))!
    for (let n = 0; n < 5; n++) attacker.write(`${text}\n`)
    const other = (await open(good))!
    const began = performance.now()
    other.write('hello\n')
    const isStored = await soon(
      async () => (await victim.ask('GET', '/good/_count')).text.includes('"count":1'),
      30_000,
    )
    const delay = performance.now() - began
    await victim.ask('PUT', '/texts/_doc/1?refresh=true', JSON.stringify({ text, word: text.slice(0, 250) }))
    const statuses: number[] = []
    for (const query of [
      { regexp: { 'word.keyword': '(a+)+b' } },
      { regexp: { 'word.keyword': '(a|aa)+!?c' } },
      { wildcard: { 'word.keyword': '*a*a*a*a*a*a*a*a*a*b' } },
      { query_string: { query: 'word.keyword:/(a+)+(a+)+(a+)+b/' } },
    ]) {
      statuses.push((await victim.ask('POST', '/texts/_search', JSON.stringify({ query }), 10_000)).status)
    }
    await soon(async () => (await victim.ask('GET', '/bad/_count')).text.includes('"count":5'), 60_000)
    const { text: count } = await victim.ask('GET', '/bad/_count')
    const [a, s] = await Promise.all([api.stop(), search.stop()])
    attacker.destroy()
    other.destroy()
    return all({
      'other pipeline ms': [delay, isStored && delay <= 5000 * slack],
      'events through': [count.slice(0, 11), count.includes('"count":5')],
      'search statuses': [statuses.join(' '), statuses.every((status) => status === 200 || status === 400)],
      'API p99 ms': [a.p99, a.p99 <= 250 * slack],
      'search p99 ms': [s.p99, s.p99 <= 250 * slack],
    })
  },
)

attack(
  {
    id: 'L8',
    attack: '20,000 field names in one index, 2,000 index names, 1,000,000 metric keys',
    wanted:
      '400 with the error of Elasticsearch from 1,000 fields on, RSS <= 400 MB, light search p99 <= 250 ms',
  },
  async ({ start }) => {
    const port = await freePort()
    const victim = await start({
      config: `input { tcp { host => "127.0.0.1" port => ${port} codec => json_lines } } filter { metrics { meter => ["m-%{n}"] add_tag => "metric" clear_interval => 5 flush_interval => 5 } } output { null { } }`,
    })
    const pings = victim.ping(`${victim.search}/_cluster/health`)
    const fields = (from: number, count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${from + i}`, i])))
    const answers: string[] = []
    for (let n = 0; n < 20; n++) {
      const { status, text } = await victim.ask('POST', '/wide/_doc', fields(n * 1000, 1000))
      answers.push(`${status}${text.includes('Limit of total fields') ? ' limit' : ''}`)
    }
    const bulk = (from: number) =>
      Array.from({ length: 200 }, (_, i) => `{"index":{"_index":"many-${from + i}"}}\n{"a":1}\n`).join('')
    const items: Record<string, number> = {}
    for (let n = 0; n < 2000; n += 200) {
      const { status, text } = await victim.ask('POST', '/_bulk', bulk(n), 60_000)
      const kinds =
        status === 200 ? [...text.matchAll(/"status":(\d+)/g)].map(([, code]) => code!) : [String(status)]
      for (const kind of kinds) items[kind] = (items[kind] ?? 0) + 1
    }
    const socket = (await open(port))!
    for (let n = 0; n < 1_000_000; n += 5000) {
      let block = ''
      for (let i = n; i < n + 5000; i++) block += `{"n":${i}}\n`
      if (!socket.write(block)) await new Promise((resolve) => socket.once('drain', resolve))
    }
    socket.end()
    await soon(async () => {
      const { pipelines } = (await victim.millrace.api('/_node/stats/pipelines')) as {
        pipelines: { main: { events: { in: number } } }
      }
      return pipelines.main.events.in >= 1_000_000
    }, 60_000)
    const { p99 } = await pings.stop()
    return all({
      'refused documents': [
        answers.filter((answer) => answer === '400 limit').length,
        answers.slice(1).every((answer) => answer === '400 limit'),
      ],
      'index names': [JSON.stringify(items), true],
      'RSS MB': [victim.peak, victim.peak <= 400],
      alive: [victim.isAlive, victim.isAlive],
      'p99 ms': [p99, p99 <= 250 * slack],
    })
  },
)

const fileCount = 20_000

attack(
  {
    id: 'L9',
    attack: `${fileCount} files under one glob, then 200 appended to and 200 rotated`,
    wanted: 'no line missed, none twice, RSS <= 300 MB',
  },
  async ({ start, cleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-hostile-files-'))
    cleanup(() => rmSync(folder, { recursive: true, force: true }))
    for (let n = 0; n < fileCount; n++) {
      if (n % 1000 === 0) mkdirSync(join(folder, String(n / 1000)))
      writeFileSync(join(folder, String(Math.floor(n / 1000)), `${n}.txt`), `first ${n}\nsecond ${n}\n`)
    }
    const victim = await start({
      config: `input { file { path => "${folder}/**/*.txt" start_position => "beginning" sincedb_path => "${folder}/since.db" stat_interval => "0.5 s" discover_interval => 2 close_older => "2 s" } } output { file { path => "${folder}/out.lines" codec => line { format => "%{message}" } } }`,
    })
    const lines = () => {
      try {
        return readFileSync(join(folder, 'out.lines'), 'utf8').split('\n').filter(Boolean)
      } catch {
        return []
      }
    }
    const isRead = await soon(() => lines().length >= fileCount * 2, 120_000)
    for (let n = 0; n < 400; n++) {
      const path = join(folder, '0', `${n}.txt`)
      if (n < 200) appendFileSync(path, `third ${n}\n`)
      else {
        renameSync(path, `${path}.1`)
        writeFileSync(path, `fresh ${n}\n`)
      }
    }
    const expected = fileCount * 2 + 400
    const isFollowed = await soon(() => lines().length >= expected, 60_000)
    const found = lines()
    const distinct = new Set(found)
    return all({
      lines: [found.length, isRead && isFollowed],
      missed: [expected - distinct.size, distinct.size === expected],
      twice: [found.length - distinct.size, found.length === distinct.size],
      'RSS MB': [victim.peak, victim.peak <= 300],
    })
  },
  300_000,
)

attack(
  {
    id: 'L10',
    attack: 'the soak for 1 min at 300 events/s, with reloads',
    wanted: 'alive, nothing lost, nothing killed (the slope of memory needs a longer run: npm run soak)',
  },
  async () => {
    const args = [
      'run',
      '--silent',
      'soak',
      '--',
      '--minutes',
      '1',
      '--rate',
      '300',
      '--kill-every',
      '0',
      '--out',
      '.tmp/hostile',
    ]
    const { stdout } = spawnSync('npm', args, { encoding: 'utf8', timeout: 170_000 })
    const row = /^\| 20\d\d-.*$/m.exec(stdout)?.[0] ?? stdout.slice(-300)
    const broken = [...stdout.matchAll(/BROKEN (.*)/g)]
      .map(([, what]) => what!)
      .filter((what) => what !== 'resident memory is flat')
    return all({
      broken: [broken.join(', ') || 'nothing', broken.length === 0 && row.startsWith('| 20')],
      found: [row.split(' | ')[4] ?? row, true],
    })
  },
)
