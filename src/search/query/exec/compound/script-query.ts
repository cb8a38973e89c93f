/**
 * The `script` query. It is evaluated last, only for the documents that all other clauses leave, because a
 * script may fail on documents it was not written for.
 */
import { inRanges, StepSize } from '../../../scheduling/step-size.ts'
import { finish, type Steps } from '../../../scheduling/steps.ts'
import type { DocumentScript } from '../../../script/documents/document-script.ts'
import { scriptText } from '../../../script/script.ts'
import { BitSet } from '../../../segment/encoding/bit-set.ts'
import type { LeafReader } from '../../../segment/segment.ts'
import { DocSet } from '../doc-set.ts'
import { type Explanation, explained, floatText, unmatched } from '../explanation.ts'
import { ConstantWeight, Query, type SearchScope, type Weight } from '../query.ts'
import { visible } from '../visible-docs.ts'

export class ScriptQuery extends Query {
  readonly script: DocumentScript
  /** The path of the nested objects the script runs over; undefined for root documents. */
  readonly nestedPath: string | undefined

  constructor(script: DocumentScript, nestedPath: string | undefined) {
    super()
    this.script = script
    this.nestedPath = nestedPath
  }

  weight(scope: SearchScope, boost: number): Weight {
    return new ScriptWeight(scope, this, boost)
  }

  toString(): string {
    return `ScriptQuery(${scriptText(this.script.script)})`
  }
}

/** Documents of the first step; a single script call may fill one. */
const firstStepDocs = 16

class ScriptWeight extends ConstantWeight {
  readonly #script: DocumentScript
  readonly #nestedPath: string | undefined

  constructor(scope: SearchScope, query: ScriptQuery, boost: number) {
    super(scope, query, boost)
    this.#script = query.script
    this.#nestedPath = query.nestedPath
  }

  cost(): number {
    return Number.POSITIVE_INFINITY
  }

  #test(leaf: LeafReader): (doc: number) => boolean {
    return this.#script.openCondition(leaf)
  }

  override *prepareFor(): Steps<void> {}

  protected *find(leaf: LeafReader): Steps<DocSet> {
    const { segment, live } = leaf
    const path = this.#nestedPath
    const size = segment.docCount
    if (path === undefined) {
      const candidates = visible(leaf) ?? DocSet.all(size)
      return DocSet.ofSorted(size, yield* this.restrictSteps(leaf, candidates.array()))
    }
    const holds = this.#test(leaf)
    const bits = new BitSet(size)
    const test = (doc: number) => (live?.has(doc) ?? true) && segment.nestedPath(doc) === path && holds(doc)
    yield* inRanges(
      size,
      (from, to) => {
        for (let doc = from; doc < to; doc++) if (test(doc)) bits.add(doc)
      },
      new StepSize(firstStepDocs, 1),
    )
    return DocSet.ofBits(bits)
  }

  override restrict(leaf: LeafReader, docs: Uint32Array): Uint32Array {
    return this.isCached(leaf) ? super.restrict(leaf, docs) : finish(this.restrictSteps(leaf, docs))
  }

  override *restrictSteps(leaf: LeafReader, docs: Uint32Array): Steps<Uint32Array> {
    const holds = this.#test(leaf)
    const kept = new Uint32Array(docs.length)
    let count = 0
    yield* inRanges(
      docs.length,
      (from, to) => {
        for (let i = from; i < to; i++) if (holds(docs[i]!)) kept[count++] = docs[i]!
      },
      new StepSize(firstStepDocs, 1),
    )
    return kept.subarray(0, count)
  }

  override explain(leaf: LeafReader, doc: number): Explanation {
    const text = String(this.query)
    const boost = this.constant === 1 ? '' : `^${floatText(this.constant)}`
    return this.#test(leaf)(doc)
      ? explained(this.constant, `${text}${boost}`)
      : unmatched(`${text} doesn't match id ${doc}`)
  }
}
