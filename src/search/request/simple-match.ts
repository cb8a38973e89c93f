/** Wildcard patterns with `*`, as in field patterns and dynamic templates. */
export function isPattern(text: string): boolean {
  return text.includes('*')
}

export function simpleMatch(pattern: string, text: string): boolean {
  if (!pattern.includes('*')) return pattern === text
  const parts = pattern.split('*')
  const first = parts[0]!
  const last = parts.at(-1)!
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last))
    return false
  const end = text.length - last.length
  let at = first.length
  for (let index = 1; index < parts.length - 1; index++) {
    const part = parts[index]!
    const found = text.indexOf(part, at)
    if (found === -1 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}
