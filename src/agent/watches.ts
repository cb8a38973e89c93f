/**
 * Who looks at events of which pipeline: taps, traces for lineage, last events for shadow reloads. Tells the threads what
 * is wanted and hands on what they report. A pipeline that nobody looks at is told nothing.
 */
import {
  noWatch,
  type TapCounts,
  type TapOrder,
  type WatchOrder,
  type WatchReport,
} from '../pipeline/watch/watch-order.ts'
import type { PipelineThread } from '../threads/pipeline-thread.ts'
import { TraceRing } from './trace-ring.ts'

type WatchedThread = Pick<PipelineThread, 'watch' | 'collect' | 'onWatched'>

interface TapListener {
  events(texts: readonly string[], counts: TapCounts): void
}

interface TraceSwitch {
  readonly sample: number
  /** Epoch milliseconds; undefined for as long as the node runs. */
  readonly until: number | undefined
}

interface WatchOptions {
  readonly traces: TraceSwitch | undefined
  readonly maxTraceBytes: number
  /** Events remembered for shadow reloads. */
  recent(pipelineId: string): number
}

interface OpenTap {
  readonly pipelineId: string
  readonly order: TapOrder
  readonly listener: TapListener
}

const collectMillis = 300

export class Watches {
  readonly ring: TraceRing
  readonly #options: WatchOptions
  readonly #threads = new Map<string, WatchedThread>()
  readonly #taps = new Map<number, OpenTap>()
  readonly #collecting = new Map<number, string[]>()
  #traces: TraceSwitch | undefined
  #end: NodeJS.Timeout | undefined
  #next = 0

  constructor(options: WatchOptions) {
    this.#options = options
    this.#traces = options.traces
    this.ring = new TraceRing(options.maxTraceBytes)
  }

  /** The pipeline has this thread from now on. */
  attach(pipelineId: string, thread: WatchedThread): void {
    this.#threads.set(pipelineId, thread)
    thread.onWatched = (report) => this.#receive(pipelineId, report)
    if (this.#orderFor(pipelineId) !== noWatch) this.#tell(pipelineId)
  }

  /** Its settings may have changed. */
  refresh(pipelineId: string): void {
    this.#tell(pipelineId)
  }

  detach(pipelineId: string): void {
    this.#threads.delete(pipelineId)
  }

  #orderFor(pipelineId: string): WatchOrder {
    const taps = [...this.#taps.values()]
      .filter((tap) => tap.pipelineId === pipelineId)
      .map(({ order }) => order)
    const recent = this.#options.recent(pipelineId)
    if (taps.length === 0 && this.#traces === undefined && recent === 0) return noWatch
    return { taps, traceSample: this.#traces?.sample, recent }
  }

  #tell(pipelineId: string): void {
    this.#threads.get(pipelineId)?.watch(this.#orderFor(pipelineId))
  }

  #receive(pipelineId: string, report: WatchReport): void {
    switch (report.kind) {
      case 'tapped':
        return this.#taps.get(report.tap)?.listener.events(report.events, report.counts)
      case 'traced':
        return this.ring.add({ keys: report.keys, text: report.text, pipelineId, time: Date.now() })
      case 'recent':
        return void this.#collecting.get(report.request)?.push(...report.events)
    }
  }

  // ------------------------------------------------------------------------------------------------- taps

  get tapCount(): number {
    return this.#taps.size
  }

  /** Returns what ends it. */
  tap(pipelineId: string, order: Omit<TapOrder, 'tap'>, listener: TapListener): () => void {
    const tap = this.#next++
    this.#taps.set(tap, { pipelineId, order: { ...order, tap }, listener })
    this.#tell(pipelineId)
    return () => {
      if (this.#taps.delete(tap)) this.#tell(pipelineId)
    }
  }

  // ----------------------------------------------------------------------------------------------- traces

  get traces(): TraceSwitch | undefined {
    return this.#traces
  }

  /** Off with undefined; at its end what the settings say holds again. */
  switchTraces(traces: TraceSwitch | undefined): void {
    clearTimeout(this.#end)
    this.#traces = traces
    if (traces?.until !== undefined) {
      this.#end = setTimeout(() => this.switchTraces(this.#options.traces), traces.until - Date.now())
      this.#end.unref()
    }
    for (const id of this.#threads.keys()) this.#tell(id)
  }

  // ---------------------------------------------------------------------------------------- recent events

  /** The last events of a pipeline as JSON texts; those of workers that do not answer soon are missing. */
  async recentEvents(pipelineId: string): Promise<string[]> {
    const thread = this.#threads.get(pipelineId)
    const limit = this.#options.recent(pipelineId)
    if (thread === undefined || limit === 0) return []
    const request = this.#next++
    this.#collecting.set(request, [])
    thread.collect(request)
    await new Promise((resolve) => setTimeout(resolve, collectMillis))
    const events = this.#collecting.get(request) ?? []
    this.#collecting.delete(request)
    return events.slice(-limit)
  }

  close(): void {
    clearTimeout(this.#end)
    this.#taps.clear()
  }
}
