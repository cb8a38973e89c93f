/**
 * Checks the nesting depth of JSON before it is parsed, so that all code may walk values recursively. `JSON.parse`
 * alone would take a million levels.
 */
import { backslash, quote } from '../../../text/ascii.ts'
import { SearchError } from '../search-error.ts'

/** The limit of Jackson's `StreamReadConstraints`. */
export const maxNesting = 1000

/** `[` and `{` without the bit that tells them apart; `]` and `}` likewise. */
const opening = 0x5b
const closing = 0x5d
const bracketBit = 0x20

/** Throws when JSON is nested too deeply. Invalid JSON is left to the parser. */
export function checkNesting(bytes: Uint8Array): void {
  let depth = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === quote) at = stringEnd(bytes, at)
    else if ((byte & ~bracketBit) === opening) {
      depth++
      if (depth > maxNesting) throw tooDeep(bytes, at)
    } else if ((byte & ~bracketBit) === closing) depth--
  }
}

/** Returns the offset of the closing quote. */
function stringEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}

function tooDeep(bytes: Uint8Array, at: number): SearchError {
  let line = 1
  let lineStart = 0
  for (let place = 0; place < at; place++) {
    if (bytes[place] !== 10) continue
    line++
    lineStart = place + 1
  }
  const reason = `Document nesting depth (${maxNesting + 1}) exceeds the maximum allowed (${maxNesting}, from \`StreamReadConstraints.getMaxNestingDepth()\`)`
  const place = ` at [Source: REDACTED (\`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION\` disabled); line: ${line}, column: ${at - lineStart + 1}]`
  return new SearchError('stream_constraints_exception', `${reason}\n${place}`)
}
