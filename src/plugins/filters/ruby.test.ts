import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Event } from '../../event/event.ts'
import { isOneToOne, sharesState } from '../../plugin/instantiate.ts'
import { validOptions } from '../../plugin/testing/environment.ts'
import { filterFor, runFilter, type TestOptions, testEvent } from '../../plugin/testing.ts'
import ruby from './ruby.ts'

function script(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'ruby-filter-')), 'script.rb')
  writeFileSync(path, text)
  return path
}

describe('inline code', () => {
  it('says which packages a real Ruby needs', async () => {
    const { instance } = filterFor(ruby, { code: 'class A; end', engine: 'wasm' })
    await expect((async () => instance.register?.())()).rejects.toThrow(
      'to be installed beside millrace: npm install @ruby/wasm-wasi @ruby/3.4-wasm-wasi',
    )
  })

  it('begins with what init says', async () => {
    const options = { init: '@n = 40', code: "@n += 1\nevent.set('n', @n)" }
    expect(await runFilter(ruby, options, [{}, {}])).toEqual([{ n: 41 }, { n: 42 }])
  })

  it('decorates events it succeeded on', async () => {
    const options = { code: "event.set('b', event.get('a').upcase)", add_tag: ['ok'] }
    expect(await runFilter(ruby, options, [{ a: 'x' }, { a: 1 }])).toEqual([
      { a: 'x', b: 'X', tags: ['ok'] },
      { a: 1, tags: ['_rubyexception'] },
    ])
  })

  it('logs exceptions as Logstash does', async () => {
    const { instance, filter, environment } = filterFor(ruby, { code: "\nraise ArgumentError, 'no'" })
    await instance.register?.()
    const [event] = await filter([Event.from({})])
    expect(event!.get('tags')).toEqual(['_rubyexception'])
    expect(environment.logger.lines).toEqual([
      {
        level: 'error',
        message: 'Ruby exception occurred: no',
        fields: { class: 'ArgumentError', backtrace: ['(ruby filter code):2'] },
      },
    ])
  })

  it('tags with the message when asked to', async () => {
    const options = { code: "raise 'why'", tag_on_exception: '_bad', tag_with_exception_message: true }
    expect(await runFilter(ruby, options, [{}])).toEqual([{ tags: ['_bad: why', '_bad'] }])
  })

  it('makes, drops and keeps events', async () => {
    const options = { code: "new_event_block.call(LogStash::Event.new('n' => 2)); event.cancel" }
    const [made, ...more] = await runFilter(ruby, options, [{ n: 1 }])
    expect(made).toMatchObject({ n: 2 })
    expect(more).toEqual([])
    expect(
      await runFilter(ruby, { code: "return if event.get('n') == 1; event.set('x', 1)" }, [
        { n: 1 },
        { n: 2 },
      ]),
    ).toEqual([{ n: 1 }, { n: 2, x: 1 }])
  })

  it('logs through logger', async () => {
    const { instance, filter, environment } = filterFor(ruby, {
      code: "logger.warn('odd', :n => event.get('n')); @logger.info('x')",
    })
    await instance.register?.()
    await filter([Event.from({ n: [1, 'a'] })])
    expect(environment.logger.lines).toEqual([
      { level: 'warn', message: 'odd', fields: { n: [1, 'a'] } },
      { level: 'info', message: 'x', fields: {} },
    ])
  })

  it('is refused before anything runs when it is not supported', () => {
    expect(() => filterFor(ruby, { code: 'x = 1\nsystem("ls")' })).toThrow(
      'ruby code line 2: method `system` is not supported',
    )
    expect(() => filterFor(ruby, { code: 'if' })).toThrow(/^ruby code line 1: /)
    expect(() => filterFor(ruby, {})).toThrow('You must either use an inline script with the "code" option')
  })

  it('is warned about when it keeps state or uses the old access', () => {
    const concerns = (code: string) =>
      ruby.concerns!({ code } as never, 'disabled').map(({ message }) => message)
    expect(concerns("event.set('a', @b)")).toEqual([])
    expect(concerns('@n = @n.to_i + 1')).toEqual([expect.stringContaining('runs with one worker')])
    expect(concerns("event['a']")).toEqual([expect.stringContaining("event['field']")])
  })
})

