/** For tests: dumps everything the fields of a segment contain, whatever their layout. */
import type { Segment } from '../segment/segment.ts'

export function contentOf(segment: Segment) {
  return {
    docs: segment.docCount,
    roots: segment.roots?.toArray(),
    fields: Object.fromEntries(
      [...segment.fields]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, field]) => {
          const { terms, ordinals, numbers, norms, present, docCount, sumDocFreq, sumTotalFreq } = field
          return [
            name,
            {
              docCount,
              sumDocFreq,
              sumTotalFreq,
              present: present?.toArray(),
              norms: norms && [...norms],
              ordinals: ordinals && {
                values: [...ordinals.values],
                starts: ordinals.starts && [...ordinals.starts],
              },
              numbers: numbers && {
                // The placeholder of a missing value is meaningless.
                values: [...numbers.values].map((number, i) =>
                  numbers.starts === null && present !== null && !present.has(i) ? undefined : number,
                ),
                starts: numbers.starts && [...numbers.starts],
                exact:
                  numbers.exact &&
                  [...numbers.exact].filter(
                    (_, i) => numbers.starts !== null || present === null || present.has(i),
                  ),
              },
              terms:
                terms &&
                Array.from({ length: terms.size }, (_, ordinal) => {
                  const { docs, freqs, positions } = terms.postings(ordinal)
                  return {
                    term: terms.term(ordinal),
                    docFreq: terms.docFreq(ordinal),
                    totalFreq: terms.totalFreq(ordinal),
                    docs: [...docs],
                    freqs: freqs && [...freqs],
                    positions: positions && { starts: [...positions.starts], values: [...positions.values] },
                  }
                }),
            },
          ]
        }),
    ),
  }
}
