/**
 * Fields whose names come out of the data: keys of pairs, columns, members. A plain name is written
 * straight into the event, anything that may be a reference or a reserved field goes through `Event.set`.
 */
import type { Event } from '../../event/event.ts'
import { putField, type Value } from '../../event/value.ts'

/** Characters that make a name more than the name of a field: references and escaped references. */
const referenceCharacters = /[[\]%&]/

/** Whether the name is nothing but the name of a top-level field without rules of its own. */
export function isPlainName(name: string): boolean {
  if (referenceCharacters.test(name)) return false
  return name !== 'tags' && name !== '@timestamp' && name !== '@metadata'
}

export function setDynamic(event: Event, name: string, value: Value): void {
  if (isPlainName(name)) {
    event.raw = null
    putField(event.data, name, value)
  } else event.set(name, value)
}

/** `[target][name]`, whichever way the two are written. */
export function nestedReference(target: string, name: string): string {
  return `${bracketed(target)}${bracketed(name)}`
}

function bracketed(reference: string): string {
  return reference.startsWith('[') && reference.endsWith(']') ? reference : `[${reference}]`
}
