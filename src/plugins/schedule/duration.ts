/** Lengths of time as rufus-scheduler writes them: `30s`, `1h30m`, `1.5m`, `2w`, or a number of seconds. */
const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
  M: 30 * 86_400_000,
  y: 365 * 86_400_000,
}

/** In milliseconds; undefined when the text is none. */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim()
  if (/^\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed) * 1000
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhdwMy])\s*)+$/.test(trimmed)) return undefined
  let total = 0
  for (const [, number, unit] of trimmed.matchAll(/(\d+(?:\.\d+)?)(ms|[smhdwMy])/g)) {
    total += Number(number) * units[unit!]!
  }
  return total
}
