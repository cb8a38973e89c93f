/** `script_fields` of a request: what scripts make of each hit. */

import { documentScript, type RunForDocument } from '../script/documents/document-script.ts'
import { toJson } from '../script/json-values.ts'
import { guarded, type Script, type StoredScripts, scriptReader } from '../script/script.ts'
import { ScriptObject, type ScriptValue } from '../script/values.ts'
import { SearchError } from '../search-error.ts'
import type { LeafReader } from '../segment/segment.ts'
import type { AddValues } from './fetch-fields.ts'
import { bodyFlag, isObject, parsingError, tokenKind } from './request-values.ts'
import type { SearchIndex } from './search-index.ts'

export interface ScriptField {
  readonly name: string
  readonly read: (stored?: StoredScripts) => Script
  readonly ignoresFailure: boolean
}

export function readScriptFields(value: unknown): ScriptField[] {
  if (!isObject(value)) throw parsingError(`Unknown key for a ${tokenKind(value)} in [script_fields].`)
  return Object.entries(value).map(([name, field]) => {
    if (!isObject(field))
      throw parsingError(`Expected [START_OBJECT] in [${name}] but found [${tokenKind(field)}]`)
    for (const [key, item] of Object.entries(field))
      if (key !== 'script' && key !== 'ignore_failure' && key !== 'lang')
        throw parsingError(`Unknown key for a ${tokenKind(item)} in [${key}].`)
    return {
      name,
      read: scriptReader(field['script']),
      ignoresFailure: field['ignore_failure'] === undefined ? false : bodyFlag(field['ignore_failure']),
    }
  })
}

interface BoundScript extends Pick<ScriptField, 'name' | 'ignoresFailure'> {
  readonly script: Script
  readonly open: (leaf: LeafReader) => RunForDocument
}

/** Bound to an index. */
export class ScriptFields {
  readonly #scripts: readonly BoundScript[]
  readonly #opened = new WeakMap<LeafReader, readonly RunForDocument[]>()

  constructor(fields: readonly ScriptField[], { queries }: SearchIndex) {
    this.#scripts = fields.map(({ name, read, ignoresFailure }) => {
      const compiled = documentScript(read(queries.scripts), queries)
      return { name, ignoresFailure, script: compiled.script, open: compiled.open }
    })
  }

  add(leaf: LeafReader, doc: number, add: AddValues): void {
    let runs = this.#opened.get(leaf)
    if (runs === undefined) {
      runs = this.#scripts.map(({ open }) => open(leaf))
      this.#opened.set(leaf, runs)
    }
    for (const [place, { name, script, ignoresFailure }] of this.#scripts.entries()) {
      try {
        const value = runs[place]!(doc)
        add(
          name,
          guarded(script, () => listed(value).map((item) => toJson(item))),
        )
      } catch (error) {
        if (!ignoresFailure || !(error instanceof SearchError)) throw error
      }
    }
  }
}

/** Lists are the values, everything else is one. */
function listed(value: ScriptValue): readonly ScriptValue[] {
  if (Array.isArray(value)) return value
  if (value instanceof Set) return [...value]
  return (value instanceof ScriptObject ? value.items() : undefined) ?? [value]
}
