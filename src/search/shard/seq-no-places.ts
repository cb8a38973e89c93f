/**
 * Finds documents of segments by their sequence numbers, which no two documents have. That takes one small column of a
 * segment, where finding an id takes all ids.
 */
import type { StoredPart } from './part.ts'

export interface SeqNoPlace {
  readonly part: StoredPart
  readonly doc: number
}

export class SeqNoPlaces {
  /** The newest first. */
  readonly #parts: readonly StoredPart[]
  readonly #runs = new Map<StoredPart, Uint32Array>()

  constructor(parts: readonly StoredPart[]) {
    this.#parts = parts.toReversed()
  }

  /** Where the document is or was: it may be deleted. */
  find(seqNo: number): SeqNoPlace | undefined {
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

  /** Where the runs end in which numbers only rise: as many as there were segments that were merged into this one. */
  #runsOf(part: StoredPart): Uint32Array {
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

/** The last of those with the number, or with one before it: nested objects have that of the document behind them. */
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
