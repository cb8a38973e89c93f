/**
 * A tap: events before and after one plugin, as JSON text, for somebody who looks. At most so many events and bytes a
 * second are taken; above that one of several is, spread evenly, and what was left out is counted. Values are copied
 * only for events that are shown.
 */
import type { Event } from '../../event/event.ts'
import { writeJson } from '../../event/json-write.ts'
import type { PlannedPlugin } from '../plan/plan.ts'
import { isMadeOf } from './journey.ts'
import type { AfterFilter, StageObserver } from './stage-observer.ts'
import type { TapOrder, WatchReport } from './watch-order.ts'

const maxPerSecond = 200
const maxBytesPerSecond = 1024 * 1024
/** Events that are written out to look for a text. */
const maxExaminedPerSecond = 2000
const maxEventSize = 64 * 1024

export class Tap implements StageObserver {
  readonly #order: TapOrder
  readonly #report: (report: WatchReport) => void
  readonly #conceal: (text: string) => string
  #stride: number
  #number = 0
  #second = { seen: 0, shown: 0, bytes: 0, examined: 0 }
  #counts = { seen: 0, shown: 0, dropped: 0 }
  #events: string[] = []

  constructor(order: TapOrder, report: (report: WatchReport) => void, conceal: (text: string) => string) {
    this.#order = order
    this.#report = report
    this.#conceal = conceal
    this.#stride = order.sample
  }

  decoded({ id }: PlannedPlugin, events: readonly Event[], from: number): void {
    if (id !== this.#order.at) return
    for (let i = from; i < events.length; i++) if (this.#isChosen()) this.#show(null, [jsonOf(events[i]!)])
    this.send()
  }

  filtering({ id }: PlannedPlugin, batch: readonly Event[]): AfterFilter | undefined {
    if (id !== this.#order.at) return undefined
    const chosen = batch.filter(() => this.#isChosen())
    if (chosen.length === 0) return undefined
    const before = chosen.map(jsonOf)
    return (result) => {
      const left = new Set(result)
      const given = result === batch ? left : new Set(batch)
      const added = result === batch ? [] : result.filter((event) => !given.has(event))
      chosen.forEach((event, index) => {
        const made = added.filter((one) => isMadeOf(one, event))
        this.#show(before[index]!, [...(left.has(event) ? [event] : []), ...made].map(jsonOf))
      })
      this.send()
    }
  }

  delivering({ id }: PlannedPlugin, batch: readonly Event[]): void {
    if (id !== this.#order.at) return
    for (const event of batch) if (this.#isChosen()) this.#show(jsonOf(event), null)
    this.send()
  }

  /** Every n-th event, while there is room for it in this second. */
  #isChosen(): boolean {
    this.#number += 1
    this.#second.seen += 1
    this.#counts.seen += 1
    if (this.#number % this.#stride !== 0) return false
    const { shown, bytes, examined } = this.#second
    if (shown < maxPerSecond && bytes < maxBytesPerSecond && examined < maxExaminedPerSecond) {
      this.#second.examined += 1
      return true
    }
    this.#counts.dropped += 1
    return false
  }

  #show(before: string | null, after: readonly string[] | null): void {
    const { text } = this.#order
    for (const one of [before ?? '', ...(after ?? [])]) this.#second.bytes += one.length
    if (text !== undefined && ![before ?? '', ...(after ?? [])].some((one) => one.includes(text))) return
    const shown = after === null ? 'null' : `[${after.map(bounded).join(',')}]`
    const line = `{"n":${this.#number},"time":${Date.now()},"before":${before === null ? 'null' : bounded(before)},"after":${shown}}`
    this.#events.push(this.#conceal(line))
    this.#second.shown += 1
    this.#counts.shown += 1
  }

  send(): void {
    if (this.#events.length > 0) this.#tell()
  }

  /** Once a second: counts, and how many events may be left out from now on. */
  tick(): void {
    const wanted = this.#order.text === undefined ? maxPerSecond : maxExaminedPerSecond
    this.#stride = Math.max(this.#order.sample, Math.ceil(this.#second.seen / wanted))
    this.#second = { seen: 0, shown: 0, bytes: 0, examined: 0 }
    if (this.#counts.seen > 0) this.#tell()
  }

  #tell(): void {
    const { tap } = this.#order
    this.#report({
      kind: 'tapped',
      tap,
      events: this.#events,
      counts: { ...this.#counts, stride: this.#stride },
    })
    this.#events = []
    this.#counts = { seen: 0, shown: 0, dropped: 0 }
  }
}

function jsonOf(event: Event): string {
  return writeJson(event.toHashWithMetadata())
}

function bounded(text: string): string {
  return text.length <= maxEventSize ? text : `{"@bytes":${text.length}}`
}
