/** Values of an aggregation that a script makes: of documents, or of the values of a field (`_value`). */
import type { SearchLeaf } from '../../collect/sort-key.ts'
import {
  type DocumentScript,
  documentScript,
  type RunForDocument,
} from '../../script/documents/document-script.ts'
import { itemsOf } from '../../script/methods.ts'
import { guarded, type Script, type StoredScripts } from '../../script/script.ts'
import { ScriptDate } from '../../script/script-dates.ts'
import { ScriptObject, type ScriptValue, toDouble } from '../../script/values.ts'
import type { AggContext } from '../aggregator.ts'

export type ReadAggScript = (stored?: StoredScripts) => Script

export class ScriptValues {
  /** It sees the values of a field, one after the other. */
  readonly changesValues: boolean
  /** By name of the index. */
  readonly #scripts: ReadonlyMap<string, DocumentScript>
  #leaf: SearchLeaf | undefined
  #run!: RunForDocument

  constructor(read: ReadAggScript, changesValues: boolean, { indices }: AggContext) {
    this.changesValues = changesValues
    const more = changesValues ? ['_value'] : []
    this.#scripts = new Map(
      indices.map(({ name, queries }) => [name, documentScript(read(queries.scripts), queries, more)]),
    )
  }

  #script(leaf: SearchLeaf): Script {
    const compiled = this.#scripts.get(leaf.index.name)!
    if (this.#leaf !== leaf) {
      this.#leaf = leaf
      this.#run = compiled.open(leaf.reader)
    }
    return compiled.script
  }

  /** All it makes of a document; null is nothing. */
  ofDocument(leaf: SearchLeaf, doc: number): readonly ScriptValue[] {
    const script = this.#script(leaf)
    const value = this.#run(doc)
    if (value === null) return []
    const isList = Array.isArray(value) || value instanceof Set
    const isField = value instanceof ScriptObject && value.items() !== undefined
    return isList || isField ? guarded(script, () => itemsOf(value)) : [value]
  }

  /** What it makes of one value of a document. */
  ofValue(leaf: SearchLeaf, doc: number, value: ScriptValue): ScriptValue {
    this.#script(leaf)
    return this.#run(doc, value)
  }

  number(leaf: SearchLeaf, value: ScriptValue): number {
    if (value instanceof ScriptDate) return value.millis
    if (typeof value === 'boolean') return value ? 1 : 0
    return guarded(this.#script(leaf), () => toDouble(value, 'value'))
  }
}
