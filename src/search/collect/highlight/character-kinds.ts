/** Goes through a text by characters and their kinds, as rules for breaks need it. Offsets are UTF-16 units. */

const maxAscii = 127

export class CharacterKinds<Kind extends string> {
  readonly #kinds: readonly (readonly [Kind, RegExp])[]
  readonly #rest: Kind
  /** Most texts are nearly all ASCII. */
  readonly #ascii: readonly Kind[]

  /** A character is of the first kind whose pattern it has, or of the kind `rest`. */
  constructor(kinds: readonly (readonly [Kind, RegExp])[], rest: Kind) {
    this.#kinds = kinds
    this.#rest = rest
    this.#ascii = Array.from({ length: maxAscii + 1 }, (_, code) => this.#kindOf(code))
  }

  #kindOf(code: number): Kind {
    const character = String.fromCodePoint(code)
    return this.#kinds.find(([, pattern]) => pattern.test(character))?.[0] ?? this.#rest
  }

  /** Undefined at the end of the text. */
  at(text: string, offset: number): Kind | undefined {
    const code = text.codePointAt(offset)
    if (code === undefined) return undefined
    return code <= maxAscii ? this.#ascii[code] : this.#kindOf(code)
  }

  /** The offset behind a character and the marks and formats that belong to it. */
  next(text: string, offset: number): number {
    let end = offset + widthAt(text, offset)
    while (end < text.length && this.at(text, end) === 'ignored') end += widthAt(text, end)
    return end
  }

  /** The offset behind all characters of some kinds. */
  skip(text: string, offset: number, ...kinds: readonly Kind[]): number {
    let end = offset
    while (end < text.length && kinds.includes(this.at(text, end)!)) end = this.next(text, end)
    return end
  }
}

function widthAt(text: string, offset: number): number {
  return text.codePointAt(offset)! > 0xffff ? 2 : 1
}
