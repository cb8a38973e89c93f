import { describe, expect, it } from 'vitest'
import { LsFloat } from '../../event/value.ts'
import { runFilter } from '../../plugin/testing.ts'
import logfmt, { parseLogfmt } from './logfmt.ts'

describe('logfmt', () => {
  it.each<[string, [string, unknown][]]>([
    [
      'a=1 b=2.0 c=-3',
      [
        ['a', 1],
        ['b', new LsFloat(2)],
        ['c', -3],
      ],
    ],
    [
      'a="x y" b="" c=',
      [
        ['a', 'x y'],
        ['b', ''],
        ['c', true],
      ],
    ],
    [
      'flag a=b',
      [
        ['flag', true],
        ['a', 'b'],
      ],
    ],
    [
      'a="say \\"hi\\"\\n" b=c',
      [
        ['a', 'say "hi"\n'],
        ['b', 'c'],
      ],
    ],
    [
      't=2016-01-01T00:00:00Z v=1.2.3',
      [
        ['t', '2016-01-01T00:00:00Z'],
        ['v', '1.2.3'],
      ],
    ],
    ['', []],
  ])('%j', (line, expected) => {
    expect(parseLogfmt(line)).toEqual(expected)
  })

  it('stores pairs in the event or in a target', async () => {
    expect(await runFilter(logfmt, { add_tag: ['ok'] }, [{ message: 'a=1' }, {}])).toEqual([
      { message: 'a=1', a: 1, tags: ['ok'] },
      {},
    ])
    expect(
      await runFilter(logfmt, { source: 's', target: '[t]', remove_source: true }, [{ s: 'a=b' }]),
    ).toEqual([{ t: { a: 'b' } }])
    expect(await runFilter(logfmt, { tag_on_failure: ['own'] }, [{ message: 5 }])).toEqual([
      { message: 5, tags: ['own'] },
    ])
    expect(await runFilter(logfmt, {}, [{ message: 5 }])).toEqual([
      { message: 5, tags: ['_logfmtparsefailure'] },
    ])
  })
})
