/**
 * A range of time as people write it: `now-15m~now`, dates, or a mixture. Relative ends are fixed when a search begins, so
 * that its pages, its chart and its fields speak of the same moment.
 */
export interface TimeRange {
  readonly from: string
  readonly to: string
}

/** Epoch milliseconds; undefined is open. */
export interface Bounds {
  readonly from: number | undefined
  readonly to: number | undefined
}

const defaultRange: TimeRange = { from: 'now-15m', to: 'now' }
export const allTime: TimeRange = { from: '', to: '' }

export const quickRanges: readonly { readonly name: string; readonly range: TimeRange }[] = [
  ...['5m', '15m', '1h', '4h', '24h', '7d', '30d'].map((span) => ({
    name: `Last ${span.replace('m', ' min').replace('h', ' h').replace('d', ' d')}`,
    range: { from: `now-${span}`, to: 'now' },
  })),
  { name: 'All time', range: allTime },
]

export function readRange(text: string | null): TimeRange {
  if (text === null || text === '') return defaultRange
  if (text === 'all') return allTime
  const [from = '', to = ''] = text.split('~')
  return { from: from.trim(), to: to.trim() }
}

export function writeRange({ from, to }: TimeRange): string | undefined {
  if (from === defaultRange.from && to === defaultRange.to) return undefined
  return from === '' && to === '' ? 'all' : `${from}~${to}`
}

export function rangeText({ from, to }: TimeRange): string {
  const quick = quickRanges.find(({ range }) => range.from === from && range.to === to)
  return quick?.name ?? `${from === '' ? 'the beginning' : from} to ${to === '' ? 'the end' : to}`
}

const unitMillis: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** Undefined for a text that names no moment. `now`, `now-2h`, `2026-05-04`, `2026-05-04 08:12`, epoch milliseconds. */
export function momentOf(text: string, now: number): number | undefined {
  const relative = /^now(?:([+-])(\d{1,6})([smhdw]))?$/.exec(text.trim())
  if (relative !== null) {
    const [, sign, amount, unit = 's'] = relative
    const distance = Number(amount ?? 0) * unitMillis[unit]!
    return sign === '-' ? now - distance : now + distance
  }
  if (/^\d{11,15}$/.test(text)) return Number(text)
  const form =
    /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/.exec(
      text.trim(),
    )
  if (form === null) return undefined
  const [, date, time = '00:00', zone = ''] = form
  const millis = Date.parse(`${date}T${time}${zone}`)
  return Number.isNaN(millis) ? undefined : millis
}

/** Undefined when an end cannot be read. */
export function boundsOf({ from, to }: TimeRange, now: number): Bounds | undefined {
  const bounds = {
    from: from === '' ? undefined : momentOf(from, now),
    to: to === '' ? undefined : momentOf(to, now),
  }
  const isRead = (from === '' || bounds.from !== undefined) && (to === '' || bounds.to !== undefined)
  return isRead && !(bounds.from !== undefined && bounds.to !== undefined && bounds.from > bounds.to)
    ? bounds
    : undefined
}

const steps = [
  10, 50, 100, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000,
  10_800_000, 21_600_000, 43_200_000, 86_400_000, 604_800_000, 2_592_000_000, 31_536_000_000,
]
const maxBars = 120

/** The shortest step that gives at most 120 bars. */
export function stepOf(from: number, to: number): number {
  const span = Math.max(1, to - from)
  return steps.find((step) => span / step <= maxBars) ?? Math.ceil(span / maxBars)
}

/** A range as fixed moments, for a link that means the same tomorrow. */
export function fixedRange({ from, to }: Bounds): TimeRange {
  const text = (millis: number | undefined) => (millis === undefined ? '' : new Date(millis).toISOString())
  return { from: text(from), to: text(to) }
}
