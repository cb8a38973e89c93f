/** Values computed by a script, from documents or from the values of a field (`_value`). */
import type { SearchLeaf } from '../../collect/sort/sort-key.ts'
import { type DocumentScript, documentScript } from '../../script/documents/document-script.ts'
import { listed } from '../../script/methods.ts'
import { guarded, type ReadScript } from '../../script/script.ts'
import { ScriptDate } from '../../script/script-dates.ts'
import { type ScriptValue, toDouble } from '../../script/values.ts'
import type { AggContext } from '../aggregator.ts'
import type { Batch } from '../batch.ts'

/** The values of a field that were read for a batch, in its order. */
export interface GivenValues {
  readonly batch: Batch
  value(at: number): ScriptValue
}

export class ScriptValues {
  /** True when the script receives the values of a field one by one. */
  readonly changesValues: boolean
  /** By index name. */
  readonly #scripts: ReadonlyMap<string, DocumentScript>

  constructor(read: ReadScript, changesValues: boolean, { indices }: AggContext) {
    this.changesValues = changesValues
    const more = changesValues ? ['_value'] : []
    this.#scripts = new Map(
      indices.map(({ name, queries }) => [name, documentScript(read(queries.scripts), queries, more)]),
    )
  }

  #script({ index }: SearchLeaf): DocumentScript {
    return this.#scripts.get(index.name)!
  }

  /** All values the script returns for a document; null is none. */
  ofDocument(leaf: SearchLeaf, doc: number): readonly ScriptValue[] {
    const value = this.#script(leaf).open(leaf.reader)(doc)
    return value === null ? [] : listed(value)
  }

  /** All values for each document, or for the values each has. */
  ofBatch(batch: Batch, given: GivenValues | undefined): (readonly ScriptValue[])[] {
    const { leaf, docs, owners, length } = batch
    const made: (readonly ScriptValue[])[] = []
    if (given === undefined) {
      for (let i = 0; i < length; i++) made.push(this.ofDocument(leaf, docs[i]!))
      return made
    }
    const run = this.#script(leaf).open(leaf.reader)
    let at = 0
    for (let i = 0; i < length; i++) {
      const values: ScriptValue[] = []
      for (; at < given.batch.length; at++) {
        if (given.batch.docs[at] !== docs[i] || given.batch.owners[at] !== owners[i]) break
        values.push(run(docs[i]!, given.value(at)))
      }
      made.push(values)
    }
    return made
  }

  number(leaf: SearchLeaf, value: ScriptValue): number {
    if (value instanceof ScriptDate) return value.millis
    if (typeof value === 'boolean') return value ? 1 : 0
    return guarded(this.#script(leaf).script, () => toDouble(value, 'value'))
  }
}
