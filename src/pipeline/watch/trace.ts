/**
 * Traces for lineage: of every so many events the whole way from input to output, under the names it can be asked for
 * by: the permanent name of each event, which the document ids of the embedded store begin with, and the document ids
 * that outputs are told to use.
 */
import type { Event } from '../../event/event.ts'
import { writeJson } from '../../event/json-write.ts'
import type { PlannedPlugin } from '../plan/plan.ts'
import { type Journey, JourneyRecorder, stepValue } from './journey.ts'
import type { WatchReport } from './watch-order.ts'

const maxPerSecond = 50
const maxTrace = 256 * 1024
/** A journey that has not come to an end by then is told as it is. */
const maxMillis = 5000
const limits = { steps: 200, eventSize: 16 * 1024, size: 192 * 1024 }
/** Journeys that are not over yet. */
const maxOpen = 50

interface OpenTrace {
  readonly journey: Journey
  readonly keys: Set<string>
}

export class TraceRecorder extends JourneyRecorder {
  readonly #sample: number
  readonly #pipelineId: string
  readonly #report: (report: WatchReport) => void
  readonly #conceal: (text: string) => string
  #open = new Map<Journey, OpenTrace>()
  #number = 0
  #thisSecond = 0

  constructor(
    sample: number,
    pipelineId: string,
    report: (report: WatchReport) => void,
    conceal: (text: string) => string,
  ) {
    super(limits)
    this.#sample = sample
    this.#pipelineId = pipelineId
    this.#report = report
    this.#conceal = conceal
  }

  decoded(input: PlannedPlugin, events: readonly Event[], from: number): void {
    for (let i = from; i < events.length; i++) {
      this.#number += 1
      if (this.#number % this.#sample !== 0) continue
      if (this.#thisSecond >= maxPerSecond || this.#open.size >= maxOpen) continue
      this.#thisSecond += 1
      const journey = this.follow(events[i]!)
      this.#open.set(journey, { journey, keys: new Set() })
      this.made(input, journey)
    }
  }

  override delivering(output: PlannedPlugin, batch: readonly Event[]): void {
    super.delivering(output, batch)
    const template = output.options['document_id']
    if (this.isIdle || typeof template !== 'string') return
    for (const event of batch) {
      const journey = this.journeyOf(event)
      if (journey !== undefined) this.#open.get(journey)?.keys.add(event.sprintf(template))
    }
  }

  batchOver(): void {
    for (const { journey } of this.#open.values()) if (isOver(journey)) this.#close(journey)
  }

  /** Once a second. */
  tick(): void {
    this.#thisSecond = 0
    const late = Date.now() - maxMillis
    for (const { journey } of this.#open.values()) if (journey.startedAt < late) this.#close(journey)
  }

  #close(journey: Journey): void {
    const { keys } = this.#open.get(journey)!
    this.#open.delete(journey)
    this.leave(journey)
    for (const { permanentName } of journey.events) if (permanentName !== undefined) keys.add(permanentName)
    if (keys.size === 0) return
    const text = writeJson({
      key: [...keys][0]!,
      keys: [...keys],
      pipeline: this.#pipelineId,
      time: new Date(journey.startedAt).toISOString(),
      steps: journey.steps.map(stepValue),
    })
    if (text.length <= maxTrace) this.#report({ kind: 'traced', keys: [...keys], text: this.#conceal(text) })
  }
}

/** Every event of it was dropped or has been given to an output. */
function isOver({ steps, events }: Journey): boolean {
  const last = new Map(steps.map(({ event, verdict }) => [event, verdict]))
  return events.every((_, number) => last.get(number) === 'delivered' || last.get(number) === 'dropped')
}
