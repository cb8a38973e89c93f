/**
 * What an input has handed to the pipeline and not yet heard to be safe. Whoever waits for that hears it, or hears that
 * there is nothing to wait for any more: a pipeline that failed never says that events are safe.
 */
import { orAborted, type Stop } from './stop.ts'

/** How long an input that has to stop waits for events to become safe before it gives up on them. */
export const graceMilliseconds = 5000

/**
 * Waits until that says that everything is safe. An input that has to stop does not wait for ever; false means that not
 * everything is safe, so that no position may be remembered.
 */
export async function untilSafe(settled: Promise<void>, stop: Stop, abort: AbortSignal): Promise<boolean> {
  let isSafe = false
  const known = settled.then(() => {
    isSafe = true
  })
  await stop.during(known)
  if (!isSafe) await orAborted(known, abort, graceMilliseconds)
  return isSafe
}

/** How long an input that remembers positions waits when it has to stop, as long as positions still move. */
const maxMilliseconds = 30_000

/**
 * Waits for what has a position to become safe, while the input stops: for as long as positions move, because what they
 * do not cover is read again. In a pipeline that failed none does.
 */
export async function whilePositionsMove(
  settled: Promise<unknown>,
  abort: AbortSignal,
  position: () => unknown,
): Promise<void> {
  let isSettled = false
  const known = settled.then(() => {
    isSettled = true
  })
  for (let waited = 0; waited < maxMilliseconds; waited += graceMilliseconds) {
    const before = position()
    await orAborted(known, abort, graceMilliseconds)
    if (isSettled || abort.aborted || position() === before) return
  }
}

export class Arrivals {
  readonly #pending = new Map<() => void, Promise<boolean>>()
  #isOver = false

  /** How many are waited for. */
  get size(): number {
    return this.#pending.size
  }

  /**
   * Hands something over by `push`, which gives `done` to the sink. Resolves true when it is safe, false when nobody
   * waits any more; rejects when the pipeline refused it.
   */
  handOver(push: (done: () => void) => void | Promise<void>): Promise<boolean> {
    if (this.#isOver) return Promise.resolve(false)
    let abandon!: () => void
    const safe = new Promise<boolean>((resolve, reject) => {
      const settle = (isSafe: boolean) => {
        this.#pending.delete(abandon)
        resolve(isSafe)
      }
      const refuse = (error: unknown) => {
        this.#pending.delete(abandon)
        reject(error)
      }
      abandon = () => settle(false)
      // Known before the push, whose `done` may be called at once.
      this.#pending.set(abandon, nothing)
      try {
        push(() => settle(true))?.catch(refuse)
      } catch (error) {
        refuse(error)
      }
    })
    if (this.#pending.has(abandon)) this.#pending.set(abandon, safe)
    return safe
  }

  /** Waits for what is under way, for some time; what is not safe by then is given up, and so is all that comes. */
  async finish(abort: AbortSignal, milliseconds = graceMilliseconds): Promise<void> {
    await orAborted(Promise.allSettled(this.#pending.values()), abort, milliseconds)
    this.abandon()
  }

  abandon(): void {
    this.#isOver = true
    for (const abandon of [...this.#pending.keys()]) abandon()
  }
}

const nothing = Promise.resolve(false)
