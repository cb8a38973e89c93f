/**
 * A value written as text, a piece at a time: an answer may be many megabytes long, and others wait meanwhile. The
 * writer goes through the value; a notation says how what it meets is spelled.
 */

import type { Steps } from '../scheduling/steps.ts'
import type { AnswerBytes } from './answer-memory.ts'

/** An object or a list that is being written. */
export interface Place {
  /** Of an object's members; a list has none. */
  readonly names: readonly string[] | undefined
  readonly values: readonly unknown[]
  /** What it stands in. */
  readonly outer: Place | undefined
  /** Blanks in front of its members, where every one has a line. */
  readonly indent: number
  /** The member that is written next. */
  at: number
}

export interface Notation {
  /** Before and after everything. */
  readonly head: string
  readonly tail: string
  /** Undefined: it is no scalar, and `inside` tells what it is. */
  scalar(value: unknown): string | undefined
  /** An object, a Map of members or a list, for what only stands for one. */
  inside(value: object): object
  empty(isList: boolean): string
  indent(outer: Place | undefined, isList: boolean): number
  begin(place: Place): string
  /** What stands between the member before and the value of the next one, its name included. */
  member(place: Place): string
  end(place: Place): string
}

/** A piece ends after so many values, or with so much text. */
const pieceValues = 2048
const pieceText = 1 << 16

export class ValueWriter {
  readonly #notation: Notation
  #inner: Place | undefined
  #text: string

  constructor(value: unknown, notation: Notation) {
    this.#notation = notation
    this.#text = notation.head
    this.#begin(value)
    if (this.isDone) this.#text += notation.tail
  }

  get isDone(): boolean {
    return this.#inner === undefined
  }

  /** The next piece. */
  next(): string {
    for (let left = pieceValues; left > 0 && this.#text.length < pieceText; left--) {
      if (this.#inner === undefined) break
      this.#step(this.#inner)
    }
    const text = this.#text
    this.#text = ''
    return text
  }

  /** Writes the next member of a place, or its end. */
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

/** All of it at once. */
export function writtenText(value: unknown, notation: Notation): string {
  const writer = new ValueWriter(value, notation)
  let text = writer.next()
  while (!writer.isDone) text += writer.next()
  return text
}

/** As UTF-8; a step for each piece. */
export function* writtenBytes(value: unknown, notation: Notation, answer: AnswerBytes): Steps<Uint8Array[]> {
  const writer = new ValueWriter(value, notation)
  const pieces: Uint8Array[] = []
  for (;;) {
    const piece = Buffer.from(writer.next())
    answer.add(piece.length)
    pieces.push(piece)
    if (writer.isDone) return pieces
    yield
  }
}
