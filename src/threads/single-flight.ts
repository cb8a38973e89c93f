/**
 * Runs a costly observation one at a time (single flight). A caller that asks for the same length while one runs gets
 * its result; all others share the next run, which is as long as the longest they asked for. So no caller waits for
 * more than two runs.
 */
export class SingleFlight<Result> {
  readonly #observe: (length: number) => Promise<Result>
  #running: { length: number; result: Promise<Result> } | undefined
  #next: { length: number; result: Promise<Result> } | undefined

  constructor(observe: (length: number) => Promise<Result>) {
    this.#observe = observe
  }

  run(length: number): Promise<Result> {
    if (this.#running?.length === length) return this.#running.result
    if (this.#next !== undefined) {
      this.#next.length = Math.max(this.#next.length, length)
      return this.#next.result
    }
    if (this.#running === undefined) return this.#start(length)
    const result = this.#running.result.then(noted, noted).then(() => this.#advance())
    this.#next = { length, result }
    return result
  }

  #start(length: number): Promise<Result> {
    const result = this.#observe(length).finally(() => {
      this.#running = undefined
    })
    this.#running = { length, result }
    return result
  }

  #advance(): Promise<Result> {
    const length = this.#next?.length ?? 0
    this.#next = undefined
    return this.#start(length)
  }
}

function noted(): void {}
