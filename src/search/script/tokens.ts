/** The lexer of scripts. */
import { compileError, type ScriptText } from './script-error.ts'

export interface Token {
  readonly kind: 'number' | 'text' | 'word' | 'sign' | 'end'
  /** For strings, the text between the quotes. */
  readonly text: string
  readonly at: number
}

const space = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y
const number = /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?[lLdDfF]?/y
const word = /[A-Za-z_$][\w$]*/y
const text = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"/y
const sign =
  /===|!==|==|!=|<<|>>|<=|>=|&&|\|\||\?\.|\?:|\+\+|--|->|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|[-+*/%<>=!?:.,;(){}[\]&|^~]/y

export function tokensOf(script: ScriptText): readonly Token[] {
  const { source } = script
  const tokens: Token[] = []
  let at = 0
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(source)
  }
  for (;;) {
    at += match(space)?.[0].length ?? 0
    if (at >= source.length) break
    const start = at
    const push = (kind: Token['kind'], found: RegExpExecArray, value = found[0]) => {
      tokens.push({ kind, text: value, at: start })
      at += found[0].length
    }
    let found: RegExpExecArray | null
    if ((found = match(number)) !== null) push('number', found)
    else if ((found = match(word)) !== null) push('word', found)
    else if ((found = match(text)) !== null) {
      push('text', found, (found[1] ?? found[2] ?? '').replaceAll(/\\(.)/g, '$1'))
    } else if ((found = match(sign)) !== null) push('sign', found)
    else {
      const rest = source.slice(at)
      const character = /^['"]/.test(rest) ? rest : source[at]
      throw compileError(script, at, `unexpected character [${character}].`, 'lexer_no_viable_alt_exception')
    }
  }
  tokens.push({ kind: 'end', text: '', at: source.length })
  return tokens
}
