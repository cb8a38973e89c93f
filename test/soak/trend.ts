/** A straight line through measurements by least squares, and how far its slope can be trusted. */

export interface Trend {
  /** Per hour. */
  readonly slope: number
  /** Standard error of the slope, per hour. Neighbours resemble each other, so it is taken over means of blocks. */
  readonly noise: number
  /** The slope is no larger than chance makes it (two standard errors) or than `tolerance` over the whole time. */
  readonly isFlat: boolean
}

export interface Point {
  readonly seconds: number
  readonly value: number
}

const secondsPerHour = 3600
const maxBlocks = 24

/** `tolerance`: growth over the measured time that counts as none, in the unit of the values. */
export function trendOf(points: readonly Point[], tolerance: number): Trend {
  if (points.length < 3) return { slope: 0, noise: Number.POSITIVE_INFINITY, isFlat: true }
  const blocks = meansOf(points, Math.min(maxBlocks, points.length))
  const n = blocks.length
  const meanX = blocks.reduce((sum, { seconds }) => sum + seconds, 0) / n
  const meanY = blocks.reduce((sum, { value }) => sum + value, 0) / n
  let xx = 0
  let xy = 0
  for (const { seconds, value } of blocks) {
    xx += (seconds - meanX) ** 2
    xy += (seconds - meanX) * (value - meanY)
  }
  const perSecond = xy / xx
  const residual = blocks.reduce(
    (sum, { seconds, value }) => sum + (value - meanY - perSecond * (seconds - meanX)) ** 2,
    0,
  )
  const slope = perSecond * secondsPerHour
  const noise = Math.sqrt(residual / (n - 2) / xx) * secondsPerHour
  const duration = points.at(-1)!.seconds - points[0]!.seconds
  const growth = perSecond * duration
  return { slope, noise, isFlat: growth <= tolerance || slope <= 2 * noise }
}

function meansOf(points: readonly Point[], count: number): Point[] {
  const means: Point[] = []
  for (let block = 0; block < count; block++) {
    const from = Math.floor((block * points.length) / count)
    const part = points.slice(from, Math.floor(((block + 1) * points.length) / count))
    const mean = (of: (point: Point) => number) =>
      part.reduce((sum, point) => sum + of(point), 0) / part.length
    means.push({ seconds: mean(({ seconds }) => seconds), value: mean(({ value }) => value) })
  }
  return means
}

/** The value below which a share of the values lies; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}
