/** `script_fields` of a request: values that scripts compute for each hit. */

import { parsingError } from '../../request/errors.ts'
import { bodyFlag, isObject, tokenKind } from '../../request/request-values.ts'
import { SearchError } from '../../request/search-error.ts'
import { type DocumentScript, documentScript } from '../../script/documents/document-script.ts'
import { toJson } from '../../script/json-values.ts'
import { listed } from '../../script/methods.ts'
import { guarded, type ReadScript, scriptReader } from '../../script/script.ts'
import type { LeafReader } from '../../segment/segment.ts'
import type { SearchIndex } from '../search-index.ts'
import type { AddValues } from './fetch-fields.ts'

export interface ScriptField {
  readonly name: string
  readonly read: ReadScript
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
  readonly compiled: DocumentScript
}

/** The script fields bound to an index. */
export class ScriptFields {
  readonly #scripts: readonly BoundScript[]

  constructor(fields: readonly ScriptField[], { queries }: SearchIndex) {
    this.#scripts = fields.map(({ name, read, ignoresFailure }) => ({
      name,
      ignoresFailure,
      compiled: documentScript(read(queries.scripts), queries),
    }))
  }

  add(leaf: LeafReader, doc: number, add: AddValues): void {
    for (const { name, compiled, ignoresFailure } of this.#scripts) {
      try {
        const value = compiled.open(leaf)(doc)
        add(
          name,
          guarded(compiled.script, () => listed(value).map((item) => toJson(item))),
        )
      } catch (error) {
        if (!ignoresFailure || !(error instanceof SearchError)) throw error
      }
    }
  }
}
