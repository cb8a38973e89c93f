/**
 * The JSON text of an event nobody has changed yet, made from what it arrived as instead of from its
 * fields. Nothing is done until an output asks; a filter that changes the event makes it void.
 */
import type { Event } from './event.ts'
import { type Fields, isFields, type Value } from './value.ts'

export interface RawText {
  /** The text, or undefined when it cannot be kept after all. */
  render(event: Event): string | undefined
  /** Returns a text with more members, given as text (`,"host":"a","port":1`) and how many names that has at any depth. */
  extended(members: string, names: number): RawText
}

/** Text of events that are one line of text: shared by all lines that arrived together. */
export class LineText implements RawText {
  #head: string
  /** Between message and its copy in `event.original`; undefined without the copy. */
  #middle: string | undefined
  #tail: string
  #extendedBy = ''
  #extended: LineText | undefined

  constructor(head: string, middle: string | undefined, tail: string) {
    this.#head = head
    this.#middle = middle
    this.#tail = tail
  }

  render(event: Event): string {
    const message = JSON.stringify(event.data['message'])
    if (this.#middle === undefined) return this.#head + message + this.#tail
    return this.#head + message + this.#middle + message + this.#tail
  }

  extended(members: string): LineText {
    if (this.#extended === undefined || this.#extendedBy !== members) {
      const end = this.#tail.length - 1
      this.#extended = new LineText(this.#head, this.#middle, `${this.#tail.slice(0, end)}${members}}`)
      this.#extendedBy = members
    }
    return this.#extended
  }
}

/** The text of a JSON object and the members added to it since. */
export class ObjectText implements RawText {
  #text: string
  #members: string
  #names: number

  constructor(text: string, members: string, names: number) {
    this.#text = text
    this.#members = members
    this.#names = names
  }

  render(event: Event): string | undefined {
    const text = this.#text
    const own = countNames(event.data) - this.#names
    if (!hasUniqueNames(text, own)) return undefined
    if (own === 0) return `{${this.#members.slice(1)}}`
    return `${text.slice(0, text.lastIndexOf('}'))}${this.#members}}`
  }

  extended(members: string, names: number): ObjectText {
    return new ObjectText(this.#text, this.#members + members, this.#names + names)
  }
}

/** How many members the maps inside a value have, at any depth. */
export function countNames(value: Value): number {
  let count = 0
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item = value[i]
      if (typeof item === 'object' && item !== null) count += countNames(item)
    }
    return count
  }
  if (!isParsedMap(value)) return 0
  for (const name in value) {
    count++
    const item = value[name]
    if (typeof item === 'object' && item !== null) count += countNames(item)
  }
  return count
}

function isParsedMap(value: Value): value is Fields {
  return (value as object).constructor === Object || isFields(value)
}

/**
 * Whether a text of JSON has no repeated names and no line feed: repeated names are legal to read, the last
 * one counts, but many readers refuse them. Every member needs a colon after a quote or a blank; if there
 * are as many quotes before colons as members, and no blanks, no member was written twice. Text that quotes
 * JSON in its strings may be refused too, which costs time only.
 */
function hasUniqueNames(text: string, names: number): boolean {
  let count = 0
  for (let at = text.indexOf(':'); at > 0; at = text.indexOf(':', at + 1)) {
    const before = text.charCodeAt(at - 1)
    if (before === 34) count++
    else if (before <= 32) return false
  }
  return count === names && !text.includes('\n')
}
