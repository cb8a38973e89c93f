/**
 * The black-box checks of the specification, numbers 34 to 37: events that multiply, order, several
 * pipelines. 39 is in reload.test.ts, 40 in shutdown.test.ts.
 */
import { describe, expect, it } from 'vitest'
import { IN, jsonLines, Millrace, OUT, run } from '../support/millrace.ts'

describe('flow', () => {
  it('34: clones follow their original; an if puts its then-branch first', async () => {
    const config = `${IN} filter {
      clone { clones => ["c1","c2"] ecs_compatibility => disabled }
      if [type] == "c1" { mutate { add_field => { "k" => "1" } } }
      else if [type] == "c2" { mutate { add_field => { "k" => "2" } } }
    } ${OUT}`
    const { events } = await run({ config, stdin: jsonLines({ type: 'o' }) })
    expect(events).toMatchObject([{ type: 'c1', k: '1' }, { type: 'c2', k: '2' }, { type: 'o' }])
    expect(events).toHaveLength(3)
    expect(events[2]).not.toHaveProperty('k')
  })

  it('35: split replaces an event by one per item', async () => {
    const config = `${IN} filter { split { field => "l" } } ${OUT}`
    const { events } = await run({ config, stdin: jsonLines({ l: ['a', 'b'], q: 1 }) })
    expect(events).toMatchObject([
      { l: 'a', q: 1 },
      { l: 'b', q: 1 },
    ])
    expect(events).toHaveLength(2)
  })

  it('36: one worker keeps the order of ten thousand events, and ends after the last', async () => {
    const numbers = Array.from({ length: 10_000 }, (_, n) => n)
    const { events, code, stdout } = await run({
      config: `${IN} ${OUT}`,
      stdin: jsonLines(...numbers.map((n) => ({ n }))),
    })
    expect(events.map(({ n }) => n)).toEqual(numbers)
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n').at(-1)).toContain('Logstash shut down.')
  })

  it('36: several workers lose and double nothing', async () => {
    // Slow enough that further workers are started.
    const numbers = Array.from({ length: 3000 }, (_, n) => n)
    const config = `${IN} filter { sleep { time => "0.001" } } ${OUT}`
    const results = await Promise.all(
      [100, 400, 3000].map((count) =>
        run({
          config,
          args: ['-w', '4', '-b', '25'],
          stdin: jsonLines(...numbers.slice(0, count).map((n) => ({ n }))),
        }),
      ),
    )
    for (const [i, { events, code, stdout }] of results.entries()) {
      const found = events.map(({ n }) => n as number).sort((a, b) => a - b)
      expect(found).toEqual(numbers.slice(0, [100, 400, 3000][i]))
      expect(stdout).not.toContain('[ERROR]')
      expect(code).toBe(0)
    }
  })

  it('36: ordered with several workers is refused', async () => {
    const args = ['-w', '4', '--pipeline.ordered', 'true']
    const { code, stdout, events } = await run({ config: `${IN} ${OUT}`, args, stdin: jsonLines({}) })
    expect(code).toBe(1)
    expect(events).toEqual([])
    expect(stdout).toContain(
      "enabling the 'pipeline.ordered' setting requires the use of a single pipeline worker",
    )
  })

  it('37: a pipeline feeds two others, each gets its own copy', async () => {
    const receiver = (id: string) => `
- pipeline.id: ${id}
  pipeline.workers: 1
  config.string: |
    input { pipeline { address => "${id}" } }
    filter { mutate { add_tag => ["${id}"] } }
    ${OUT}
`
    const pipelines = `
- pipeline.id: up
  pipeline.workers: 1
  config.string: |
    ${IN}
    output { pipeline { send_to => ["x","y"] } }
${receiver('x')}${receiver('y')}`
    const millrace = await Millrace.start({ pipelines })
    try {
      millrace.write(jsonLines({ v: 1 }))
      await millrace.until(() => millrace.eventLines().length >= 2)
      millrace.signal('SIGTERM')
      expect(await millrace.exit()).toMatchObject({ code: 0 })
      const found = millrace.events().map(({ v, tags }) => ({ v, tags }))
      expect(found).toHaveLength(2)
      expect(found).toContainEqual({ v: 1, tags: ['x'] })
      expect(found).toContainEqual({ v: 1, tags: ['y'] })
    } finally {
      await millrace.dispose()
    }
  })
})
