/**
 * The YAML that nearly all dictionaries are: one `key: value` per line, nothing nested. A dictionary of
 * many thousand lines is read in milliseconds this way; anything less plain is left to the real parser.
 */
import type { Value } from '../../../event/value.ts'

const line =
  /^("(?:[^"\\]*)"|'(?:[^']*)'|[A-Za-z0-9_/*.][^:#'"{}[\],&!|>%@`]*?) *: +("(?:[^"\\]*)"|'(?:[^']*)'|[^\s#'"{}[\],&*!|>%@`:-][^:#]*?) *(?: #.*)?$/
const comment = /^\s*(?:#.*)?$/
const wholeNumber = /^(?:0|-?[1-9]\d{0,14})$/
/** Starts with a letter and is no word with a meaning of its own. */
const surelyText = /^[A-Za-z\u0080-\uffff]/
const meaningful = /^(?:y|yes|n|no|true|false|on|off|null)$/i

/** Undefined when the text is not that plain. */
export function readFlatYaml(text: string): Map<string, Value> | undefined {
  const found = new Map<string, Value>()
  const lines = text.split('\n')
  for (let i = 0; i < lines.length; i++) {
    const one = lines[i]!.endsWith('\r') ? lines[i]!.slice(0, -1) : lines[i]!
    if (comment.test(one) || (i === 0 && one === '---')) continue
    const [, key, given] = line.exec(one) ?? []
    if (key === undefined || given === undefined) return undefined
    const value = scalar(given)
    const name = scalar(key)
    if (value === undefined || name === undefined) return undefined
    found.set(String(name), value)
  }
  return found
}

function scalar(text: string): string | number | undefined {
  if (text.startsWith('"') || text.startsWith("'")) return text.slice(1, -1)
  if (wholeNumber.test(text)) return Number(text)
  return surelyText.test(text) && !meaningful.test(text) ? text : undefined
}
