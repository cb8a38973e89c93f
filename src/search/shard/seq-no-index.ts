/**
 * Finds documents in segments by sequence number, which is unique. That needs one small column per segment, where
 * finding an id needs all ids; the replay of the log uses it for replaced documents.
 */
import type { FlushedSegment } from './shard-segment.ts'

interface SeqNoLocation {
  readonly part: FlushedSegment
  readonly doc: number
}

export class SeqNoIndex {
  /** The newest segment first. */
  readonly #parts: readonly FlushedSegment[]
  readonly #runs = new Map<FlushedSegment, Uint32Array>()

  constructor(parts: readonly FlushedSegment[]) {
    this.#parts = parts.toReversed()
  }

  /** Returns where the document is, deleted or not. */
  find(seqNo: number): SeqNoLocation | undefined {
    for (const part of this.#parts) {
      const { seqNos } = part.segment
      let from = 0
      for (const to of this.#runsOf(part)) {
        if (seqNos[from]! <= seqNo && seqNo <= seqNos[to - 1]!) {
          const doc = lastAtMost(seqNos, seqNo, from, to)
          if (seqNos[doc] === seqNo) return { part, doc }
        }
        from = to
      }
    }
    return undefined
  }

  /** Returns the ends of the ascending runs in the column: one run per segment that was ever merged into this one. */
  #runsOf(part: FlushedSegment): Uint32Array {
    let runs = this.#runs.get(part)
    if (runs === undefined) {
      const { seqNos } = part.segment
      const ends: number[] = []
      for (let doc = 1; doc <= seqNos.length; doc++)
        if (doc === seqNos.length || seqNos[doc]! < seqNos[doc - 1]!) ends.push(doc)
      runs = Uint32Array.from(ends)
      this.#runs.set(part, runs)
    }
    return runs
  }
}

/**
 * Binary search for the last element that is at most `seqNo`: nested documents have the number of their root, which
 * comes last.
 */
function lastAtMost(seqNos: Float64Array, seqNo: number, from: number, to: number): number {
  let low = from
  let high = to - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (seqNos[middle]! <= seqNo) low = middle
    else high = middle - 1
  }
  return low
}
