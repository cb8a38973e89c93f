/**
 * Upper, lower and capital letters as Ruby makes them: Unicode, but without looking at neighbours, so
 * that a Greek sigma at the end of a word stays `σ`.
 */

export function upcase(text: string): string {
  return text.toUpperCase()
}

export function downcase(text: string): string {
  const lower = text.toLowerCase()
  return lower.includes('ς')
    ? text
        .split('Σ')
        .map((part) => part.toLowerCase())
        .join('σ')
    : lower
}

// Digraphs with a title form of their own: upper, title, lower.
const digraphs = 'ǄǅǆǇǈǉǊǋǌǱǲǳ'

export function capitalize(text: string): string {
  if (text === '') return text
  const first = String.fromCodePoint(text.codePointAt(0)!)
  return titlecase(first) + downcase(text.slice(first.length))
}

/** `ß` becomes `Ss`, not `SS`. */
function titlecase(character: string): string {
  const digraph = digraphs.indexOf(character)
  if (digraph >= 0) return digraphs[digraph - (digraph % 3) + 1]!
  const [first = '', ...rest] = character.toUpperCase()
  return first + rest.join('').toLowerCase()
}
