import { expect, it } from 'vitest'
import { type Boundaries, sentenceBoundaries, wordBoundaries } from './boundaries.ts'

/** Parts as Java's BreakIterator divides them. */
const sentences: readonly (readonly string[])[] = [
  ['The disk is full. ', 'Network lost.'],
  ['It took 5 ms. 3 errors came.'],
  ['It failed. then it worked'],
  ['It failed.  ', 'then it worked'],
  ['See e.g. ', 'This one.'],
  ['Done.', '(see below) Next'],
  ['He said "no." ', '"Yes," she said.'],
  ['Really?! ', 'Yes! ', 'no'],
  ['What? ', '(Nothing.) ', 'Good'],
  ['First.\n', 'Second line\nthird. ', 'Fourth'],
  ['a. ) B'],
  ['a. ', '(b'],
  ['v. 1.5 is out. 2,000 downloads'],
  ['ends with a stop.'],
  ['one', '.', ' ('],
  ['x', '.', '"(1'],
  ['終わり。', '次'],
  ['Überall. ', 'Äpfel. äpfel'],
  ['a.\u2029', 'b'],
  ['wait... ', 'What... no'],
  ['अंत।', 'अगला'],
]
const words: readonly (readonly string[])[] = [
  ["it's", ' ', '1,000.5%', ' ', 'of', ' ', '$5.00'],
  ['e.g', '.', ' ', 'a-b_c', ' ', '"', 'd"e'],
  ['a1b2.3', ' ', '1a', '.5'],
  ['#1', ' ', '#', 'a', ' ', '¢', '5', ' ', '5¢', ' ', '€7'],
  ['a', '   ', 'b', ' \n', ' ', 'c', '\t\t', 'd'],
  ['カナ', 'ひら', '日本', 'abc한국'],
  ['x', '@', 'y.com', '/', 'z', '?', 'q', '=', '1&', 'r'],
  ['1', '-', '2', ' ', '3', ':', '45', ' ', '.5', ' ', 'a', '.1'],
  ['é\u0301a', ' \u200b', 'b'],
  ["rock'n'roll", "'"],
  ['ラーメン・', 'らーめん'],
]

function partsOf(text: string, boundaries: Boundaries): string[] {
  const parts: string[] = []
  for (let at = 0; at < text.length; ) {
    const end = boundaries.following(at)
    parts.push(text.slice(at, end))
    at = end
  }
  return parts
}

it.each(sentences)('sentences end as in Java: %s', (...parts) => {
  const text = parts.join('')
  expect(partsOf(text, sentenceBoundaries(text))).toEqual(parts)
})

it.each(words)('words end as in Java: %s', (...parts) => {
  const text = parts.join('')
  expect(partsOf(text, wordBoundaries(text))).toEqual(parts)
})

it('finds the boundary before an offset', () => {
  const boundaries = sentenceBoundaries('One. Two. Three.')
  expect([0, 1, 5, 6, 16].map((offset) => boundaries.preceding(offset))).toEqual([0, 0, 0, 5, 10])
  expect(boundaries.following(16)).toBe(16)
})

it('takes time in proportion to the text', () => {
  const text = '."( -1 a.'.repeat(40_000)
  expect(sentenceBoundaries(text).following(0)).toBe(1)
  const stops = '. '.repeat(200_000)
  expect(sentenceBoundaries(`${stops}-`).following(7)).toBe(8)
  expect(sentenceBoundaries(`${stops} (1`).following(7)).toBe(8)
  expect(wordBoundaries(`${'a.'.repeat(200_000)}`).following(0)).toBe(399_999)
}, 20_000)
