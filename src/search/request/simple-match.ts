/** Wildcard patterns with `*`, as in field patterns and dynamic templates. */
export function isPattern(text: string): boolean {
  return text.includes('*')
}

export function simpleMatch(pattern: string, text: string): boolean {
  let star = pattern.indexOf('*')
  if (star === -1) return pattern === text
  // Requests hold thousands of patterns for thousands of names: most fail here, without a text being made.
  for (let at = 0; at < star; at++) {
    if (pattern.charCodeAt(at) !== text.charCodeAt(at)) return false
  }
  const lastStar = pattern.lastIndexOf('*')
  const end = text.length - (pattern.length - lastStar - 1)
  if (end < star) return false
  for (let at = end; at < text.length; at++) {
    if (pattern.charCodeAt(lastStar + 1 + at - end) !== text.charCodeAt(at)) return false
  }
  let at = star
  while (star < lastStar) {
    const next = pattern.indexOf('*', star + 1)
    const part = pattern.slice(star + 1, next)
    const found = text.indexOf(part, at)
    if (found === -1 || found + part.length > end) return false
    at = found + part.length
    star = next
  }
  return true
}
