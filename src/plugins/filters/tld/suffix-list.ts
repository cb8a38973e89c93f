/**
 * The rules of the public suffix list: which endings of host names belong to registries, so that names below
 * them can be registered. `*.ck` covers one more label, `!www.ck` is an exception from that.
 */

interface DomainParts {
  /** The public suffix: `co.uk`. */
  readonly tld: string
  /** The label that was registered: `example`. */
  readonly sld: string
  /** What stands before it: `www`. */
  readonly trd: string | undefined
}

export class SuffixList {
  readonly #rules = new Set<string>()
  readonly #exceptions = new Set<string>()

  constructor(text: string) {
    for (const line of text.split('\n')) {
      const [rule = ''] = line.trim().split(/\s/)
      if (rule === '' || rule.startsWith('//')) continue
      if (rule.startsWith('!')) this.#exceptions.add(rule.slice(1).toLowerCase())
      else this.#rules.add(rule.toLowerCase())
    }
  }

  get isEmpty(): boolean {
    return this.#rules.size === 0
  }

  /** Undefined when the name is a suffix itself, or ends in none. */
  parse(name: string): DomainParts | undefined {
    const labels = name.toLowerCase().split('.')
    if (labels.length > 128 || labels.some((label) => label === '' || label.length > 63)) return undefined
    const count = this.#suffixLength(labels)
    if (count === 0 || count >= labels.length) return undefined
    const before = labels.slice(0, labels.length - count - 1)
    return {
      tld: labels.slice(labels.length - count).join('.'),
      sld: labels[labels.length - count - 1]!,
      trd: before.length === 0 ? undefined : before.join('.'),
    }
  }

  /** Labels of the longest rule; without any list the last label is taken for the suffix. */
  #suffixLength(labels: readonly string[]): number {
    if (this.isEmpty) return 1
    for (let from = 0; from < labels.length; from++) {
      const ending = labels.slice(from).join('.')
      if (this.#exceptions.has(ending)) return labels.length - from - 1
      if (this.#rules.has(ending)) return labels.length - from
      const wildcard = `*.${labels.slice(from + 1).join('.')}`
      if (from + 1 < labels.length && this.#rules.has(wildcard)) return labels.length - from
    }
    return 0
  }
}
