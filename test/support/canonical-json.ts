/**
 * JSON texts compared as texts: members sorted by name, strings in one spelling, numbers as they were
 * written, so that `1.0` and `1` stay different and the order of members does not count.
 */

/** The text with sorted members; those named in `without` are left out at the top level. */
export function canonicalJson(text: string, without: readonly string[] = []): string {
  const reader = new Reader(text)
  return reader.value(new Set(without))
}

class Reader {
  #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(without?: ReadonlySet<string>): string {
    const first = this.#next()
    if (first === '{') return this.#object(without)
    if (first === '[') return this.#list()
    const token = /("(?:[^"\\]|\\.)*")|[^\s,\]}]+/y
    token.lastIndex = this.#at
    const found = token.exec(this.#text)
    if (found === null) throw new Error(`not JSON at ${this.#at}: ${this.#text}`)
    this.#at = token.lastIndex
    return found[1] === undefined ? found[0] : JSON.stringify(JSON.parse(found[1]))
  }

  #next(): string {
    while (/\s/.test(this.#text[this.#at]!)) this.#at++
    return this.#text[this.#at]!
  }

  #object(without?: ReadonlySet<string>): string {
    const members: [string, string][] = []
    this.#at++
    while (this.#next() !== '}') {
      if (this.#text[this.#at] === ',') {
        this.#at++
        continue
      }
      const name = this.value()
      this.#next()
      this.#at++
      const value = this.value()
      if (without?.has(JSON.parse(name) as string) !== true) members.push([name, value])
    }
    this.#at++
    members.sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${members.map(([name, value]) => `${name}:${value}`).join(',')}}`
  }

  #list(): string {
    const items: string[] = []
    this.#at++
    while (this.#next() !== ']') {
      if (this.#text[this.#at] === ',') this.#at++
      else items.push(this.value())
    }
    this.#at++
    return `[${items.join(',')}]`
  }
}
