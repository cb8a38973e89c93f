/**
 * Range fields (`long_range`, `date_range`, …) compared with a query range: intersects, within or contains.
 */
import type { LeafReader } from '../../../segment/segment.ts'
import type { Query } from '../query.ts'
import { fieldTest, PredicateQuery } from './predicate-query.ts'

export type Relation = 'intersects' | 'within' | 'contains'

/** `from` and `to` are inclusive. */
export function rangeFieldQuery(field: string, from: number, to: number, relation: Relation): Query {
  const tester = (leaf: LeafReader): ((doc: number) => boolean) => {
    const column = leaf.segment.fields.get(field)
    const ranges = column?.ranges
    if (column === undefined || ranges === undefined || ranges === null) return () => false
    const { starts, from: lows, to: highs } = ranges
    const { present } = column
    const compare = (at: number): boolean => {
      const low = lows[at]!
      const high = highs[at]!
      if (relation === 'intersects') return low <= to && high >= from
      return relation === 'within' ? low >= from && high <= to : low <= from && high >= to
    }
    return (doc) => {
      if (starts === null) return (present === null || present.has(doc)) && compare(doc)
      for (let at = starts[doc]!; at < starts[doc + 1]!; at++) if (compare(at)) return true
      return false
    }
  }
  return new PredicateQuery(
    fieldTest(field, tester),
    `${field}:<ranges ${relation} [${from} : ${to}]>`,
    JSON.stringify(['ranges', field, relation, from, to]),
    {
      index: `${field}:<ranges:[${spelled(from)} : ${spelled(to)}]>`,
      values: `BinaryDocValuesRangeQuery(fieldName=,from=${spelled(from)},to=${spelled(to)})`,
    },
  )
}

/** Open ends are the bounds of the type: integers are what the ranges of most indices hold. */
function spelled(bound: number): string {
  if (Number.isFinite(bound)) return String(bound)
  return bound < 0 ? '-2147483648' : '2147483647'
}
