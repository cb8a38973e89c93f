/** Figures as people read them. `–` stands for what is not known. */
const plain = new Intl.NumberFormat('en')
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 })
const none = '–'

export function count(value: number | bigint | undefined): string {
  return value === undefined ? none : plain.format(value)
}

/** Short enough for a tile. */
export function brief(value: number | undefined): string {
  return value === undefined
    ? none
    : Math.abs(value) < 10_000
      ? plain.format(Math.round(value))
      : compact.format(value)
}

export function rate(value: number | undefined): string {
  if (value === undefined) return none
  if (value === 0) return '0/s'
  if (value < 0.095) return '<0.1/s'
  return `${value < 10 ? value.toFixed(1) : brief(value)}/s`
}

export function micros(millis: number | undefined): string {
  if (millis === undefined) return none
  const value = millis * 1000
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)} s`
  if (value >= 10_000) return `${(value / 1000).toFixed(value < 100_000 ? 1 : 0)} ms`
  return `${value < 10 && value > 0 ? value.toFixed(1) : plain.format(Math.round(value))} µs`
}

export function percent(value: number | undefined): string {
  if (value === undefined) return none
  return `${value < 10 && value > 0 ? value.toFixed(1) : Math.round(value)} %`
}

const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']

export function bytes(value: number | undefined): string {
  if (value === undefined) return none
  let size = Math.abs(value)
  let unit = 0
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024
    unit += 1
  }
  return `${value < 0 ? '-' : ''}${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`
}

const steps: readonly (readonly [name: string, millis: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
]

/** The two largest units: `3 h 12 min`. */
export function duration(millis: number | undefined): string {
  if (millis === undefined) return none
  if (millis < 1000) return `${Math.max(0, Math.round(millis))} ms`
  const parts: string[] = []
  let rest = millis
  for (const [name, size] of steps) {
    const amount = Math.floor(rest / size)
    if (amount === 0 && parts.length === 0) continue
    if (amount > 0) parts.push(`${amount} ${name}`)
    rest -= amount * size
    if (parts.length === 2 || name === 's') break
  }
  return parts.join(' ')
}

export function ago(then: number, now: number): string {
  return now - then < 1500 ? 'just now' : `${duration(now - then)} ago`
}

const two = (value: number) => String(value).padStart(2, '0')

/** `2026-05-04 08:12:01.123`, in the zone of the browser or UTC. */
export function moment(millis: number, isUtc: boolean, hasMillis = true): string {
  if (!Number.isFinite(millis) || Math.abs(millis) > 8.64e15) return String(millis)
  const shifted = new Date(isUtc ? millis : millis - new Date(millis).getTimezoneOffset() * 60_000)
  const [date = '', time = ''] = shifted.toISOString().replace('Z', '').split('T')
  return `${date} ${hasMillis ? time : time.slice(0, 8)}`
}

export function clock(millis: number): string {
  const date = new Date(millis)
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}
