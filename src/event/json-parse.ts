/**
 * JSON text to values, with integers, floats and big integers kept apart (see value.ts). JSON.parse cannot
 * tell `1.0` from `1` and rounds long numbers, but it is several times faster than anything written in
 * JavaScript: one scan for such numbers decides whether the exact parser is needed.
 */
import { jsonTooLarge } from '../memory/json-size.ts'
import { ExactParser } from './json/json-exact-parser.ts'
import { hasInexactNumber } from './json/json-number-scan.ts'
import { JsonParseError } from './json/json-parse-error.ts'
import type { Value } from './value.ts'

export { JsonParseError } from './json/json-parse-error.ts'

/** Nesting that Logstash accepts in one document. */
export const maxJsonDepth = 1000

/** True when the text, one document or a whole chunk of them, may hold a number that JSON.parse would spoil. */
export function needsExactParse(text: string): boolean {
  return hasInexactNumber(text)
}

/** Parses one document; throws JsonParseError. */
export function parseJson(text: string): Value {
  if (!needsExactParse(text)) return parseJsonFast(text)
  refuseTooLarge(text)
  return parseJsonExactly(text)
}

/** For text that `needsExactParse` has cleared. */
export function parseJsonFast(text: string): Value {
  refuseTooLarge(text)
  if (mayBeTooDeep(text)) return parseJsonExactly(text)
  try {
    return JSON.parse(text) as Value
  } catch {
    return parseJsonExactly(text)
  }
}

export function parseJsonExactly(text: string): Value {
  return new ExactParser(text, maxJsonDepth).parse()
}

function refuseTooLarge(text: string): void {
  const size = jsonTooLarge(text)
  if (size === undefined) return
  const { bytes, limit } = size
  const problem = `Document has too many values: they would take ${bytes} bytes of memory, the limit is ${limit}`
  throw new JsonParseError(problem, text, 0)
}

/** Text with fewer opening brackets than the greatest depth cannot exceed it; JSON.parse itself has no limit. */
function mayBeTooDeep(text: string): boolean {
  if (text.length <= 2 * maxJsonDepth) return false
  let brackets = 0
  for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at + 1)) {
    if (++brackets > maxJsonDepth) return true
  }
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
    if (++brackets > maxJsonDepth) return true
  }
  return false
}
