/**
 * XPath expressions cut into tokens.
 */

export interface Token {
  readonly kind: 'name' | 'number' | 'text' | 'symbol' | 'end'
  readonly text: string
}

export class XPathError extends Error {
  constructor(expression: string, problem = 'Invalid expression') {
    super(`${problem}: ${expression}`)
    this.name = 'Nokogiri::XML::XPath::SyntaxError'
  }
}

const token =
  /\s*(?:([A-Za-z_\u0080-\uffff][\w.\u0080-\uffff-]*(?::(?!:)(?:\*|[A-Za-z_\u0080-\uffff][\w.\u0080-\uffff-]*))?)|(\d+(?:\.\d*)?|\.\d+)|"([^"]*)"|'([^']*)'|(\/\/|::|\.\.|!=|<=|>=|[/@.*[\]()|=<>+,-]))/y

export function scanXPath(expression: string): Token[] {
  const tokens: Token[] = []
  token.lastIndex = 0
  let at = 0
  const end = expression.trimEnd().length
  while (at < end) {
    token.lastIndex = at
    const found = token.exec(expression)
    if (found === null) throw new XPathError(expression)
    at = token.lastIndex
    const [, name, number, double, single, symbol] = found
    if (name !== undefined) tokens.push({ kind: 'name', text: name })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol })
    else tokens.push({ kind: 'text', text: double ?? single ?? '' })
  }
  tokens.push({ kind: 'end', text: '' })
  return tokens
}
