/**
 * `?human`: beside every number with a unit in its name a text for people, placed just before it:
 * `uptime: "2.1h"` before `uptime_in_millis`. One decimal, cut off rather than rounded.
 */
const suffixes: readonly (readonly [suffix: string, render: (value: number) => string])[] = [
  ['_in_bytes', byteSize],
  ['_in_millis', (value) => duration(value, 1e6)],
  ['_in_micros', (value) => duration(value, 1e3)],
  ['_micros', (value) => duration(value, 1e3)],
  ['_nanos', (value) => duration(value, 1)],
]
const byteUnits = ['b', 'kb', 'mb', 'gb', 'tb', 'pb'] as const
const timeUnits: readonly (readonly [unit: string, nanos: number])[] = [
  ['d', 86_400e9],
  ['h', 3600e9],
  ['m', 60e9],
  ['s', 1e9],
  ['ms', 1e6],
  ['micros', 1e3],
  ['nanos', 1],
]

/** A copy with the texts added. */
export function withReadableNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReadableNumbers)
  if (typeof value !== 'object' || value === null) return value
  const entries: [string, unknown][] = []
  for (const [key, member] of Object.entries(value)) {
    const readable = typeof member === 'number' ? readableOf(key, member) : undefined
    if (readable !== undefined && !Object.hasOwn(value, readable[0])) entries.push(readable)
    entries.push([key, withReadableNumbers(member)])
  }
  return Object.fromEntries(entries)
}

function readableOf(key: string, value: number): [string, string] | undefined {
  if (key === 'start_time_in_millis') return ['start_time', new Date(value).toISOString()]
  for (const [suffix, render] of suffixes) {
    if (key.length > suffix.length && key.endsWith(suffix))
      return [key.slice(0, -suffix.length), render(value)]
  }
  return undefined
}

export function byteSize(bytes: number): string {
  let unit = 0
  let scaled = bytes
  while (scaled >= 1024 && unit < byteUnits.length - 1) {
    scaled /= 1024
    unit += 1
  }
  return `${oneDecimal(scaled)}${byteUnits[unit]}`
}

export function duration(value: number, nanosPerUnit: number): string {
  if (value === 0) return '0s'
  if (value < 0) return String(value)
  const nanos = value * nanosPerUnit
  const [unit, size] = timeUnits.find(([, size]) => nanos >= size) ?? ['nanos', 1]
  return `${oneDecimal(nanos / size)}${unit}`
}

function oneDecimal(value: number): string {
  return String(Math.trunc(value * 10) / 10)
}
