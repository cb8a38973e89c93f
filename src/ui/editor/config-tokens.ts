/**
 * Colours of a configuration text, line by line: comments, strings, regular expressions, words with a meaning, names of
 * plugins and options. Knows no more than it needs to colour; what a text means, the node says.
 */
type TokenKind = 'comment' | 'string' | 'regexp' | 'section' | 'name' | 'option' | 'number' | 'field'

interface Token {
  readonly kind: TokenKind
  readonly from: number
  readonly to: number
}

const token =
  /(#.*)|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(?<==~\s*|!~\s*)(\/(?:[^/\\]|\\.)*\/)|\b(input|filter|output|if|else|and|or|not|in|nand|xor)\b(?!\s*=>)|([\w-]+)(?=\s*\{)|([\w-]+)(?=\s*=>)|(-?\b\d+(?:\.\d+)?\b)|(\[[^\]\s,"']+\](?:\[[^\]\s,"']+\])*)/g
const kinds: readonly TokenKind[] = [
  'comment',
  'string',
  'regexp',
  'section',
  'name',
  'option',
  'number',
  'field',
]
const maxLine = 5000

export function tokensOf(line: string): Token[] {
  if (line.length > maxLine) return []
  return [...line.matchAll(token)].map((match) => {
    const group = match.slice(1).findIndex((one) => one !== undefined)
    return { kind: kinds[group]!, from: match.index, to: match.index + match[0].length }
  })
}
