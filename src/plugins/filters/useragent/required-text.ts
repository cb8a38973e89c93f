/**
 * A text that must occur in whatever an expression matches, found without compiling it: of a thousand
 * expressions about user agents nearly all are ruled out by one search each. Careful rather than clever:
 * where the notation is not understood the answer is "nothing known".
 */

interface Finding {
  /** One of these must occur; empty when nothing is known. */
  any: readonly string[]
  /** The part matches this text and nothing else. */
  only: string | undefined
}

const nothing: Finding = { any: [], only: undefined }
const mostAlternatives = 24
/** Escapes that stand for themselves. */
const plainEscape = /[^A-Za-z0-9]/

/** One of these texts occurs in every match; empty when nothing is known. */
export function requiredTexts(source: string): readonly string[] {
  const reader = new Reader(source)
  try {
    const { any } = reader.alternatives(0)
    return reader.at === source.length ? any : []
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
    const any = found.flatMap((one) => one.any)
    const known = found.every((one) => one.any.length > 0) && any.length <= mostAlternatives
    return { any: known ? any : [], only: undefined }
  }

  #sequence(depth: number): Finding {
    let best: readonly string[] = []
    let run = ''
    let isPlain = true
    const offer = (any: readonly string[]) => {
      if (weight(any) > weight(best)) best = any
    }
    const cut = () => {
      if (run !== '') offer([run])
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
      if (item.only === undefined) offer(item.any)
      else {
        run += item.only
        if (times === 'many') cut()
      }
    }
    const whole = run
    if (run !== '') offer([run])
    return { any: best, only: isPlain ? whole : undefined }
  }

  #item(depth: number): Finding {
    const character = this.#source[this.at]!
    this.at += 1
    if (character === '(') return this.#group(depth)
    if (character === '[') return this.#set()
    if (character === '\\') {
      const escaped = this.#source[this.at++] ?? ''
      return plainEscape.test(escaped) ? { any: [escaped], only: escaped } : nothing
    }
    if (character === '.' || character === '^' || character === '$') return nothing
    return { any: [character], only: character }
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

function weight(any: readonly string[]): number {
  return any.length === 0 ? 0 : Math.min(...any.map((text) => text.length))
}
