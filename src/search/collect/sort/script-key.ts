/** The sort key of a script that computes numbers or texts. */

import type { DocSet } from '../../query/exec/doc-set.ts'
import { javaDouble } from '../../request/java-text.ts'
import { JsonNumber } from '../../request/json-literals.ts'
import { scalarText } from '../../request/request-values.ts'
import { sortedSteps } from '../../scheduling/merge-sort.ts'
import { inRanges, StepSize } from '../../scheduling/step-size.ts'
import { finish, type Steps } from '../../scheduling/steps.ts'
import type { DocumentScript } from '../../script/documents/document-script.ts'
import { textOf } from '../../script/values.ts'
import { type RankedList, SortedList, SortedTextList } from '../paging/ranked-list.ts'
import { numberAfter } from './computed-keys.ts'
import { boxedNull } from './java-null.ts'
import type { Scores, SearchLeaf, SortKey } from './sort-key.ts'
import { compareValues, type SortValue } from './sort-value.ts'

export class ScriptKey implements SortKey {
  readonly descending: boolean
  readonly missingFirst = false
  readonly #type: 'number' | 'string'
  /** By index name. */
  readonly #scripts: ReadonlyMap<string, DocumentScript>
  readonly #scores: Scores

  constructor(
    type: 'number' | 'string',
    scripts: ReadonlyMap<string, DocumentScript>,
    scores: Scores,
    descending: boolean,
  ) {
    this.#type = type
    this.#scripts = scripts
    this.#scores = scores
    this.descending = descending
  }

  value(leaf: SearchLeaf, doc: number): SortValue {
    const compiled = this.#scripts.get(leaf.index.name)!
    const score = compiled.needsScore ? (this.#scores.constant(leaf) ?? this.#scores.at(leaf, doc)) : 0
    if (this.#type === 'number') return compiled.openNumber(leaf.reader)(doc, score)
    const text = compiled.open(leaf.reader, 'String')(doc, score)
    return text === null ? null : textOf(text)
  }

  list(leaf: SearchLeaf, matches: DocSet): RankedList {
    return finish(this.listSteps(leaf, matches))
  }

  *listSteps(leaf: SearchLeaf, matches: DocSet): Steps<RankedList> {
    const docs = matches.array()
    const found: SortValue[] = []
    const each = (from: number, to: number) => {
      for (let i = from; i < to; i++) found.push(this.value(leaf, docs[i]!))
    }
    yield* inRanges(docs.length, each, new StepSize(16, 1))
    if (this.#type === 'number')
      return yield* SortedList.steps({ docs, values: Float64Array.from(found as number[]) }, this)
    const items = found.map((value, place) => ({ doc: docs[place]!, value }))
    const order = (one: { value: SortValue }, other: { value: SortValue }) =>
      compareValues(one.value, other.value, this)
    return new SortedTextList(yield* sortedSteps(items, order), this)
  }

  show(_leaf: SearchLeaf, value: SortValue): unknown {
    return typeof value === 'number' && Number.isInteger(value) ? new JsonNumber(javaDouble(value)) : value
  }

  get nullRefusal(): string | undefined {
    return this.#type === 'number' ? boxedNull('Double') : undefined
  }

  parse(value: unknown): SortValue {
    return this.#type === 'number' ? numberAfter(value, '_script') : (scalarText(value) ?? null)
  }
}
