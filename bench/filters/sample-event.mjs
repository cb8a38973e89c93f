// The events that single filters work on. Their message is the fields as JSON, which a `json` filter unpacks; an event
// has only what its filter needs, because everything else would be noise. Its time is part of it, so nothing about
// the event depends on the clock.
import { hostname } from 'node:os'

export const COPIES = 50

const host = hostname()

/** A field of its own for every copy: `text0`, `text1`, … */
export function perCopy(prefix, value) {
  const fields = {}
  for (let n = 0; n < COPIES; n++) fields[`${prefix}${n}`] = value
  return fields
}

/** One line of JSON. */
export const messageOf = (fields) => JSON.stringify({ '@timestamp': '2024-01-15T07:13:42.123Z', ...fields })

/** The event by hand: what the stdin input and the json filter give. */
export function bareEvent(message) {
  const event = JSON.parse(message)
  event['@version'] = '1'
  event.host = host
  return event
}

/**
 * All copies of a filter by hand, as one function of an event. The copies are statements with fixed field names, made
 * from our own texts only; a loop over computed names would be slower than what a pipeline compiler writes.
 */
export function bareCopies({ bare, known = {} }) {
  const statements = Array.from({ length: COPIES }, (_, n) => bare(n)).join('\n')
  const scope = Object.keys(known).join(', ')
  return new Function(`{ ${scope} }`, `return (event) => {\n${statements}\n}`)(known)
}

export function expectedEvent(filter) {
  const event = bareEvent(messageOf(filter.fields))
  bareCopies(filter)(event)
  return event
}
