/** Clocks of zones by their names, for those who learn the zone from each event. */
import { jodaZone } from './joda-zone.ts'
import { type LocalClock, localClock } from './local-clock.ts'

const maxZones = 1000

/** Undefined for names of no zone, which are remembered, too. */
export function zoneClocks(): (name: string) => LocalClock | undefined {
  const clocks = new Map<string, LocalClock | undefined>()
  return (name) => {
    if (clocks.has(name)) return clocks.get(name)
    const zone = jodaZone(name)
    const clock = zone === undefined ? undefined : localClock(zone)
    if (clocks.size >= maxZones) clocks.clear()
    clocks.set(name, clock)
    return clock
  }
}
