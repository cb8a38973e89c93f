/**
 * Estimates and reserves the memory of a large document while it is parsed: text, values, tokens, its part of the
 * write buffer and the log. It is reserved in advance, because a document of some dozen megabytes may take all that
 * a small node has.
 */

import { shownBytes } from '../../../memory/circuit-breakers.ts'
import { illegalArgument } from '../../request/errors.ts'
import { CircuitBreaking } from '../../request/memory-refused.ts'
import type { StoreMemory } from '../store-memory.ts'

/** Bytes per word: in the document's lists, the write buffer and the segment that is flushed. */
const bytesPerWord = 100
/** Bytes per value that is not a word: an empty list, an element, a member. */
const bytesPerValue = 40
/** Copies of the text: body, text, parsed text, stored source. */
const copies = 4
/**
 * The share of the limit that documents may take: the process itself needs a part, and freed memory comes back late.
 */
const maxShare = 0.5
const label = '<document>'
/** Reservations up to this size are those of responses under construction: a document beside them still counts as alone. */
const maxAnswerBytes = 2 * 1024 * 1024

/** An estimate; in scripts without spaces each character of three bytes or more counts as a word. */
function documentBytes(source: Uint8Array): number {
  let words = 0
  let values = 0
  let wasWord = false
  for (let at = 0; at < source.length; at++) {
    const kind = kinds[source[at]!]!
    if (kind === startsValue) values += 1
    else if (kind === startsWord || (kind === inWord && !wasWord)) words += 1
    wasWord = kind === inWord || kind === startsWord
  }
  return words * bytesPerWord + values * bytesPerValue + source.length * copies
}

const betweenWords = 0
const inWord = 1
const startsWord = 2
const startsValue = 3

const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0xe0) return startsWord
  if ('[{,'.includes(String.fromCharCode(byte))) return startsValue
  return byte >= 0x80 || /[0-9A-Za-z_]/.test(String.fromCharCode(byte)) ? inWord : betweenWords
})

/**
 * Throws when there is no room. A document that can never fit is a client error, because a retry would block
 * everything behind it. The caller invokes the result when the document is written.
 */
export function admitDocument({ breakers, limit }: StoreMemory, source: Uint8Array): () => void {
  const { request } = breakers
  const bytes = documentBytes(source)
  const max = Math.floor(limit * maxShare)
  if (bytes > max)
    throw illegalArgument(
      `document of [${shownBytes(source.length)}] would take [${shownBytes(bytes)}] of memory while it is indexed, which is larger than the limit of [${shownBytes(max)}]`,
    )
  // A single document may take more than its share, if the process has it.
  const isAlone = request.used <= maxAnswerBytes
  const refusal = breakers.check(bytes, label, isAlone) ?? (isAlone ? undefined : request.take(bytes, label))
  if (refusal !== undefined) throw new CircuitBreaking(refusal)
  if (isAlone) request.hold(bytes)
  return () => request.giveBack(bytes)
}
