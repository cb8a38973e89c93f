/**
 * The interface of automata over a sorted term dictionary. All matching terms begin with `prefix`, so the
 * caller seeks to that range and calls `test` for each term in it.
 */
export interface TermMatcher {
  readonly prefix: string
  /** True when `prefix` is the only possible match. */
  readonly exact: boolean
  /** True when every term with the prefix matches. */
  readonly whole: boolean
  test(term: string): boolean
}

export function exactTerm(term: string): TermMatcher {
  return { prefix: term, exact: true, whole: false, test: (other) => other === term }
}

export function anyWithPrefix(prefix: string): TermMatcher {
  return { prefix, exact: false, whole: true, test: (term) => term.startsWith(prefix) }
}

/** Case is ignored for ASCII letters only, as in Lucene. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** The terms that begin with `prefix`. */
export function prefixMatcher(prefix: string, caseInsensitive = false): TermMatcher {
  if (!caseInsensitive || !/[a-z]/i.test(prefix)) return anyWithPrefix(prefix)
  const lower = lowerAscii(prefix)
  return {
    prefix: /^[^a-z]*/i.exec(prefix)![0],
    exact: false,
    whole: false,
    test: (term) => lowerAscii(term.slice(0, prefix.length)) === lower,
  }
}
