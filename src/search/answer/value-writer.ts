/**
 * Serialises a value in pieces, because a response may have many megabytes and other work must go on meanwhile. The
 * writer walks the value; a notation (JSON, YAML, …) says how each node is spelled.
 */

import type { Steps } from '../scheduling/steps.ts'
import type { AnswerBytes } from './answer-memory.ts'

/** An object or array that is being written. */
interface Place {
  /** Names of an object's members; undefined for an array. */
  readonly names: readonly string[] | undefined
  readonly values: readonly unknown[]
  /** The container around it. */
  readonly outer: Place | undefined
  /** The indentation of its members, where each has its own line. */
  readonly indent: number
  /** The index of the next member. */
  at: number
}

export interface Notation {
  /** Written before and after everything. */
  readonly head: string
  readonly tail: string
  /** Returns a large value that is written already, as UTF-8. */
  written?(value: unknown): Uint8Array | undefined
  /** Returns undefined for a container; `inside` then returns it. */
  scalar(value: unknown): string | undefined
  /** Returns the object, Map or array that a value stands for. */
  inside(value: object): object
  empty(isList: boolean): string
  indent(outer: Place | undefined, isList: boolean): number
  begin(place: Place): string
  /** Returns everything between the member before and the value of the next one, including its name. */
  member(place: Place): string
  end(place: Place): string
}

/** A piece ends after this many values, or this many characters. */
const pieceValues = 2048
const pieceText = 1 << 16

class ValueWriter {
  readonly #notation: Notation
  readonly #takesBytes: boolean
  #inner: Place | undefined
  #text: string
  #written: Uint8Array | undefined

  /** With `takesBytes`, values that are written already are handed out by `written` after each piece. */
  constructor(value: unknown, notation: Notation, takesBytes = false) {
    this.#notation = notation
    this.#takesBytes = takesBytes
    this.#text = notation.head
    this.#begin(value)
    if (this.isDone) this.#text += notation.tail
  }

  get isDone(): boolean {
    return this.#inner === undefined
  }

  /** Returns the next piece. */
  next(): string {
    for (let left = pieceValues; left > 0 && this.#text.length < pieceText; left--) {
      if (this.#inner === undefined || this.#written !== undefined) break
      this.#step(this.#inner)
    }
    const text = this.#text
    this.#text = ''
    return text
  }

  /** Returns what comes right after the piece. */
  written(): Uint8Array | undefined {
    const bytes = this.#written
    this.#written = undefined
    return bytes
  }

  /** Writes the next member of a container, or its end. */
  #step(place: Place): void {
    const { values, at, outer } = place
    if (at < values.length) {
      this.#text += this.#notation.member(place)
      place.at = at + 1
      this.#begin(values[at])
      return
    }
    this.#text += this.#notation.end(place)
    this.#inner = outer
    if (outer === undefined) this.#text += this.#notation.tail
  }

  #begin(value: unknown): void {
    const notation = this.#notation
    if (this.#takesBytes && this.#inner !== undefined) {
      this.#written = notation.written?.(value)
      if (this.#written !== undefined) return
    }
    const scalar = notation.scalar(value)
    if (scalar !== undefined) {
      this.#text += scalar
      return
    }
    const { names, values } = membersOf(notation.inside(value as object))
    const isList = names === undefined
    if (values.length === 0) {
      this.#text += notation.empty(isList)
      return
    }
    const outer = this.#inner
    const place = { names, values, outer, indent: notation.indent(outer, isList), at: 0 }
    this.#inner = place
    this.#text += notation.begin(place)
  }
}

/** Members that are undefined are left out. */
function membersOf(value: object): Pick<Place, 'names' | 'values'> {
  if (Array.isArray(value)) return { names: undefined, values: value }
  const isMap = value instanceof Map
  const names: string[] = isMap ? [...value.keys()] : Object.keys(value)
  const values: unknown[] = isMap
    ? [...value.values()]
    : names.map((name) => (value as Readonly<Record<string, unknown>>)[name])
  if (!values.includes(undefined)) return { names, values }
  return {
    names: names.filter((_, i) => values[i] !== undefined),
    values: values.filter((member) => member !== undefined),
  }
}

/** Writes everything at once. */
export function writtenText(value: unknown, notation: Notation): string {
  const writer = new ValueWriter(value, notation)
  let text = writer.next()
  while (!writer.isDone) text += writer.next()
  return text
}

/** Yields after each piece and returns UTF-8. */
export function* writtenBytes(value: unknown, notation: Notation, answer: AnswerBytes): Steps<Uint8Array[]> {
  const writer = new ValueWriter(value, notation, true)
  const pieces: Uint8Array[] = []
  const add = (piece: Uint8Array) => {
    answer.add(piece.length)
    pieces.push(piece)
  }
  for (;;) {
    add(Buffer.from(writer.next()))
    const written = writer.written()
    if (written !== undefined) add(written)
    if (writer.isDone) return pieces
    yield
  }
}
