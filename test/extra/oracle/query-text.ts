/**
 * Lucene's text of a query without what differs from start to start: addresses of Java objects, and the order of
 * alternatives, sums and expanded terms, which Lucene keeps in hash sets. The parts inside each pair of brackets are sorted.
 */
const address = /(?<=\.[\w$]+)@[0-9a-f]{1,8}\b/g
const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

export function plainQueryText(text: string): string {
  const masked = text.replace(address, '@…')
  let at = 0
  return sorted('')

  /** Reads up to the bracket that closes this group, or to the end. */
  function sorted(end: string): string {
    const parts: string[] = []
    let part = ''
    for (; at < masked.length; at++) {
      const letter = masked[at]!
      if (letter === end) break
      const close = closing[letter]
      if (close !== undefined) {
        at++
        part += `${letter}${sorted(close)}${masked[at] ?? ''}`
      } else if (letter === ' ' || letter === ',') {
        parts.push(part)
        part = ''
      } else part += letter
    }
    parts.push(part)
    return parts.sort().join(' ')
  }
}
