/**
 * Counters as they were at some moments of the past: enough of them to say what they were a minute or a day
 * ago, and no more. One history serves all counters that are captured together, so a rate costs nothing
 * until somebody reads it.
 */
export interface Capture {
  /** Milliseconds of a clock that never goes back. */
  readonly at: number
  readonly values: Float64Array
}

interface Window {
  readonly name: string
  readonly millis: number
  /** Captures closer together than this are one too many. */
  readonly resolution: number
  /** Has a baseline before it is full. */
  readonly early: boolean
}

const second = 1000
const minute = 60 * second

const current: Window = { name: 'current', millis: 10 * second, resolution: second, early: true }
export const minutes: readonly Window[] = [
  { name: 'last_1_minute', millis: minute, resolution: 3 * second, early: false },
  { name: 'last_5_minutes', millis: 5 * minute, resolution: 15 * second, early: false },
  { name: 'last_15_minutes', millis: 15 * minute, resolution: 30 * second, early: false },
]
const flowWindows: readonly Window[] = [
  current,
  ...minutes,
  { name: 'last_1_hour', millis: 60 * minute, resolution: minute, early: false },
  { name: 'last_24_hours', millis: 24 * 60 * minute, resolution: 15 * minute, early: false },
]

/** Timers are late now and then: a capture that comes this much too early is in time. */
const tolerance = 0.1

export class CaptureHistory {
  readonly #first: Capture
  readonly #rings: { readonly window: Window; readonly captures: Capture[] }[]

  /** `first` is where the lifetime begins. */
  constructor(first: Capture, windows: readonly Window[] = flowWindows) {
    this.#first = first
    this.#rings = windows.map((window) => ({ window, captures: [first] }))
  }

  /** Whether a capture at this time would be kept. */
  isDue(at: number): boolean {
    return this.#rings.some((ring) => isDue(ring, at))
  }

  add(capture: Capture): void {
    for (const ring of this.#rings) {
      if (isDue(ring, capture.at)) ring.captures.push(capture)
      forget(ring, capture.at)
    }
  }

  /** What each window compares with at this time; windows that are not full yet are left out. */
  baselines(now: number): [name: string, baseline: Capture][] {
    const found: [string, Capture][] = []
    for (const ring of this.#rings) {
      forget(ring, now)
      const [oldest] = ring.captures
      const { name, millis, early } = ring.window
      if (oldest !== undefined && (early || oldest.at <= now - millis)) found.push([name, oldest])
    }
    found.push(['lifetime', this.#first])
    return found
  }

  /** Captures held at the moment, for the bound of it. */
  get size(): number {
    return this.#rings.reduce((sum, { captures }) => sum + captures.length, 0)
  }
}

interface Ring {
  readonly window: Window
  readonly captures: Capture[]
}

function isDue({ window, captures }: Ring, at: number): boolean {
  const newest = captures[captures.length - 1]
  return newest === undefined || at - newest.at >= window.resolution * (1 - tolerance)
}

/** Drops captures older than the window; only the newest of them is of use. */
function forget({ window, captures }: Ring, now: number): void {
  let useless = 0
  while (useless + 1 < captures.length && captures[useless + 1]!.at <= now - window.millis) useless += 1
  if (useless > 0) captures.splice(0, useless)
}