describe('several workers', () => {
  const traits = (given: TestOptions) => {
    const options = validOptions(ruby, given)
    return [sharesState(ruby, options), isOneToOne(ruby, options)]
  }

  it('suit code that only changes its event', () => {
    expect(traits({ code: "event.set('a', event.get('b').to_i + 1)" })).toEqual([false, true])
    expect(traits({ init: '@table = {1 => 2}', code: "event.set('a', @table[1])" })).toEqual([false, true])
  })

  it('do not suit code that remembers', () => {
    expect(traits({ init: '@n = 0', code: '@n += 1' })).toEqual([true, false])
    expect(traits({ code: '$seen[event.get("id")] = true' })).toEqual([true, false])
  })

  it('suit code that adds events, which keeps batches as they are', () => {
    expect(traits({ code: 'new_event_block.call(event.clone)' })).toEqual([false, false])
  })

  it('depend on the methods of a script other than register', () => {
    const register = 'def register(params)\n@limit = 1\nend\n'
    expect(traits({ path: script(`${register}def filter(event)\n[event]\nend`) })).toEqual([false, false])
    expect(traits({ path: script(`${register}def filter(event)\n@n = 1\n[event]\nend`) })).toEqual([
      true,
      false,
    ])
  })

  it('are judged without an exception when the code is no Ruby', () => {
    expect(traits({ code: 'if' })).toEqual([false, false])
  })
})

const percentage = `
def register(params)
  @limit = params["limit"]
end

def filter(event)
  return [] if event.get("n") > @limit
  return [event, LogStash::Event.new("copy" => event.get("n"))] if event.get("twice")
  event.set("seen", true)
  [event]
end

test "drops what is too large" do
  parameters { { "limit" => 5 } }
  in_event { { "n" => 6 } }
  expect("no event") { |events| events.size == 0 }
end

test "keeps the rest" do
  parameters do
    { "limit" => 5 }
  end
  in_event { [{ "n" => 1 }, { "n" => 2 }] }
  expect("both events") { |events| events.size == 2 }
  expect("a mark") { |events| events.first.get("seen") }
end
`

describe('script files', () => {
  it('filter, drop and add events', async () => {
    const options = { path: script(percentage), script_params: { limit: 5 }, add_tag: ['ok'] }
    const events = await runFilter(ruby, options, [{ n: 1 }, { n: 9 }, { n: 2, twice: true }])
    expect(events).toHaveLength(3)
    expect(events[0]).toEqual({ n: 1, seen: true, tags: ['ok'] })
    expect(events[1]).toEqual({ n: 2, twice: true, tags: ['ok'] })
    expect(events[2]).toMatchObject({ copy: 2 })
  })

  it('run their tests first', () => {
    const path = script(percentage)
    const { environment } = filterFor(ruby, { path, script_params: { limit: 5 } })
    expect(environment.logger.lines).toEqual([
      {
        level: 'info',
        message: 'Test run complete',
        fields: { script_path: path, results: { passed: 3, failed: 0, errored: 0 } },
      },
    ])
  })

  it('are refused when a test fails', () => {
    const path = script(
      percentage.replace('events.size == 0', 'events.size == 1').replace('{ "n" => 2 }', '{}'),
    )
    expect(() => filterFor(ruby, { path, script_params: { limit: 5 } })).toThrow(
      `Script '${path}' had 2 failing tests!`,
    )
  })

  it('are refused when they do not filter', () => {
    expect(() => filterFor(ruby, { path: script('def foo; end') })).toThrow('does not define a filter method')
    expect(() => filterFor(ruby, { path: script('def filter(event)\n  system(event)\nend') })).toThrow(
      /line 2: method `system` is not supported/,
    )
  })

  it('tag events on exceptions', async () => {
    const path = script('def filter(event)\n  raise "no" if event.get("n") == 1\n  event\nend')
    expect(await runFilter(ruby, { path }, [{ n: 1 }, { n: 2 }])).toEqual([
      { n: 1, tags: ['_rubyexception'] },
      { n: 2, tags: ['_rubyexception'] },
    ])
    const nothing = script('def filter(event)\n  return nil\nend')
    const { instance, filter, environment } = filterFor(ruby, { path: nothing })
    await instance.register?.()
    const [event] = await filter([testEvent({ n: 1 })])
    expect(event!.get('tags')).toEqual(['_rubyexception'])
    expect(environment.logger.messages('error')).toEqual([
      "Could not process event: Custom script did not return an array from 'filter'. Only arrays may be returned!",
    ])
  })
})
