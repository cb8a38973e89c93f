/**
 * The header by which the logstash output tells the names of the events of a request to the logstash input of another
 * node, in their order: a batch that is sent twice, because its answer was lost or its sender started again, then has
 * the same names. It is kept short, because receivers take heads of 8 kB at most: sixteen letters for an event, a
 * hyphen for one that has no lasting name.
 */
import { createHash } from 'node:crypto'

export const eventNamesHeader = 'millrace-events'

/** Events of one request, so that the header stays below 4 kB. */
export const maxNamedEvents = 200

const nameLength = 16
const unnamed = '-'

export function writeNames(names: readonly (string | undefined)[]): string | undefined {
  if (names.every((name) => name === undefined)) return undefined
  return names.map((name) => (name === undefined ? unnamed : shortName(name))).join(',')
}

/** 96 bits of a digest. */
function shortName(name: string): string {
  return createHash('sha256').update(name).digest('base64url').slice(0, nameLength)
}

/** Undefined for a text that no output has written. */
export function readNames(text: string): (string | undefined)[] | undefined {
  const names = text.split(',')
  if (names.length > maxNamedEvents || !names.every((name) => /^(?:[\w-]{16}|-)$/.test(name)))
    return undefined
  return names.map((name) => (name === unnamed ? undefined : name))
}
