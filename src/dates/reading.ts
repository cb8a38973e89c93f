/**
 * What has been read from one text so far. A format owns one reading and uses it for every text: a number
 * per field of its pattern, and the offset or the zone if the text named one.
 */
import type { LocalClock } from './local-clock.ts'

export class Reading {
  /** Values by the slot the format gave to each field; names are stored as the number they stand for. */
  readonly values: number[]
  hasOffset = false
  /** Milliseconds east of Greenwich. */
  offset = 0
  clock: LocalClock | undefined = undefined

  constructor(values: number[]) {
    this.values = values
  }

  forgetZone(): void {
    this.hasOffset = false
    this.clock = undefined
  }
}

/** Reads at a position and returns the position after what it read, or -1. */
export type Reader = (text: string, at: number, reading: Reading) => number
