/**
 * The black-box checks of the specification, numbers 22 to 33: conditions through the real program, one
 * input line after the other. The golden table says the rest.
 */
import { describe, expect, it } from 'vitest'
import {
  type Finished,
  IN,
  jsonLines,
  Millrace,
  type MillraceOptions,
  OUT,
  run,
} from '../support/millrace.ts'

const branch = (condition: string) =>
  `${IN} filter { if ${condition} { mutate { add_tag => "T" } } else { mutate { add_tag => "F" } } } ${OUT}`

/** The branch of each event, in the order of output: its last tag. */
function branches({ events }: Finished): string {
  return events.map(({ tags }) => (tags as string[]).at(-1)).join(' ')
}

function decide(condition: string, events: unknown[], options: MillraceOptions = {}): Promise<Finished> {
  return run({ ...options, config: branch(condition), stdin: jsonLines(...events) })
}

const float = '{"a":1}\n{"a":1.0}\n{"a":"1"}\n{}\n'

describe('conditions', () => {
  it.each([
    [
      '22: truth of a field',
      '[a]',
      [{ a: 0 }, { a: '' }, { a: 'false' }, { a: false }, { a: null }, {}, { a: [] }, { a: '0' }],
      'T F F F F F T T',
    ],
    ['25: in a list compares texts', '[a] in ["5","x"]', [{ a: 5 }, { a: 'x' }, { a: ['x'] }, {}], 'T T F F'],
    ['27: text in a field', '"b" in [a]', [{ a: 'abc' }, { a: ['b'] }, { a: { b: 1 } }, {}], 'T T F F'],
    [
      '29: and, and, or associate as in Logstash',
      '[a] and [b] and [c] or [d]',
      [{ d: 1 }, { a: 1, d: 1 }, { a: 1, b: 1, c: 1 }],
      'F T T',
    ],
    ['30: ^ and $ are line anchors', '[a] =~ /^foo$/', [{ a: 'x\nfoo\ny' }], 'T'],
    ['30: !~ is true for what is no text', '[a] !~ /x/', [{}, { a: 5 }], 'T T'],
    ['32: true and null compare as equal', '[a] >= 100', [{ a: true }, { a: null }], 'T T'],
  ])('%s', async (_, condition, events, expected) => {
    expect(branches(await decide(condition, events))).toBe(expected)
  })

  it('23: an integer is no float and no text', async () => {
    expect(branches(await run({ config: branch('[a] == 1'), stdin: float }))).toBe('T F F F')
  })

  it('24: two fields are compared deeply, two missing ones are equal', async () => {
    const stdin = '{}\n{"a":null}\n{"a":1,"b":1.0}\n{"a":{"k":1},"b":{"k":1}}\n'
    expect(branches(await run({ config: branch('[a] == [b]'), stdin }))).toBe('T F F T')
  })

  it('26: a list of one element is a field reference, said once with its place', async () => {
    const [compatible, fixed] = await Promise.all([
      decide('[a] in ["x"]', [{ a: 'x' }]),
      decide('[a] in ["x"]', [{ a: 'x' }], { settings: 'compat.conditions: fixed\n' }),
    ])
    expect(branches(compatible)).toBe('F')
    const warnings = compatible.stdout
      .split('\n')
      .filter((line) => /\[WARN \].*pipeline\.conf:1:\d+/.test(line))
    expect(warnings).toHaveLength(1)
    expect(branches(fixed)).toBe('T')
    expect(fixed.stdout).not.toMatch(/\[WARN \].*pipeline\.conf/)
  })

  it('28: not in', async () => {
    const { events } = await decide('"x" not in [tags]', [{}, { tags: ['x'] }])
    expect(events.map(({ tags }) => tags)).toEqual([['T'], ['x', 'F']])
  })

  it.each([
    ['one worker', ['-w', '1']],
    ['two workers', ['-w', '2', '-b', '125']],
  ])('31: an event that cannot be compared is dropped alone, %s', async (_, args) => {
    const result = await decide('[a] > 2', [{ a: 1 }, { a: 'x' }, { a: 5 }, {}, { a: 9 }], { args })
    expect(result.code).toBe(0)
    const found = result.events.map(({ a, tags }) => `${a}${(tags as string[])[0]}`)
    expect([...found].sort()).toEqual(['1F', '5T', '9T'])
    if (args[1] === '1') expect(found).toEqual(['1F', '5T', '9T'])
    const warnings = result.stdout.split('\n').filter((line) => line.includes('Event was dropped'))
    expect(warnings).toHaveLength(2)
    expect(result.stdout).toContain('(TypeError) no implicit conversion of nil into Integer')
    expect(result.stdout).toContain(
      "Unexpected conditional input combination of '<no-class>:<null-value>' (left) and 'class org.jruby.RubyFixnum:2' (right)",
    )
  })

  it('33: else if, nested if, drop; dropped events count as filtered', async () => {
    const set = (value: string) => `mutate { add_field => { "r" => "${value}" } }`
    const config = `${IN} filter {
      if [n] == 1 { ${set('one')} }
      else if [n] == 2 { if [m] { ${set('twom')} } else { ${set('two')} } }
      else { drop { } }
    } ${OUT}`
    const millrace = await Millrace.start({ config, api: true })
    try {
      millrace.write(jsonLines({ n: 1 }, { n: 2 }, { n: 2, m: 1 }, { n: 3 }))
      await millrace.until(() => millrace.eventLines().length >= 3)
      expect(millrace.events().map(({ r }) => r)).toEqual(['one', 'two', 'twom'])
      const events = { in: 4, filtered: 4, out: 3 }
      const stats = await millrace.apiUntil('/_node/stats/pipelines/main', (body) => {
        const { pipelines } = body as { pipelines?: { main?: { events?: Record<string, number> } } }
        return pipelines?.main?.events?.['filtered'] === 4
      })
      expect(stats).toMatchObject({ pipelines: { main: { events } } })
      millrace.endInput()
      expect(await millrace.exit()).toMatchObject({ code: 0 })
      expect(millrace.events()).toHaveLength(3)
    } finally {
      await millrace.dispose()
    }
  })
})
