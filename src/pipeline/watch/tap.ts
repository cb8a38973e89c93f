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
/** A message wakes the thread that serves people; people do not see how many there were. */
const sendEveryMillis = 50

export class Tap implements StageObserver {
  readonly #order: TapOrder
  readonly #report: (report: WatchReport) => void
  readonly #conceal: (text: string) => string
  #stride: number
  #number = 0
  #second = { seen: 0, shown: 0, bytes: 0, examined: 0 }
  #counts = { seen: 0, shown: 0, dropped: 0 }
  #events: string[] = []
  #toldAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(order: TapOrder, report: (report: WatchReport) => void, conceal: (text: string) => string) {
    this.#order = order
    this.#report = report
    this.#conceal = conceal
    this.#stride = order.sample
  }

  decoded({ id }: PlannedPlugin, events: readonly Event[], from: number): void {
    if (id !== this.#order.at) return
    this.#choose(events, from, (event, n) => this.#show(n, null, [jsonOf(event)]))
    this.send()
  }

  filtering({ id }: PlannedPlugin, batch: readonly Event[]): AfterFilter | undefined {
    if (id !== this.#order.at) return undefined
    const chosen: { event: Event; n: number; before: string }[] = []
    this.#choose(batch, 0, (event, n) => chosen.push({ event, n, before: jsonOf(event) }))
    if (chosen.length === 0) return undefined
    return (result) => {
      const left = new Set(result)
      const given = result === batch ? left : new Set(batch)
      const added = result === batch ? [] : result.filter((event) => !given.has(event))
      for (const { event, n, before } of chosen) {
        const made = added.filter((one) => isMadeOf(one, event))
        this.#show(n, before, [...(left.has(event) ? [event] : []), ...made].map(jsonOf))
      }
      this.send()
    }
  }

  delivering({ id }: PlannedPlugin, batch: readonly Event[]): void {
    if (id !== this.#order.at) return
    this.#choose(batch, 0, (event, n) => this.#show(n, jsonOf(event), null))
    this.send()
  }

  /** Every n-th event, while there is room for it in this second. Those between them cost nothing. */
  #choose(events: readonly Event[], from: number, take: (event: Event, n: number) => void): void {
    const count = events.length - from
    const stride = this.#stride
    for (let i = stride - 1 - (this.#number % stride); i < count; i += stride) {
      const { shown, bytes, examined } = this.#second
      if (shown < maxPerSecond && bytes < maxBytesPerSecond && examined < maxExaminedPerSecond) {
        this.#second.examined += 1
        take(events[from + i]!, this.#number + i + 1)
      } else this.#counts.dropped += 1
    }
    this.#number += count
    this.#second.seen += count
    this.#counts.seen += count
  }

  #show(n: number, before: string | null, after: readonly string[] | null): void {
    const { text } = this.#order
    for (const one of [before ?? '', ...(after ?? [])]) this.#second.bytes += one.length
    if (text !== undefined && ![before ?? '', ...(after ?? [])].some((one) => one.includes(text))) return
    const shown = after === null ? 'null' : `[${after.map(bounded).join(',')}]`
    const line = `{"n":${n},"time":${Date.now()},"before":${before === null ? 'null' : bounded(before)},"after":${shown}}`
    this.#events.push(this.#conceal(line))
    this.#second.shown += 1
    this.#counts.shown += 1
  }

  /** At once after a pause, and otherwise together with what follows shortly. */
  send(): void {
    if (this.#events.length === 0 || this.#timer !== undefined) return
    const wait = this.#toldAt + sendEveryMillis - performance.now()
    if (wait <= 0) this.#tell()
    else this.#timer = setTimeout(() => this.#tell(), wait).unref()
  }

  /** Once a second: counts, and how many events may be left out from now on. */
  tick(): void {
    const wanted = this.#order.text === undefined ? maxPerSecond : maxExaminedPerSecond
    this.#stride = Math.max(this.#order.sample, Math.ceil(this.#second.seen / wanted))
    this.#second = { seen: 0, shown: 0, bytes: 0, examined: 0 }
    if (this.#counts.seen > 0) this.#tell()
  }

  #tell(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#toldAt = performance.now()
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
