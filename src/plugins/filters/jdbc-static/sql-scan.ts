/** SQL text cut into tokens: words, quoted names, texts, numbers, parameters (`:name`, `?`) and signs. */
export interface Token {
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'parameter' | 'sign' | 'end'
  /** Words in upper case as well as they are written in `written`. */
  readonly value: string
  readonly written: string
  readonly at: number
}

export class SqlError extends Error {
  constructor(message: string, at: number) {
    super(`${message} at position ${at + 1}`)
    this.name = 'SqlError'
  }
}

const token =
  /\s+|--[^\n]*|\/\*[\s\S]*?\*\/|([A-Za-z_][\w$]*)|"((?:[^"]|"")*)"|'((?:[^']|'')*)'|(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+)|:([A-Za-z_]\w*)|(\?)|(<>|!=|<=|>=|\|\||[=<>(),.*+\-/;])/y

export function scanSql(text: string): Token[] {
  const tokens: Token[] = []
  token.lastIndex = 0
  let positions = 0
  while (token.lastIndex < text.length) {
    const at = token.lastIndex
    const found = token.exec(text)
    if (found === null) throw new SqlError(`Unexpected ${JSON.stringify(text[at])}`, at)
    const [written, word, name, literal, number, parameter, mark, sign] = found
    if (word !== undefined) tokens.push({ kind: 'word', value: word.toUpperCase(), written, at })
    else if (name !== undefined)
      tokens.push({ kind: 'name', value: name.replaceAll('""', '"'), written: name, at })
    else if (literal !== undefined)
      tokens.push({ kind: 'text', value: literal.replaceAll("''", "'"), written, at })
    else if (number !== undefined) tokens.push({ kind: 'number', value: number, written, at })
    else if (parameter !== undefined) tokens.push({ kind: 'parameter', value: parameter, written, at })
    else if (mark !== undefined) tokens.push({ kind: 'parameter', value: `p${positions++}`, written, at })
    else if (sign !== undefined) tokens.push({ kind: 'sign', value: sign, written, at })
  }
  tokens.push({ kind: 'end', value: '', written: 'the end', at: text.length })
  return tokens
}
