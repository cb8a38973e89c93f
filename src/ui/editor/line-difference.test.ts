import { expect, it } from 'vitest'
import { lineDifference } from './line-difference.ts'

const shown = (before: string, after: string) =>
  lineDifference(before, after).map(({ kind, line, text }) => `${kind[0]}${line} ${text}`)

it('shows what was replaced, with three lines around it', () => {
  const old = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']
  const now = old.with(4, 'E').toSpliced(5, 0, 'new')
  expect(shown(old.join('\n'), now.join('\n'))).toEqual([
    's2 b',
    's3 c',
    's4 d',
    'r5 e',
    'a5 E',
    'a6 new',
    's7 f',
    's8 g',
    's9 h',
  ])
})

it.each([
  ['a', 'a', []],
  ['', 'a', ['r1 ', 'a1 a']],
  ['a\na', 'a', ['s1 a', 'r2 a']],
  ['a', 'a\na', ['s1 a', 'a2 a']],
])('compares %j with %j', (before, after, changes) => expect(shown(before, after)).toEqual(changes))
