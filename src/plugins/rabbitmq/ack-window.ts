/**
 * Messages of one channel that were received and are not acknowledged yet. Messages become safe in any order; those before
 * which nothing is missing are acknowledged together, the others one by one, so that a message whose events are never safe
 * holds nobody back but itself. It goes back to its queue when the channel closes.
 */
export class AckWindow<M> {
  readonly #acknowledge: (message: M, allUpTo: boolean) => void
  /** In the order of arrival; undefined once acknowledged. */
  #messages: ({ readonly message: M; isSafe: boolean } | undefined)[] = []
  #open = 0
  #isPlanned = false
  #isClosed = false
  #waiting: (() => void)[] = []

  constructor(acknowledge: (message: M, allUpTo: boolean) => void) {
    this.#acknowledge = acknowledge
  }

  /** A message arrived; call the result when its events are safe. */
  track(message: M): () => void {
    const entry = { message, isSafe: false }
    this.#messages.push(entry)
    this.#open += 1
    return () => {
      if (entry.isSafe) return
      entry.isSafe = true
      this.#open -= 1
      if (!this.#isPlanned) {
        this.#isPlanned = true
        setImmediate(() => this.flush())
      }
      if (this.#open === 0) for (const resolve of this.#waiting.splice(0)) resolve()
    }
  }

  /** A message arrived that is never acknowledged: it goes back to its queue when the channel closes. */
  leave(message: M): void {
    this.#messages.push({ message, isSafe: false })
  }

  /** Acknowledges what is safe. */
  flush(): void {
    this.#isPlanned = false
    if (this.#isClosed) return
    const messages = this.#messages
    let end = 0
    let last: M | undefined
    while (end < messages.length && messages[end]?.isSafe !== false) {
      last = messages[end]?.message ?? last
      end += 1
    }
    if (last !== undefined) this.#acknowledge(last, true)
    this.#messages = messages.slice(end)
    for (const [i, entry] of this.#messages.entries()) {
      if (entry?.isSafe !== true) continue
      this.#acknowledge(entry.message, false)
      this.#messages[i] = undefined
    }
  }

  /** Resolves when everything that was received is safe. */
  settled(): Promise<void> {
    if (this.#open === 0) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** The channel is gone: nothing can be acknowledged any more. */
  close(): void {
    this.#isClosed = true
  }
}
