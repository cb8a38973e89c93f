/** `params._source` of scripts: the source of the current document, parsed lazily. */

import type { Segment } from '../../segment/segment.ts'
import { DocumentSource } from '../../source/document-source.ts'
import { rootOf } from '../../source/nested-identity.ts'
import { fromJson } from '../json-values.ts'
import { callMethod } from '../methods.ts'
import { ScriptObject, type ScriptValue } from '../values.ts'
import type { Current } from './doc-fields.ts'

export class SourceFields extends ScriptObject {
  readonly javaName = 'org.opensearch.search.lookup.SourceLookup'
  readonly #segment: Segment
  readonly #current: Current
  #doc = -1
  #source: ScriptValue = new Map()

  constructor(segment: Segment, current: Current) {
    super()
    this.#segment = segment
    this.#current = current
  }

  #map(): Map<ScriptValue, ScriptValue> {
    const { doc } = this.#current
    if (doc !== this.#doc) {
      this.#source = fromJson(new DocumentSource(this.#segment, rootOf(this.#segment, doc)).object)
      this.#doc = doc
    }
    return this.#source as Map<ScriptValue, ScriptValue>
  }

  override member(name: string): ScriptValue {
    return this.#map().get(name) ?? null
  }

  override at(key: ScriptValue): ScriptValue {
    return this.#map().get(key) ?? null
  }

  override call(name: string, values: readonly ScriptValue[]): ScriptValue {
    return callMethod(this.#map(), name, values)
  }

  override json(): unknown {
    return new DocumentSource(this.#segment, rootOf(this.#segment, this.#current.doc)).object
  }
}
