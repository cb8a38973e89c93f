/**
 * The clock on the wall of one time zone: local times to instants, and the current month there. Texts of a
 * log mostly fall on one day, so the offset of a day without change of clocks is kept for the next text.
 */
import { dateOfDay, dayMillis, dayOfDate, maxDateMillis } from '../time/calendar.ts'
import type { Zone } from '../time/zone.ts'

export class LocalClock {
  #zone: Zone | (() => Zone)
  #keptFrom = 0
  #keptTo = 0
  #keptOffset = 0
  #monthFrom = 0
  #monthTo = 0
  #year = 0
  #month = 0

  /** The zone may come as a function, called when it is first needed: many texts name their offset themselves. */
  constructor(zone: Zone | (() => Zone)) {
    this.#zone = zone
  }

  get zone(): Zone {
    if (typeof this.#zone === 'function') this.#zone = this.#zone()
    return this.#zone
  }

  /** NaN for a time the clocks skipped; of a time that came twice, the first. */
  instantOf(local: number): number {
    if (local >= this.#keptFrom && local < this.#keptTo) return local - this.#keptOffset
    if (this.#keep(local)) return local - this.#keptOffset
    if (!(Math.abs(local) <= maxDateMillis)) return Number.NaN
    return this.zone.isSkipped(local) ? Number.NaN : this.zone.instantOf(local)
  }

  /** The same, but a time the clocks skipped is moved on by as much as they skipped. */
  lenientInstantOf(local: number): number {
    if (local >= this.#keptFrom && local < this.#keptTo) return local - this.#keptOffset
    if (this.#keep(local)) return local - this.#keptOffset
    return Math.abs(local) <= maxDateMillis ? this.zone.instantOf(local) : Number.NaN
  }

  localOf(instant: number): number {
    return Math.abs(instant) <= maxDateMillis ? instant + this.zone.offsetAt(instant) : Number.NaN
  }

  /** Finds year and month of an instant for the two getters. */
  lookAt(instant: number): void {
    if (instant >= this.#monthFrom && instant < this.#monthTo) return
    const local = this.localOf(instant)
    const { year, month } = dateOfDay(Math.floor(local / dayMillis))
    this.#year = year
    this.#month = month
    this.#monthFrom = this.lenientInstantOf(dayOfDate(year, month, 1) * dayMillis)
    this.#monthTo = this.lenientInstantOf(
      (month === 12 ? dayOfDate(year + 1, 1, 1) : dayOfDate(year, month + 1, 1)) * dayMillis,
    )
  }

  get year(): number {
    return this.#year
  }

  get month(): number {
    return this.#month
  }

  /** True when the clocks do not change near the day of a local time; that day is then kept. */
  #keep(local: number): boolean {
    const from = Math.floor(local / dayMillis) * dayMillis
    const to = from + dayMillis
    if (!(Math.abs(from) <= maxDateMillis - 3 * dayMillis)) return false
    const offset = this.zone.offsetAt(from - dayMillis)
    if (offset !== this.zone.offsetAt(from) || offset !== this.zone.offsetAt(to)) return false
    if (offset !== this.zone.offsetAt(to + dayMillis)) return false
    this.#keptFrom = from
    this.#keptTo = to
    this.#keptOffset = offset
    return true
  }
}

const known = new WeakMap<Zone, LocalClock>()

/** One clock per zone, so that all formats share what it keeps. */
export function localClock(zone: Zone): LocalClock {
  let clock = known.get(zone)
  if (clock === undefined) {
    clock = new LocalClock(zone)
    known.set(zone, clock)
  }
  return clock
}
