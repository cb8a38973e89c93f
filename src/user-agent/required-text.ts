/**
 * Texts that must occur in whatever an expression matches, found without compiling it: of a thousand
 * expressions about user agents nearly all are ruled out by a search or two. Careful rather than clever:
 * where the notation is not understood the answer is "nothing known".
 */

/** One of these must occur. */
export type AnyOf = readonly string[]

interface Finding {
  /** All of these must hold. */
  all: readonly AnyOf[]
  /** The part matches this text and nothing else. */
  only: string | undefined
}

const nothing: Finding = { all: [], only: undefined }
const maxAlternatives = 400
/** Beyond the most telling ones a search costs more than it tells. */
const maxRequirements = 4
/** Escapes that stand for themselves. */
const plainEscape = /[^A-Za-z0-9]/

/** What holds for every text that matches, the most telling first; empty when nothing is known. */
export function requiredTexts(source: string): readonly AnyOf[] {
  const reader = new Reader(source)
  try {
    const { all } = reader.alternatives(0)
    if (reader.at !== source.length) return []
    return all.toSorted((left, right) => weight(right) - weight(left)).slice(0, maxRequirements)
  } catch {
    return []
  }
}

class Reader {
  at = 0
  readonly #source: string

  constructor(source: string) {
    this.#source = source
  }

  alternatives(depth: number): Finding {
    if (depth > 50) throw new RangeError('too deep')
    const found = [this.#sequence(depth)]
    while (this.#source[this.at] === '|') {
      this.at += 1
      found.push(this.#sequence(depth))
    }
    if (found.length === 1) return found[0]!
    const any = found.flatMap((one) => mostTelling(one.all))
    const isKnown = found.every((one) => one.all.length > 0) && any.length <= maxAlternatives
    return { all: isKnown ? [any] : [], only: undefined }
  }

  #sequence(depth: number): Finding {
    const all: AnyOf[] = []
    let run = ''
    let isPlain = true
    const cut = () => {
      if (run !== '') all.push([run])
      run = ''
      isPlain = false
    }
    for (;;) {
      const character = this.#source[this.at]
      if (character === undefined || character === '|' || character === ')') break
      const item = this.#item(depth)
      const times = this.#quantifier()
      if (times === 'optional' || item.only === undefined) cut()
      if (times === 'optional') continue
      if (item.only === undefined) all.push(...item.all)
      else {
        run += item.only
        if (times === 'many') cut()
      }
    }
    if (run !== '') all.push([run])
    return { all, only: isPlain ? run : undefined }
  }

  #item(depth: number): Finding {
    const character = this.#source[this.at]!
    this.at += 1
    if (character === '(') return this.#group(depth)
    if (character === '[') return this.#set()
    if (character === '\\') {
      const escaped = this.#source[this.at++] ?? ''
      return plainEscape.test(escaped) ? { all: [[escaped]], only: escaped } : nothing
    }
    if (character === '.' || character === '^' || character === '$') return nothing
    return { all: [[character]], only: character }
  }

  #group(depth: number): Finding {
    let counts = true
    if (this.#source[this.at] === '?') {
      const kind = this.#source[this.at + 1]
      if (kind === ':') this.at += 2
      else if (kind === '!' || kind === '=') {
        counts = false
        this.at += 2
      } else throw new SyntaxError('a group of another kind')
    }
    const found = this.alternatives(depth + 1)
    if (this.#source[this.at] !== ')') throw new SyntaxError('unclosed group')
    this.at += 1
    return counts ? found : nothing
  }

  #set(): Finding {
    if (this.#source[this.at] === '^') this.at += 1
    if (this.#source[this.at] === ']') this.at += 1
    while (this.at < this.#source.length && this.#source[this.at] !== ']') {
      this.at += this.#source[this.at] === '\\' ? 2 : 1
    }
    this.at += 1
    return nothing
  }

  #quantifier(): 'once' | 'many' | 'optional' {
    const [found, lowest] =
      /^(?:[?*+]|\{(\d*)[^}]*\})[?+]?/.exec(this.#source.slice(this.at, this.at + 12)) ?? []
    if (found === undefined) return 'once'
    this.at += found.length
    if (found.startsWith('+')) return 'many'
    return found.startsWith('{') && Number(lowest) > 0 ? 'many' : 'optional'
  }
}

function mostTelling(all: readonly AnyOf[]): AnyOf {
  return all.reduce((best, any) => (weight(any) > weight(best) ? any : best), [])
}

function weight(any: AnyOf): number {
  return any.length === 0 ? 0 : Math.min(...any.map((text) => text.length))
}
