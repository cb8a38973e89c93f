/**
 * What a large document takes while it is indexed, before anything of it is taken apart: mostly its words, each with its
 * place in several lists. One document can take twenty times its length, more than the whole process has.
 */
import { shownBytes } from '../../memory/circuit-breakers.ts'
import { CircuitBreaking } from '../memory-refused.ts'
import type { SearchError } from '../search-error.ts'
import type { StoreMemory } from '../store-memory.ts'
import { illegalArgument } from './index-errors.ts'

/** Places of a word in the document's own lists, in the write buffer and in the segment that is written of it. */
const bytesPerWord = 100
/** The body, its text, the parsed text and the stored source. */
const copies = 4

/** About; scripts without spaces count a word for each character of three bytes or more. */
export function documentBytes(source: Uint8Array): number {
  let words = 0
  let wasWord = false
  for (let at = 0; at < source.length; at++) {
    const kind = kinds[source[at]!]!
    if (kind === startsWord || (kind === inWord && !wasWord)) words += 1
    wasWord = kind !== betweenWords
  }
  return words * bytesPerWord + source.length * copies
}

const betweenWords = 0
const inWord = 1
const startsWord = 2

const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0xe0) return startsWord
  return byte >= 0x80 || /[0-9A-Za-z_]/.test(String.fromCharCode(byte)) ? inWord : betweenWords
})

/**
 * Why a document cannot be taken now; undefined when it can. One for which there will never be room is a mistake of
 * whoever sent it, because trying again would hold up everything behind it.
 */
export function documentRefusal(memory: StoreMemory, source: Uint8Array): SearchError | undefined {
  const wanted = documentBytes(source)
  if (wanted > memory.limit)
    return illegalArgument(
      `document of [${shownBytes(source.length)}] would take [${shownBytes(wanted)}] of memory while it is indexed, which is larger than the limit of [${shownBytes(memory.limit)}]`,
    )
  const refusal = memory.breakers.check(wanted, '<document>', memory.bodies.active <= 1)
  return refusal && new CircuitBreaking(refusal)
}
