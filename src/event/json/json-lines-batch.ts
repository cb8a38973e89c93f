/**
 * Several events as lines of JSON with one call of JSON.stringify, which costs more to enter than a small
 * event costs to write. The list `[{…},{…}]` becomes lines by turning the commas between events into
 * newlines, in the bytes. They are found by the text around them: `},{"@timestamp":"`, whose bare quotes
 * no string can contain. A map inside an event may begin in the same way; then there are too many, and
 * the caller writes event by event.
 */
import { lineFeed } from '../../text/ascii.ts'
import type { Event } from '../event.ts'
import { writeNatively } from '../json-write.ts'
import { Timestamp } from '../timestamp.ts'

const between = Buffer.from('},{"@timestamp":"')
const comma = 1

/** The events as one JSON list, or undefined when some of them need the exact writer. */
export function jsonListText(events: readonly Event[], from: number, to: number): string | undefined {
  const list = []
  const times: Timestamp[] = []
  for (let i = from; i < to; i++) {
    const { data } = events[i]!
    const time = data['@timestamp']
    if (!(time instanceof Timestamp) || firstName(data) !== '@timestamp') break
    list.push(data)
    times.push(time)
  }
  if (list.length < to - from) return undefined
  for (let i = 0; i < list.length; i++) list[i]!['@timestamp'] = times[i]!.toString()
  try {
    return writeNatively(list)
  } catch {
    return undefined
  } finally {
    for (let i = 0; i < list.length; i++) list[i]!['@timestamp'] = times[i]!
  }
}

function firstName(fields: object): string | undefined {
  for (const name in fields) return name
  return undefined
}

/** Turns the bytes of a list of `count` events into lines that begin after the first byte; false if it cannot. */
export function cutIntoLines(list: Buffer, count: number): boolean {
  const places: number[] = []
  for (let at = list.indexOf(between); at >= 0; at = list.indexOf(between, at + between.length)) {
    places.push(at + comma)
    if (places.length === count) return false
  }
  if (places.length !== count - 1) return false
  for (const place of places) list[place] = lineFeed
  list[list.length - 1] = lineFeed
  return true
}
