/**
 * The request to stop an input: asked for once, seen by every wait of its `run`. Waits register themselves and
 * leave again, so that an input which sleeps every second for a year holds on to nothing.
 */
import { maxTimer } from '../../time/max-timer.ts'

export class Stop {
  isRequested = false
  readonly #waiting = new Set<() => void>()
  #controller: AbortController | undefined

  request(): void {
    this.isRequested = true
    this.#controller?.abort()
    for (const wake of [...this.#waiting]) wake()
  }

  /** Aborts when the input has to stop, for calls that take a signal. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.isRequested) this.#controller.abort()
    return this.#controller.signal
  }

  /** Resolves when the input has to stop. */
  get requested(): Promise<void> {
    return this.during(new Promise(() => undefined))
  }

  /** Settles as the promise does, or resolves when the input has to stop. */
  during(promise: Promise<unknown>): Promise<void> {
    if (this.isRequested) {
      // Nobody waits for it any more, so that nobody would hear of its failure.
      promise.catch(() => undefined)
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const wake = () => {
        this.#waiting.delete(wake)
        resolve()
      }
      this.#waiting.add(wake)
      promise.then(wake, (error) => {
        this.#waiting.delete(wake)
        reject(error)
      })
    })
  }

  /** Resolves after the time has passed, or at once when the input has to stop. */
  async sleep(milliseconds: number): Promise<void> {
    if (this.isRequested) return
    let timer: NodeJS.Timeout | undefined
    const passed = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.min(Math.max(milliseconds, 0), maxTimer))
    })
    await this.during(passed)
    clearTimeout(timer)
  }
}

/** Settles as the promise does, or resolves when the pipeline has to stop now, or after the given time. */
export async function orAborted(
  promise: Promise<unknown>,
  abort: AbortSignal,
  milliseconds = maxTimer,
): Promise<void> {
  const enough = new Stop()
  const wake = () => enough.request()
  if (abort.aborted) wake()
  abort.addEventListener('abort', wake, { once: true })
  const timer = setTimeout(wake, milliseconds)
  try {
    await enough.during(promise)
  } finally {
    clearTimeout(timer)
    abort.removeEventListener('abort', wake)
  }
}
