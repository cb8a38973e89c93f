/**
 * Events of a test as plain fields. The kit gives its events one fixed time and `@version` 1; both are
 * left out again while unchanged, so that expectations show only what matters.
 */

import { cloneValue } from '../../event/clone.ts'
import { Event } from '../../event/event.ts'
import { Timestamp } from '../../event/timestamp.ts'
import type { Fields } from '../../event/value.ts'

/** `@timestamp` of events whose fields do not give one: 2015-10-01T05:06:07.089Z. */
export const testTime = new Timestamp(1_443_675_967_089)

export function testEvent(fields: Fields): Event {
  return Event.from(cloneValue(fields) as Fields, testTime)
}

/** Fields of an event, with `@metadata` when it has any. */
export function shownFields(event: Event, keepVersion = false): Fields {
  const fields = event.toHashWithMetadata()
  if (fields['@timestamp'] === testTime) delete fields['@timestamp']
  if (fields['@version'] === '1' && !keepVersion) delete fields['@version']
  return fields
}
