/**
 * Progress of long work on standard error: a bar with the time left for a person, a plain line now and then for a log.
 * Work of unknown size shows how much is done.
 */

interface ProgressTarget {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

interface ProgressOptions {
  readonly title: string
  readonly unit: string
  /** Undefined when nobody knows. */
  readonly total?: number | undefined
  readonly target?: ProgressTarget
  readonly clock?: () => number
}

/** Work that ends sooner says nothing. */
const silentMillis = 1000
const barEvery = 100
const lineEvery = 10_000
const barWidth = 24

export class Progress {
  readonly #options: ProgressOptions
  readonly #target: ProgressTarget
  readonly #clock: () => number
  readonly #started: number
  #done = 0
  #shownAt: number
  #hasBar = false

  constructor(options: ProgressOptions) {
    this.#options = options
    this.#target = options.target ?? process.stderr
    this.#clock = options.clock ?? (() => performance.now())
    this.#started = this.#clock()
    this.#shownAt = this.#started
  }

  add(count: number): void {
    this.#done += count
    const now = this.#clock()
    const isTerminal = this.#target.isTTY === true
    if (now - this.#started < silentMillis || now - this.#shownAt < (isTerminal ? barEvery : lineEvery))
      return
    this.#shownAt = now
    if (isTerminal) {
      this.#hasBar = true
      this.#target.write(`\r${this.#text(true).slice(0, (this.#target.columns ?? 80) - 1)}\u001b[K`)
    } else this.#target.write(`${this.#text(false)}\n`)
  }

  /** Takes the bar away. */
  end(): void {
    if (this.#hasBar) this.#target.write('\r\u001b[K')
  }

  #text(hasBar: boolean): string {
    const { title, unit, total } = this.#options
    const done = this.#done.toLocaleString('en-US')
    if (total === undefined || total <= 0) return `${title}: ${done} ${unit}`
    const share = Math.min(1, this.#done / total)
    const bar = hasBar ? `[${'█'.repeat(Math.round(share * barWidth)).padEnd(barWidth, '·')}] ` : ''
    const left =
      share === 0 ? '' : `, ${timeText(((this.#clock() - this.#started) / share) * (1 - share))} left`
    return `${title}: ${bar}${Math.floor(share * 100)} % of ${total.toLocaleString('en-US')} ${unit}${left}`
  }
}

function timeText(millis: number): string {
  const seconds = Math.ceil(millis / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
