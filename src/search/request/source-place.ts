/**
 * Finds the position of a node in the text of a request, for errors: it walks the parsed body to the node and
 * then the text along the same path. Nothing is recorded unless an error occurs.
 */
export interface Place {
  readonly line: number
  readonly col: number
}

type Step = string | number

/** `text` is the body as it was sent; without it, positions refer to the printed body. */
export class SourcePlaces {
  readonly #root: unknown
  readonly #text: string | (() => string) | undefined

  constructor(root: unknown, text?: string | (() => string)) {
    this.#root = root
    this.#text = text
  }

  /** The position of an object or array of the body, or of the value under one of its keys. */
  of(node: unknown, key?: Step): Place {
    const path = pathTo(this.#root, node)
    if (path === undefined) return { line: 1, col: 1 }
    if (key !== undefined) path.push(key)
    const text = this.#body()
    return placeAt(text, offsetOf(text, path))
  }

  /** The position of a name in an object of the body. */
  ofName(node: unknown, name: string): Place {
    const path = pathTo(this.#root, node)
    if (path === undefined) return { line: 1, col: 1 }
    const text = this.#body()
    const value = offsetOf(text, [...path, name])
    const start = text.lastIndexOf(JSON.stringify(name), value - 1)
    return placeAt(text, start === -1 ? value : start)
  }

  /** The number of bytes up to the end of a token: of a scalar its last byte, of an object or array its bracket. */
  bytesThrough(node: unknown, key: Step): number {
    const path = pathTo(this.#root, node)
    if (path === undefined) return 0
    const text = this.#body()
    const at = offsetOf(text, [...path, key])
    const end = text[at] === '{' || text[at] === '[' ? at + 1 : valueEnd(text, at)
    return Buffer.byteLength(text.slice(0, end))
  }

  /** A scalar as it is spelled in the text. */
  spelling(node: unknown, key: Step): string {
    const path = pathTo(this.#root, node)
    if (path === undefined) return ''
    const text = this.#body()
    const at = offsetOf(text, [...path, key])
    return text.slice(at, valueEnd(text, at))
  }

  /** The position of what follows a value: the next element or name, or the closing bracket. */
  after(node: unknown, key: Step): Place {
    const path = pathTo(this.#root, node)
    if (path === undefined) return { line: 1, col: 1 }
    const text = this.#body()
    return placeAt(text, skipSpace(text, valueEnd(text, offsetOf(text, [...path, key]))))
  }

  #body(): string {
    const given = typeof this.#text === 'function' ? this.#text() : this.#text
    return given ?? JSON.stringify(this.#root) ?? ''
  }

  /** The position of the closing bracket of an object or array. */
  endOf(node: unknown): Place {
    const path = pathTo(this.#root, node)
    if (path === undefined) return { line: 1, col: 1 }
    const text = this.#body()
    return placeAt(text, valueEnd(text, offsetOf(text, path)) - 1)
  }
}

function pathTo(from: unknown, wanted: unknown): Step[] | undefined {
  if (from === wanted) return []
  if (typeof from !== 'object' || from === null) return undefined
  for (const [key, value] of Object.entries(from)) {
    if (typeof value !== 'object' || value === null) continue
    const rest = pathTo(value, wanted)
    if (rest !== undefined) return [Array.isArray(from) ? Number(key) : key, ...rest]
  }
  return undefined
}

/** Columns are counted in bytes of UTF-8, as Jackson does. */
function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset)
  const lines = before.split('\n')
  return { line: lines.length, col: Buffer.byteLength(lines.at(-1)!) + 1 }
}

function offsetOf(text: string, path: readonly Step[]): number {
  let at = skipSpace(text, 0)
  for (const step of path) {
    const next = typeof step === 'number' ? element(text, at, step) : member(text, at, step)
    if (next === undefined) return at
    at = next
  }
  return at
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\r\n,:'.includes(text[at]!)) at++
  return at
}

function stringEnd(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function valueEnd(text: string, from: number): number {
  const first = text[from]
  if (first === '"') return stringEnd(text, from)
  if (first !== '{' && first !== '[') {
    let at = from
    while (at < text.length && !',]} \t\r\n'.includes(text[at]!)) at++
    return at
  }
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const character = text[at]!
    if (character === '"') at = stringEnd(text, at) - 1
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return text.length
}

function element(text: string, from: number, index: number): number | undefined {
  if (text[from] !== '[') return undefined
  let at = skipSpace(text, from + 1)
  for (let i = 0; i < index; i++) at = skipSpace(text, valueEnd(text, at))
  return at
}

function member(text: string, from: number, name: string): number | undefined {
  if (text[from] !== '{') return undefined
  let found: number | undefined
  for (let at = skipSpace(text, from + 1); at < text.length && text[at] === '"'; ) {
    const end = stringEnd(text, at)
    const value = skipSpace(text, end)
    // The last duplicate key wins, as in the parsed body.
    if (text.slice(at, end) === JSON.stringify(name)) found = value
    at = skipSpace(text, valueEnd(text, value))
  }
  return found
}
