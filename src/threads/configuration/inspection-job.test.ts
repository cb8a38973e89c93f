import { describe, expect, it } from 'vitest'
import { Settings } from '../../settings/settings.ts'
import { type Configuration, inspect } from './inspection-job.ts'

const settings = new Settings(
  { home: '.', hostname: 'h', cores: 1, pathSettings: '.' },
  new Map([['pipeline.ecs_compatibility', { value: 'disabled', source: 'file' as const }]]),
).toData()

function configured(text: string): Configuration {
  return { settings, parts: [{ protocol: 'file', id: 'a.conf', text }] }
}

const limits = { maxMillis: 60_000, maxBytes: 1e6 }

interface Step {
  name: string
  event: number
  verdict: string
  changes: { field: string; kind: string; before?: unknown; after?: unknown }[]
  tags?: string[]
}

interface Simulated {
  results: { dropped: boolean; output: Record<string, unknown>[]; outputs: string[][]; steps: Step[] }[]
  truncated?: string
}

async function simulate(config: string, events: unknown[], given = limits): Promise<Simulated> {
  const job = { kind: 'simulate' as const, ...configured(config), events: JSON.stringify(events), ...given }
  return JSON.parse(await inspect(job)) as Simulated
}

describe('a simulation', () => {
  it('says what each filter did to an event, and where the event would have gone', async () => {
    const { results } = await simulate(
      `filter {
         mutate { add_field => { "[a][b]" => "1" } remove_field => ["gone"] }
         if [kind] == "bad" { grok { match => { "message" => "%{INT:n}" } } }
         mutate { }
       }
       output { if [kind] == "bad" { null { id => "bad" } } else { null { id => "good" } } }`,
      [{ message: 'x', kind: 'bad', gone: 1 }, 'a line'],
    )
    const [first, second] = results
    expect(first!.steps.map(({ name, verdict }) => [name, verdict])).toEqual([
      ['mutate', 'changed'],
      ['grok', 'tagged'],
      ['mutate', 'untouched'],
    ])
    expect(first!.steps[0]!.changes).toEqual(
      expect.arrayContaining([
        { field: 'gone', kind: 'removed', before: 1 },
        { field: 'a', kind: 'added', after: { b: '1' } },
      ]),
    )
    expect(first!.steps[1]!.tags).toEqual(['_grokparsefailure'])
    expect(first!.outputs).toEqual([['bad']])
    expect(second!.output[0]).toMatchObject({ message: 'a line', a: { b: '1' }, '@version': '1' })
    expect(second!.outputs).toEqual([['good']])
  })

  it('follows events that filters add and drop', async () => {
    const { results } = await simulate('filter { split { field => "list" } if [list] == 2 { drop { } } }', [
      { list: [1, 2, 3] },
    ])
    expect(results[0]!.output.map(({ list }) => list)).toEqual([1, 3])
    expect(results[0]!.steps.map(({ name, event, verdict }) => [name, event, verdict])).toEqual([
      ['split', 0, 'dropped'],
      ['split', 1, 'added'],
      ['split', 2, 'added'],
      ['split', 3, 'added'],
      ['drop', 2, 'dropped'],
    ])
  })

  it('keeps metadata, times, and numbers that no double can hold', async () => {
    const events = '[{"n":12345678901234567890,"@timestamp":"2020-01-02T03:04:05.678Z","@metadata":{"m":1}}]'
    const job = { kind: 'simulate' as const, ...configured('filter { }'), events, ...limits }
    const text = await inspect(job)
    expect(text).toContain('"n":12345678901234567890')
    expect(text).toContain('"@timestamp":"2020-01-02T03:04:05.678Z"')
    expect(text).toContain('"@metadata":{"m":1}')
  })

  it('stops at its limits', async () => {
    const many = Array.from({ length: 50 }, (_, i) => ({ message: String(i).repeat(100) }))
    const { results, truncated } = await simulate('filter { }', many, { maxMillis: 60_000, maxBytes: 2000 })
    expect(truncated).toBe('bytes')
    expect(results.length).toBeLessThan(50)
  })

  it('hides secrets of the configuration', async () => {
    const config =
      'filter { mutate { add_field => { "x" => "s3cr3t-text" } } } output { http { url => "http://a" http_method => "post" password => "s3cr3t-text" } }'
    const job = { kind: 'simulate' as const, ...configured(config), events: '["a"]', ...limits }
    const text = await inspect(job)
    expect(text).not.toContain('s3cr3t-text')
    expect(text).toContain('<password>')
  })

  it('refuses a configuration with errors', async () => {
    await expect(simulate('filter { mutat { } }', [])).rejects.toThrow(/a\.conf:1:10/)
  })
})

describe('a check', () => {
  it('names file, line, column and a hint for every problem', async () => {
    const config = 'filter {\n  mutat { }\n  grok { match => { "a" => "%{NOPE:x}" } }\n}'
    const { valid, problems } = JSON.parse(await inspect({ kind: 'check', ...configured(config) })) as {
      valid: boolean
      problems: { file: string; line: number; column: number; hint?: string; frame: string }[]
    }
    expect(valid).toBe(false)
    expect(problems.map(({ file, line, column }) => [file, line, column])).toEqual([
      ['a.conf', 2, 3],
      ['a.conf', 3, 3],
    ])
    expect(problems[0]!.hint).toMatch(/mutate/)
    expect(problems[0]!.frame).toContain('^^^^^')
  })
})

describe('a comparison', () => {
  it('counts events that come out otherwise, and failures', async () => {
    const job = {
      kind: 'compare' as const,
      before: configured('filter { grok { match => { "message" => "%{WORD:a}" } } }'),
      after: configured(
        'filter { grok { match => { "message" => "%{INT:a}" } } if [a] == "7" { drop { } } }',
      ),
      events: '[{"message":"x"},{"message":"7"},{"message":"8"}]',
      ...limits,
    }
    expect(JSON.parse(await inspect(job))).toMatchObject({
      events: 3,
      same: 1,
      changed: 1,
      dropped: 1,
      failures_before: 0,
      failures_after: 1,
      truncated: false,
    })
  })
})
