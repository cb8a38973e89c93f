/**
 * Renders a template with parameters. Values are escaped as the inside of JSON strings unless they are raw.
 */

import { writeJson } from '../answer/json-text.ts'
import { illegalArgument, parseError } from '../request/errors.ts'
import { javaText } from '../request/java-text.ts'
import { JsonNumber } from '../request/json-literals.ts'
import { isObject, own } from '../request/json-object.ts'
import type { Steps } from '../scheduling/steps.ts'
import type { TemplateLeaf, TemplateNode } from './template.ts'

/** Escapes a value for a content type. */
type Encode = (text: string) => string

const encodings = new Map<string, Encode>([
  ['application/json', (text) => JSON.stringify(text).slice(1, -1)],
  ['text/plain', (text) => text],
  ['application/x-www-form-urlencoded', urlEncoded],
])

/** The escaping for `application/json; charset=UTF-8` and others; JSON when absent. */
export function encodingOf(contentType: string | undefined): Encode {
  const [type = ''] = (contentType ?? 'application/json').split(';')
  const encode = encodings.get(type.trim().toLowerCase())
  if (encode === undefined) throw illegalArgument(`No encoder found for MIME type [${contentType}]`)
  return encode
}

/**
 * Form encoding: all bytes except letters, digits and `.-*_` are percent-encoded, and spaces become plus
 * signs.
 */
function urlEncoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString())
    .replace(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}

const maxCharacters = 16 * 1024 * 1024
const nodesPerStep = 1000
/** Sections inside of sections multiply, also those that write nothing. */
const maxNodes = 4_000_000
/** Short texts are joined before they become many: each takes more than its characters. */
const maxParts = 4096

export function* renderSteps(
  nodes: readonly TemplateNode[],
  parameters: unknown,
  encode: Encode,
): Steps<string> {
  const rendering = new Rendering(encode)
  yield* rendering.of(nodes, [parameters])
  return rendering.text
}

class Rendering {
  readonly #encode: Encode
  /** Before `#parts`. */
  #joined: string[] = []
  #parts: string[] = []
  #length = 0
  #nodes = 0

  constructor(encode: Encode) {
    this.#encode = encode
  }

  get text(): string {
    return this.#joined.join('') + this.#parts.join('')
  }

  *of(nodes: readonly TemplateNode[], scopes: readonly unknown[]): Steps<void> {
    for (const node of nodes) {
      if (this.#isStep()) yield
      if (!('inner' in node)) this.#write(this.#textOf(node, scopes))
      else if (node.kind === 'url') yield* this.#url(node.inner, scopes)
      else if (node.kind === 'section') yield* this.#section(node.inner, found(node.path, scopes), scopes)
      else if (isFalse(found(node.path, scopes))) yield* this.of(node.inner, scopes)
    }
  }

  *#section(inner: readonly TemplateNode[], value: unknown, scopes: readonly unknown[]): Steps<void> {
    if (isFalse(value)) return
    for (const item of Array.isArray(value) ? value : [value]) {
      // Empty items count too, as a list may be very long.
      if (this.#isStep()) yield
      yield* this.of(inner, [...scopes, item])
    }
  }

  *#url(inner: readonly TemplateNode[], scopes: readonly unknown[]): Steps<void> {
    const [joined, parts] = [this.#joined, this.#parts]
    this.#joined = []
    this.#parts = []
    yield* this.of(inner, scopes)
    const text = urlEncoded(this.text)
    this.#joined = joined
    this.#parts = parts
    this.#write(text)
  }

  #textOf(node: TemplateLeaf, scopes: readonly unknown[]): string {
    if (node.kind === 'text') return node.text
    const value = found(node.path, scopes)
    if (value === undefined || value === null) return ''
    if (node.kind === 'toJson') return isScalar(value) ? textOf(value) : writeJson(value)
    if (node.kind === 'join')
      return Array.isArray(value) ? value.map(textOf).join(node.delimiter) : textOf(value)
    return node.isRaw ? textOf(value) : this.#encode(textOf(value))
  }

  #write(text: string): void {
    this.#length += text.length
    if (this.#length > maxCharacters) throw parseError('Mustache script result size limit exceeded')
    // Makes V8 put a text together that is a tree of its pieces, as JSON is: the tree takes many times its characters.
    text.charCodeAt(0)
    this.#parts.push(text)
    if (this.#parts.length < maxParts) return
    this.#joined.push(this.#parts.join(''))
    this.#parts = []
  }

  #isStep(): boolean {
    if (++this.#nodes > maxNodes) throw parseError('Mustache script result size limit exceeded')
    return this.#nodes % nodesPerStep === 0
  }
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value instanceof JsonNumber
}

/** Prints lists as Java prints maps with integer keys, as Elasticsearch does. */
function textOf(value: unknown): string {
  if (!Array.isArray(value)) return javaText(value)
  return `{${value.map((item, index) => `${index}=${textOf(item)}`).join(', ')}}`
}

/** True for values that skip a section. */
function isFalse(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return true
  return Array.isArray(value) && value.length === 0
}

/**
 * Looks a name up from the innermost scope outwards; further parts of a dotted path are looked up in the
 * value found.
 */
function found(path: string, scopes: readonly unknown[]): unknown {
  if (path === '.') return scopes.at(-1)
  const [first = '', ...rest] = path.split('.')
  let value: unknown
  for (let at = scopes.length - 1; value === undefined && at >= 0; at--) value = memberOf(scopes[at], first)
  for (const name of rest) value = memberOf(value, name)
  return value
}

function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value))
    return name === 'size' ? value.length : value[/^\d+$/.test(name) ? Number(name) : -1]
  return isObject(value) ? own(value, name) : undefined
}
