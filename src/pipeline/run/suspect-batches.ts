/**
 * Batches that were with a worker when its thread ended. Each is run again with nothing beside it, so that a second
 * death is its own fault; then its records are run one by one, and the one that ends a worker yet again is given up.
 */
import { copyOfFrame, type Frame, frameCount } from '../frames/frame.ts'

export interface SuspectBatch {
  readonly frames: readonly Frame[]
  /** How many workers ended while they had it. */
  readonly deaths: number
}

/** How many may wait before further workers are kept for them alone. */
const maxWaiting = 64

export class SuspectBatches {
  #waiting: SuspectBatch[] = []
  /** How many of them are whole batches. */
  #batches = 0

  get empty(): boolean {
    return this.#waiting.length === 0
  }

  get isCrowded(): boolean {
    return this.#batches >= maxWaiting
  }

  take(): SuspectBatch | undefined {
    const suspect = this.#waiting.shift()
    if (suspect?.deaths === 1) this.#batches -= 1
    return suspect
  }

  /** It was one of several batches of a worker that ended. */
  add(frames: readonly Frame[]): void {
    this.#waiting.push({ frames, deaths: 1 })
    this.#batches += 1
  }

  /** Its worker had nothing else and ended. Returns the record that is to be given up, if it is known by now. */
  convict({ frames, deaths }: SuspectBatch): Frame | undefined {
    const records = frames.flatMap(recordsOf)
    if (records.length <= 1) return records[0]
    this.#waiting.unshift(...records.map((frame) => ({ frames: [frame], deaths: deaths + 1 })))
    return undefined
  }
}

/** One frame per record. */
function recordsOf(frame: Frame): Frame[] {
  return Array.from({ length: frameCount(frame) }, (_, n) => {
    const one = copyOfFrame(frame)
    one.from = frame.from + n
    one.to = one.from + 1
    return one
  })
}
