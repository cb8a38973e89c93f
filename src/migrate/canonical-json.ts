/**
 * One text for all ways to write the same JSON value: without blanks, members by name, strings with the escapes of
 * `JSON.stringify`. Numbers stay as they are written, so that no digit gets lost between two stores.
 */
import { BadJson, skipSpace, skipString, skipValue } from './json-scan.ts'

/** Deeper values are compared as they are written. */
const maxDepth = 1000

export function canonicalJson(text: string): string {
  return new Canonical(text).whole()
}

class Canonical {
  readonly #text: string
  #place = 0

  constructor(text: string) {
    this.#text = text
  }

  whole(): string {
    this.#place = skipSpace(this.#text, 0)
    return this.#value(0)
  }

  #value(depth: number): string {
    const text = this.#text
    const start = this.#place
    const first = text[start]
    if (first === '"') return this.#string()
    if (depth < maxDepth) {
      if (first === '{') return this.#object(depth)
      if (first === '[') return this.#array(depth)
    }
    this.#place = skipValue(text, start)
    if (this.#place === start) throw new BadJson()
    return text.slice(start, this.#place)
  }

  #string(): string {
    const start = this.#place
    this.#place = skipString(this.#text, start)
    const written = this.#text.slice(start, this.#place)
    return written.includes('\\') ? JSON.stringify(JSON.parse(written)) : written
  }

  #object(depth: number): string {
    const members: { name: string; text: string }[] = []
    let isSorted = true
    this.#next()
    while (this.#text[this.#place] !== '}') {
      if (this.#text[this.#place] !== '"') throw new BadJson()
      const name = this.#string()
      this.#place = skipSpace(this.#text, this.#place)
      if (this.#text[this.#place] !== ':') throw new BadJson()
      this.#next()
      const last = members.at(-1)
      if (last !== undefined && last.name > name) isSorted = false
      members.push({ name, text: `${name}:${this.#value(depth + 1)}` })
      this.#afterItem()
    }
    this.#place += 1
    if (!isSorted) members.sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
    return `{${members.map(({ text }) => text).join(',')}}`
  }

  #array(depth: number): string {
    const items: string[] = []
    this.#next()
    while (this.#text[this.#place] !== ']') {
      items.push(this.#value(depth + 1))
      this.#afterItem()
    }
    this.#place += 1
    return `[${items.join(',')}]`
  }

  #next(): void {
    this.#place = skipSpace(this.#text, this.#place + 1)
  }

  #afterItem(): void {
    this.#place = skipSpace(this.#text, this.#place)
    const sign = this.#text[this.#place]
    if (sign === ',') this.#next()
    else if (sign !== '}' && sign !== ']') throw new BadJson()
  }
}
