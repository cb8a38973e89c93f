/** Figures of the process, once a second: memory, open files, processor, events sent. */
import { openFiles, processorSeconds, residentMegabytes } from '../support/process-figures.ts'
import type { Point } from './trend.ts'

export class Samples {
  readonly memory: Point[] = []
  readonly files: Point[] = []
  readonly processor: Point[] = []
  readonly sent: Point[] = []
  readonly #timer: NodeJS.Timeout
  readonly #began = performance.now()

  constructor(pid: number, sent: () => number) {
    this.#timer = setInterval(() => {
      const seconds = this.seconds
      try {
        this.memory.push({ seconds, value: residentMegabytes(pid) })
        this.files.push({ seconds, value: openFiles(pid) })
        this.processor.push({ seconds, value: processorSeconds(pid) })
        this.sent.push({ seconds, value: sent() })
      } catch {
        // The process has ended: whoever waits for it says so.
      }
    }, 1000)
  }

  get seconds(): number {
    return (performance.now() - this.#began) / 1000
  }

  /** Change per second between two moments of a figure that only grows. */
  static rate(points: readonly Point[], from: number, to = Number.POSITIVE_INFINITY): number {
    const part = points.filter(({ seconds }) => seconds >= from && seconds <= to)
    const [first, last] = [part[0], part.at(-1)]
    if (first === undefined || last === undefined || last.seconds === first.seconds) return Number.NaN
    return (last.value - first.value) / (last.seconds - first.seconds)
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
