/**
 * A line of Graphite's plain text protocol, `name value seconds` with `N` for now, on the event of that line: the metric
 * becomes a field by its name, the time the time of the event. Lines that are none get a tag.
 */
import type { Event } from '../../../event/event.ts'
import { Timestamp } from '../../../event/timestamp.ts'
import { float, putField } from '../../../event/value.ts'

const failureTag = '_graphiteparsefailure'
const reserved = new Set(['@timestamp', '@version', '@metadata', 'tags'])
const maxSeconds = 8.64e12

export function readMetric(event: Event): void {
  const message = event.get('message')
  const [name, value, time] = typeof message === 'string' ? message.trim().split(/\s+/, 3) : []
  const number = Number.parseFloat(value ?? '')
  const seconds = time === undefined || time === 'N' ? undefined : Number.parseFloat(time)
  const isTime = seconds === undefined || (Number.isFinite(seconds) && Math.abs(seconds) <= maxSeconds)
  if (name === undefined || name === '' || reserved.has(name) || Number.isNaN(number) || !isTime) {
    event.tag(failureTag)
    return
  }
  putField(event.data, name, float(number))
  if (seconds !== undefined) event.timestamp = new Timestamp(Math.trunc(seconds) * 1000)
}
