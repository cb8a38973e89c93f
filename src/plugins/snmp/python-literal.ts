/** Reads the literals of Python that `smidump -f python` writes: dictionaries, tuples, lists, texts, numbers. */
export type Literal = string | number | null | Literal[] | Map<string, Literal>

const maxDepth = 50

export function readLiteral(text: string, from = 0): Literal {
  return new Reader(text, from).value(0)
}

class Reader {
  readonly #text: string
  #at: number

  constructor(text: string, from: number) {
    this.#text = text
    this.#at = from
  }

  value(depth: number): Literal {
    if (depth > maxDepth) throw new Error(`nested deeper than ${maxDepth} levels`)
    this.#skip()
    const first = this.#text[this.#at]
    if (first === '{') return this.#dictionary(depth)
    if (first === '(' || first === '[') return this.#list(first === '(' ? ')' : ']', depth)
    if (first === '"' || first === "'") return this.#string(first)
    const word = /[\w.+-]+/y
    word.lastIndex = this.#at
    const found = word.exec(this.#text)?.[0]
    if (found === undefined) throw new Error(`unexpected ${JSON.stringify(first ?? 'end')} at ${this.#at}`)
    this.#at += found.length
    const number = Number(found)
    return Number.isNaN(number) ? null : number
  }

  /** White space, comments, and strings without a separator between them do not matter. */
  #skip(): void {
    const blank = /(?:[\s]|#[^\n]*)*/y
    blank.lastIndex = this.#at
    this.#at += blank.exec(this.#text)![0].length
  }

  #dictionary(depth: number): Map<string, Literal> {
    const map = new Map<string, Literal>()
    this.#at += 1
    for (;;) {
      this.#skip()
      if (this.#text[this.#at] === '}') break
      const key = this.value(depth + 1)
      this.#expect(':')
      map.set(String(key), this.value(depth + 1))
      this.#skip()
      if (this.#text[this.#at] === ',') this.#at += 1
      else if (this.#text[this.#at] !== '}') throw new Error(`a comma is missing at ${this.#at}`)
    }
    this.#at += 1
    return map
  }

  #list(end: string, depth: number): Literal[] {
    const list: Literal[] = []
    this.#at += 1
    for (;;) {
      this.#skip()
      if (this.#text[this.#at] === end) break
      list.push(this.value(depth + 1))
      this.#skip()
      if (this.#text[this.#at] === ',') this.#at += 1
      else if (this.#text[this.#at] !== end) throw new Error(`a comma is missing at ${this.#at}`)
    }
    this.#at += 1
    return list
  }

  #expect(sign: string): void {
    this.#skip()
    if (this.#text[this.#at] !== sign) throw new Error(`"${sign}" is missing at ${this.#at}`)
    this.#at += 1
  }

  #string(quote: string): string {
    const triple = quote.repeat(3)
    const isTriple = this.#text.startsWith(triple, this.#at)
    const mark = isTriple ? triple : quote
    const start = this.#at + mark.length
    let end = this.#text.indexOf(mark, start)
    while (!isTriple && end > start && this.#text[end - 1] === '\\') end = this.#text.indexOf(mark, end + 1)
    if (end < 0) throw new Error(`a text does not end, from ${this.#at}`)
    this.#at = end + mark.length
    return this.#text.slice(start, end)
  }
}
