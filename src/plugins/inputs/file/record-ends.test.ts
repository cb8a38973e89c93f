import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RecordEnds } from './record-ends.ts'

/** End of the last record in the whole text, cut from left to right. */
function lastEnd(text: string, delimiter: string): number {
  let end = 0
  for (let at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, end))
    end = at + delimiter.length
  return end
}

describe('ends of records', () => {
  it('are found in any chunks, with delimiters of any length that may overlap themselves', () => {
    const letters = fc.constantFrom('a', 'b', '\n')
    fc.assert(
      fc.property(
        fc.array(letters, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
        fc.array(
          fc.array(letters, { maxLength: 6 }).map((parts) => parts.join('')),
          { maxLength: 8 },
        ),
        (delimiter, chunks) => {
          const ends = new RecordEnds(Buffer.from(delimiter))
          let read = 0
          let found = 0
          for (const chunk of chunks) {
            const end = ends.push(Buffer.from(chunk))
            if (end >= 0) found = read + end
            read += chunk.length
          }
          expect(found).toBe(lastEnd(chunks.join(''), delimiter))
        },
      ),
      { numRuns: 500 },
    )
  })
})
