/** Spans of time as the file input's options write them: `1 hour`, `250ms`, `2.5 d`, or a bare number. */
const units: ReadonlyMap<string, number> = new Map([
  ...['us', 'usec', 'usecs'].map((name) => [name, 1e-6] as const),
  ...['ms', 'msec', 'msecs'].map((name) => [name, 1e-3] as const),
  ...['s', 'sec', 'secs', 'second', 'seconds'].map((name) => [name, 1] as const),
  ...['m', 'min', 'mins', 'minute', 'minutes'].map((name) => [name, 60] as const),
  ...['h', 'hour', 'hours'].map((name) => [name, 3600] as const),
  ...['d', 'day', 'days'].map((name) => [name, 86_400] as const),
  ...['w', 'week', 'weeks'].map((name) => [name, 604_800] as const),
])

/** Milliseconds; a number without unit is in the given one. */
export function milliseconds(text: string, unit = 's'): number {
  const match = /^(\d+(?:\.\d+)?) ?([a-z]*)$/.exec(text.trim().slice(0, 100))
  const factor = match === null ? undefined : units.get(match[2] || unit)
  if (match === null || factor === undefined) {
    throw new Error(
      `Value '${text}' is not a valid duration string e.g. 200 usec, 250ms, 60 sec, 18h, 21.5d, 1 day, 2w, 6 weeks`,
    )
  }
  return Number(match[1]) * factor * 1000
}
