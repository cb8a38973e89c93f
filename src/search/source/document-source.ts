/** The source of one document, parsed once per hit and read by path. */
import { utf8Text } from '../../text/utf8-text.ts'
import { numbersArePlain, parseExactJson } from '../request/json-literals.ts'
import { isObject, type JsonObject } from '../request/request-values.ts'
import type { Segment } from '../segment/segment.ts'

export class DocumentSource {
  readonly #segment: Segment
  readonly #doc: number
  #bytes: Uint8Array | undefined
  #parsed: JsonObject | undefined

  constructor(segment: Segment, doc: number) {
    this.#segment = segment
    this.#doc = doc
  }

  get bytes(): Uint8Array {
    this.#bytes ??= this.#segment.source(this.#doc)
    return this.#bytes
  }

  get isKept(): boolean {
    return this.bytes.length > 0
  }

  get object(): JsonObject {
    if (this.#parsed === undefined) {
      const { bytes } = this
      let parsed: unknown = {}
      if (bytes.length > 0) {
        parsed = numbersArePlain(bytes) ? JSON.parse(utf8Text(bytes)) : parseExactJson(bytes)
      }
      this.#parsed = isObject(parsed) ? parsed : {}
    }
    return this.#parsed
  }
}

/** The paths of all leaf values. */
export function leafPaths(object: JsonObject, prefix = '', paths: Set<string> = new Set()): Set<string> {
  for (const [name, value] of Object.entries(object)) {
    const path = prefix === '' ? name : `${prefix}.${name}`
    const items = Array.isArray(value) ? value.flat(20) : [value]
    for (const item of items) {
      if (isObject(item)) leafPaths(item, path, paths)
      else paths.add(path)
    }
  }
  return paths
}
