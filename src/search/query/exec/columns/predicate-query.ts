/**
 * Queries that test each document with a predicate: ids, existence of a field, metadata. The predicate is an
 * object with two functions; iteration and constant scoring are shared.
 */

import { hashMapOrder } from '../../../../text/java-hash.ts'
import { inRanges } from '../../../scheduling/step-size.ts'
import type { Steps } from '../../../scheduling/steps.ts'
import { BitSet } from '../../../segment/encoding/bit-set.ts'
import type { LeafReader, SegmentField } from '../../../segment/segment.ts'
import { DocSet } from '../doc-set.ts'
import { ConstantWeight, Query, type SearchScope, type Weight } from '../query.ts'
import { uidTexts } from './uid-text.ts'

interface LeafTest {
  /** An upper bound of the number of matches. */
  cost(leaf: LeafReader): number
  find(leaf: LeafReader): Steps<DocSet>
  /**
   * Returns a test for single documents, used when few candidates are left; without it all matches are
   * computed first.
   */
  tester?(leaf: LeafReader): (doc: number) => boolean
  /** Whether all values of the leaf match. */
  isWhole?(leaf: LeafReader): boolean
}

/** How Lucene prints the two queries of which one is chosen: over the index or over doc values. */
export interface LuceneTexts {
  readonly index: string
  readonly values?: string
  /** A range of points, of which is known that nested objects have none. */
  readonly isRange?: boolean
  /** The text over the index when a shard has only values that match. */
  readonly whole?: string
}

export class PredicateQuery extends Query {
  readonly test: LeafTest
  readonly texts: LuceneTexts | undefined
  readonly #text: string
  readonly #key: string | undefined

  constructor(test: LeafTest, text: string, key?: string, lucene?: LuceneTexts) {
    super()
    this.texts = lucene
    this.test = test
    this.#text = text
    this.#key = key
  }

  weight(scope: SearchScope, boost: number): Weight {
    return new PredicateWeight(scope, this, boost)
  }

  toString(): string {
    return this.#text
  }

  override get lucene(): string {
    const { texts } = this
    if (texts === undefined) return this.#text
    return texts.values === undefined
      ? texts.index
      : `IndexOrDocValuesQuery(indexQuery=${texts.index}, dvQuery=${texts.values})`
  }

  /** Lucene compares a range of points with the values of a shard first. */
  override rewritten({ statistics }: SearchScope): Query {
    const { texts, test } = this
    if (texts?.whole === undefined || test.isWhole === undefined || !statistics.leaves.every(test.isWhole))
      return this
    const { whole: index, ...others } = texts
    return new PredicateQuery(test, this.#text, this.#key, { ...others, index })
  }

  override get described(): string {
    return this.texts?.values ?? this.texts?.index ?? this.#text
  }

  override get key(): string | undefined {
    return this.#key
  }
}

class PredicateWeight extends ConstantWeight {
  readonly #test: LeafTest

  constructor(scope: SearchScope, query: PredicateQuery, boost: number) {
    super(scope, query, boost)
    this.#test = query.test
  }

  cost(leaf: LeafReader): number {
    return this.#test.cost(leaf)
  }

  protected find(leaf: LeafReader): Steps<DocSet> {
    return this.#test.find(leaf)
  }

