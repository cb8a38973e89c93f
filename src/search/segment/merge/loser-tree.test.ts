/** The loser tree against sorting all texts. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MemorySections } from '../encoding/sections.ts'
import { TextCursor } from '../encoding/text-cursor.ts'
import { LoserTree } from './loser-tree.ts'

// Few letters and long common prefixes, so that texts are prefixes of each other and equal across lists.
const text = fc
  .tuple(
    fc.constantFrom('', 'a', 'aab', 'x'.repeat(300)),
    fc.array(fc.constantFrom('a', 'b', 'é'), { maxLength: 4 }),
  )
  .map(([start, rest]) => start + rest.join(''))
const lists = fc.array(fc.uniqueArray(text, { maxLength: 12 }), { minLength: 1, maxLength: 9 })
const compare = (left: string, right: string) => Buffer.compare(Buffer.from(left), Buffer.from(right))

function cursorOf(texts: readonly string[]): TextCursor {
  const bytes = Buffer.from(texts.join(''))
  let end = 0
  const ends = Uint32Array.from(texts, (one) => (end += Buffer.byteLength(one)))
  return new TextCursor(new MemorySections(new Map([['list', { bytes, ends }]])), 'list')
}

it('merges sorted lists, equal texts in the order of the lists', () => {
  fc.assert(
    fc.property(lists, (given) => {
      const sorted = given.map((list) => [...list].sort(compare))
      const cursors = sorted.map(cursorOf)
      const tournament = new LoserTree(cursors)
      const found: [string, number, number][] = []
      const sames: boolean[] = []
      for (let top = tournament.top; top >= 0; top = tournament.top) {
        const { bytes, length, ordinal } = cursors[top]!
        found.push([Buffer.from(bytes.subarray(0, length)).toString(), top, ordinal])
        sames.push(tournament.advance())
      }
      const expected = sorted
        .flatMap((list, number) => list.map((one, i) => [one, number, i] as [string, number, number]))
        .sort((left, right) => compare(left[0], right[0]) || left[1] - right[1])
      expect(found).toEqual(expected)
      expect(sames).toEqual(expected.map(([one], i) => expected[i + 1]?.[0] === one))
    }),
  )
})
