/**
 * Finds `%{NAME:field:type=definition}` in a grok expression. A name is made of `[A-z0-9]`, which also
 * takes in the characters between `Z` and `a`; what stands between the parts known here and the closing
 * brace is ignored.
 */
export interface GrokReference {
  readonly start: number
  readonly end: number
  /** The reference as written, braces included. */
  readonly text: string
  readonly pattern: string
  /** `NAME` or `NAME:field…`: the name the group gets. */
  readonly name: string
  readonly definition: string | undefined
}

const head = /%\{([A-z0-9]+)(:[@[\]A-z0-9_:.-]+)?/g

/** The first reference at or after `from`. */
export function findReference(expression: string, from: number): GrokReference | undefined {
  head.lastIndex = from
  for (let match = head.exec(expression); match !== null; match = head.exec(expression)) {
    const after = head.lastIndex
    const definition = expression[after] === '=' ? definitionAt(expression, after + 1) : undefined
    const close = expression.indexOf('}', definition?.end ?? after)
    if (close !== -1) {
      return {
        start: match.index,
        end: close + 1,
        text: expression.slice(match.index, close + 1),
        pattern: match[1]!,
        name: match[1]! + (match[2] ?? ''),
        definition: definition?.text,
      }
    }
    head.lastIndex = match.index + 2
  }
  return undefined
}

/** An inline definition: up to the brace that closes the reference; braces inside it come in pairs. */
function definitionAt(expression: string, start: number): { text: string; end: number } | undefined {
  let depth = 0
  for (let at = start; at < expression.length; at++) {
    const character = expression[at]
    if (character === '\\') at += 1
    else if (character === '{') depth += 1
    else if (character === '}') {
      if (depth === 0) return at === start ? undefined : { text: expression.slice(start, at), end: at }
      depth -= 1
    }
  }
  return undefined
}
