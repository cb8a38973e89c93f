/**
 * Chooses the content of a dictionary: what many documents of a sample have in common, without repetitions. Grams
 * of six bytes are counted by the documents that have them; those of most documents come first, in runs as they stand in a document. zstd's
 * trainers (COVER) do the same with a suffix array or with scores of whole stretches.
 */
import { dictionaryBytes } from './symbols.ts'

const gramBytes = 6
const hashBits = 17
const hashMask = (1 << hashBits) - 1
/** Grams of fewer documents are left to chance. */
const minDocuments = 3
/** How many times fewer documents the grams of the next round have. */
const roundFactor = 4

export function dictionaryContent(sample: readonly Uint8Array[]): Uint8Array {
  const views = sample.map((text) => new DataView(text.buffer, text.byteOffset, text.length))
  const counts = gramCounts(views)
  const isTaken = new Uint8Array(1 << hashBits)
  const content = new Uint8Array(dictionaryBytes)
  let filled = 0
  for (let minCount = sample.length / 2; minCount >= minDocuments; minCount /= roundFactor) {
    for (const [i, view] of views.entries()) {
      let [from, to] = [0, 0]
      const take = (): void => {
        const run = sample[i]!.subarray(from, Math.min(to, from + dictionaryBytes - filled))
        content.set(run, filled)
        filled += run.length
      }
      for (let at = 0; at + gramBytes <= view.byteLength; at++) {
        const gram = gramAt(view, at)
        if (counts[gram]! < minCount || isTaken[gram] === 1) continue
        isTaken[gram] = 1
        if (at > to) {
          take()
          from = at
        }
        to = at + gramBytes
      }
      take()
      if (filled === dictionaryBytes) return content
    }
  }
  return content.slice(0, filled)
}

/** Counts the documents that have a gram, by the hash of the gram. */
function gramCounts(views: readonly DataView[]): Uint32Array {
  const counts = new Uint32Array(1 << hashBits)
  const lastOf = new Uint32Array(1 << hashBits)
  for (const [i, view] of views.entries()) {
    for (let at = 0; at + gramBytes <= view.byteLength; at++) {
      const gram = gramAt(view, at)
      if (lastOf[gram] === i + 1) continue
      lastOf[gram] = i + 1
      counts[gram]!++
    }
  }
  return counts
}

function gramAt(view: DataView, at: number): number {
  const hash =
    Math.imul(view.getInt32(at, true), 0x9e3779b1) ^ Math.imul(view.getInt16(at + 4, true), 0x85ebca6b)
  return (hash ^ (hash >>> 15)) & hashMask
}