  override *prepareFor(leaf: LeafReader, count: number): Steps<void> {
    if (this.#test.tester === undefined || !this.shouldTestEach(leaf, count)) yield* this.prepare(leaf)
  }

  override restrict(leaf: LeafReader, docs: Uint32Array): Uint32Array {
    const test = this.#test.tester?.(leaf)
    if (test === undefined) return super.restrict(leaf, docs)
    const kept = new Uint32Array(docs.length)
    let count = 0
    for (let i = 0; i < docs.length; i++) if (test(docs[i]!)) kept[count++] = docs[i]!
    return kept.subarray(0, count)
  }
}

/** Tests the documents that have the field. */
export function fieldTest(field: string, tester: (leaf: LeafReader) => (doc: number) => boolean): LeafTest {
  return {
    cost: (leaf) => leaf.segment.fields.get(field)?.docCount ?? 0,
    find: (leaf) =>
      scanned(leaf.segment.docCount, leaf.segment.fields.get(field)?.present ?? null, tester(leaf)),
    tester,
  }
}

/** Returns the documents of a segment that pass a test. */
export function* scanned(
  size: number,
  candidates: BitSet | null,
  test: (doc: number) => boolean,
): Steps<DocSet> {
  const bits = new BitSet(size)
  yield* inRanges(size, (from, to) => {
    for (let doc = from; doc < to; doc++)
      if ((candidates === null || candidates.has(doc)) && test(doc)) bits.add(doc)
  })
  return DocSet.ofBits(bits)
}

/** Matches documents that have a value in any of the fields. */
export function existsQuery(
  fields: readonly string[],
  text: string,
  /** Fields that are looked for in `_field_names`. */
  named: ReadonlySet<string> = new Set(),
): Query {
  const found = ({ segment }: LeafReader) => fields.flatMap((name) => segment.fields.get(name) ?? [])
  return presenceQuery(found, text, ['exists', ...fields], named)
}

/**
 * Matches documents with a value in the field or in any field below it that only segments know, as the keys
 * of a flattened object.
 */
export function existsUnderQuery(path: string): Query {
  const below = `${path}.`
  return presenceQuery(
    ({ segment }) => {
      const found: SegmentField[] = []
      for (const [name, field] of segment.fields)
        if (name === path || name.startsWith(below)) found.push(field)
      return found
    },
    path,
    ['exists under', path],
  )
}

function presenceQuery(
  found: (leaf: LeafReader) => SegmentField[],
  text: string,
  key: readonly string[],
  named: ReadonlySet<string> = new Set(),
): Query {
  const fieldsOf = ofLeaf(found)
  return new PredicateQuery(
    {
      cost: (leaf) =>
        fieldsOf(leaf).reduce((sum, { docCount }) => Math.min(leaf.segment.docCount, sum + docCount), 0),
      find(leaf) {
        const size = leaf.segment.docCount
        const sets = fieldsOf(leaf).map(({ present }) =>
          present === null ? DocSet.all(size) : DocSet.ofBits(present),
        )
        return DocSet.unionSteps(size, sets)
      },
      tester(leaf) {
        const sets = fieldsOf(leaf).map(({ present }) => present)
        return (doc) => {
          for (const present of sets) if (present === null || present.has(doc)) return true
          return false
        }
      },
    },
    `FieldExistsQuery [field=${text}]`,
    JSON.stringify(key),
    {
      // Only profiles and explanations show it; a pattern may stand for thousands of fields.
      get index() {
        return hashMapOrder(text.split(' '))
          .map((name) => (named.has(name) ? `_field_names:${name}` : `FieldExistsQuery [field=${name}]`))
          .join(' ')
      },
    },
  )
}

/** Caches the fields of a segment, which are asked for several times and may be thousands. */
function ofLeaf(found: (leaf: LeafReader) => SegmentField[]): (leaf: LeafReader) => SegmentField[] {
  const known = new WeakMap<LeafReader['segment'], SegmentField[]>()
  return (leaf) => {
    let fields = known.get(leaf.segment)
    if (fields === undefined) known.set(leaf.segment, (fields = found(leaf)))
    return fields
  }
}

export function idsQuery(ids: readonly string[]): Query {
  const unique = [...new Set(ids)]
  return new PredicateQuery(
    {
      cost: () => unique.length,
      *find({ segment }) {
        const docs = new Uint32Array(unique.length)
        let count = 0
        yield* inRanges(unique.length, (from, to) => {
          for (let i = from; i < to; i++) {
            const doc = segment.findId(unique[i]!)
            if (doc !== -1) docs[count++] = doc
          }
        })
        return DocSet.ofSorted(segment.docCount, docs.subarray(0, count).sort())
      },
    },
    `_id:(${unique.join(' ')})`,
    undefined,
    {
      // Only profiles and explanations show it; of a million ids it takes seconds.
      get index() {
        return `_id:(${uidTexts(unique).join(' ')})`
      },
    },
  )
}

export function routingQuery(routings: readonly string[]): Query {
  const wanted = new Set(routings)
  const test = (leaf: LeafReader) => (doc: number) => {
    const routing = leaf.segment.routing(doc)
    return routing !== undefined && wanted.has(routing)
  }
  return new PredicateQuery(
    {
      cost: (leaf) => leaf.segment.docCount,
      find: (leaf) => scanned(leaf.segment.docCount, leaf.segment.roots, test(leaf)),
      tester: test,
    },
    `_routing:(${routings.join(' ')})`,
  )
}

/** Matches by a number that every document has besides its fields, as `_seq_no`. */
export function metadataNumberQuery(
  name: '_seq_no' | '_version' | '_primary_term',
  from: number,
  to: number,
): Query {
  const test = (leaf: LeafReader) => {
    const { segment } = leaf
    const values =
      name === '_seq_no' ? segment.seqNos : name === '_version' ? segment.versions : segment.primaryTerms
    return (doc: number) => values[doc]! >= from && values[doc]! <= to
  }
  return new PredicateQuery(
    {
      cost: (leaf) => leaf.segment.docCount,
      find: (leaf) => scanned(leaf.segment.docCount, leaf.segment.roots, test(leaf)),
      tester: test,
    },
    `${name}:[${from} TO ${to}]`,
  )
}
