/**
 * Which terms of a sorted dictionary a pattern selects. All of them begin with `prefix`, so the caller looks at
 * that part of the dictionary only and asks `test` for each term there.
 */
export interface TermMatcher {
  readonly prefix: string
  /** Set when `prefix` is the only term that can match. */
  readonly exact: boolean
  /** Set when every term that begins with `prefix` matches. */
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
