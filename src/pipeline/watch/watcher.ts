/** Fulfils orders to look at one worker's events: puts observers into its execution, and takes them out again. */
import type { Execution } from '../run/execution.ts'
import { RecentEvents } from './recent-events.ts'
import { joined } from './stage-observer.ts'
import { Tap } from './tap.ts'
import { TraceRecorder } from './trace.ts'
import type { WatchOrder, WatchReport } from './watch-order.ts'

interface WatcherOptions {
  readonly execution: Execution
  readonly pipelineId: string
  report(report: WatchReport): void
  /** Takes secrets out of a text. */
  conceal(text: string): string
}

export class Watcher {
  readonly #options: WatcherOptions
  #taps = new Map<number, Tap>()
  #traces: { readonly sample: number; readonly recorder: TraceRecorder } | undefined
  #recent: { readonly limit: number; readonly events: RecentEvents } | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: WatcherOptions) {
    this.#options = options
  }

  /** What is already fulfilled goes on. */
  apply({ taps, traceSample, recent }: WatchOrder): void {
    const { execution, pipelineId, report, conceal } = this.#options
    this.#taps = new Map(
      taps.map((tap) => [tap.tap, this.#taps.get(tap.tap) ?? new Tap(tap, report, conceal)]),
    )
    if (traceSample !== this.#traces?.sample)
      this.#traces =
        traceSample === undefined
          ? undefined
          : { sample: traceSample, recorder: new TraceRecorder(traceSample, pipelineId, report, conceal) }
    if (recent !== (this.#recent?.limit ?? 0))
      this.#recent = recent === 0 ? undefined : { limit: recent, events: new RecentEvents(recent) }
    execution.observer = joined([
      ...this.#taps.values(),
      ...(this.#traces === undefined ? [] : [this.#traces.recorder]),
      ...(this.#recent === undefined ? [] : [this.#recent.events]),
    ])
    this.#keepTime()
  }

  #keepTime(): void {
    const isNeeded = this.#taps.size > 0 || this.#traces !== undefined
    if (isNeeded && this.#timer === undefined) {
      this.#timer = setInterval(() => this.#tick(), 1000)
      this.#timer.unref()
    } else if (!isNeeded) this.close()
  }

  #tick(): void {
    for (const tap of this.#taps.values()) tap.tick()
    this.#traces?.recorder.tick()
  }

  /** Tells the last events. */
  collect(request: number): void {
    this.#options.report({ kind: 'recent', request, events: this.#recent?.events.texts ?? [] })
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
