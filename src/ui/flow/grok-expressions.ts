/** The expressions of a grok filter, in the order of its counters, from the option `match` as the configuration writes it. */
const texts = /("(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*')(\s*=>)?/g

export function expressionsIn(match: string): string[] {
  const found = [...match.matchAll(texts)]
  const isList = match.trimStart().startsWith('[')
  // A list names a field and its expression in turns; in a hash a field stands before an arrow.
  const values = found.filter(([, , arrow], index) => (isList ? index % 2 === 1 : arrow === undefined))
  return values.map(([, text = '']) => text.slice(1, -1))
}
