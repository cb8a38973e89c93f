/**
 * Hints for mistakes behind `if`: operators of other languages, words without quotes or brackets,
 * and `not`, which does not exist on its own.
 */
import type { HintRule } from './surroundings.ts'

const OPERATOR = /^(==|!=|<=|>=|<|>|=~|!~|in\b|not in\b)/
const FOREIGN: Readonly<Record<string, string>> = {
  '&&': 'and',
  '&': 'and',
  '||': 'or',
  '|': 'or',
  '===': '==',
  '=': '==',
  '<>': '!=',
  '~': '=~',
}

export const conditionHint: HintRule = (around, failure) =>
  negationHint(around, failure) ?? operatorHint(around, failure) ?? operandHint(around, failure)

const negationHint: HintRule = ({ after, before }) => {
  if (/^not\s+in\b/.test(after)) return 'write "not in" with one blank between the words'
  if (/(\b(if|and|or|xor|nand)|\()\s*not\s*(\([^()]*)?$/.test(before)) {
    return 'there is no "not" on its own; write ![field] or !( … )'
  }
  if (/[^=]!\s*$/.test(before))
    return 'behind "!" stands a field in brackets, ![field], or parentheses, !( … )'
  const negated = /!\s*((\[[^\][,]+\])+)\s*$/.exec(before)?.[1]
  const operator = OPERATOR.exec(after)?.[1]
  return negated && operator && `"!" takes the field alone; write !(${negated} ${operator} … )`
}

const operatorHint: HintRule = ({ after, before }, { message }) => {
  const wanted = message.includes('"and"')
  const word = /^[A-Za-z]+/.exec(after)?.[0]
  if (wanted && word !== undefined && /[A-Z]/.test(word) && /^(and|or|xor|nand|in|not)$/i.test(word)) {
    return `operators are written in lower case: "${word.toLowerCase()}"`
  }
  if (wanted && /^[-+*%]/.test(after)) return 'there is no arithmetic in conditions'
  if (/[^=]==\s*$/.test(before) && after.startsWith('=')) return 'write "==" to compare'
  if (/<$/.test(before) && after.startsWith('>')) return 'write "!=" for "is not"'
  const symbol = /^(&&?|\|\|?|===?|=|<>|~)/.exec(after)?.[1]
  const meant = symbol === undefined ? undefined : FOREIGN[symbol]
  if (!wanted || meant === undefined) return undefined
  return symbol === '=' ? 'write "==" to compare' : `write "${meant}" instead of "${symbol}"`
}

const operandHint: HintRule = ({ after, before, open }, { message }) => {
  if (/\bif\b[^{}"']*\[[^\][,]+$/.test(before) && after.startsWith(',')) {
    return 'a field inside a field is written [outer][inner]'
  }
  if (/\/$/.test(before) && /^[a-z]/.test(after) && message.includes('"and"')) {
    return 'a pattern takes no letters behind it; write /(?i)…/ to ignore case'
  }
  const missing = /(==|!=|<=|>=|<|>|=~|!~|\bin)\s*$/.exec(before)?.[1]
  if (missing !== undefined && after.startsWith('{')) return `the right side of "${missing}" is missing`
  if (/[=!]~\s*$/.test(before)) return 'the right side is a pattern: /…/ or a string'
  if (!message.includes('"("') && !message.startsWith('Expected [A-Za-z0-9_] ')) return undefined
  const right = /(?:==|!=|<=|>=|<|>|\bin)\s*([A-Za-z_]\w*)\s*$/.exec(before)?.[1]
  if (right !== undefined)
    return `put the word in quotes, "${right}", or in brackets if it is a field, [${right}]`
  const left = /(?:\b(?:if|and|or|xor|nand)|\()\s*([A-Za-z_]\w*)\s*$/.exec(before)?.[1]
  return left !== undefined && open.length > 0 ? `a field is written in brackets: [${left}]` : undefined
}
