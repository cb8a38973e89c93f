/**
 * A second list that holds what was read and is not safe yet (the reliable queue of the documentation of LMOVE): moving
 * an item is one step of the server, so that it is in one of both lists whenever this program ends. Safe items are taken
 * out of it; what an earlier run left goes back to the head of the first list. Needs Redis 6.2 or later.
 */
import { type RespClient, RespTooLong, type RespValue } from '../../redis/resp-client.ts'

/** Removals of one round trip. */
const removalsAtOnce = 500
/** Items that go back in one round trip. */
const returnedAtOnce = 100

export class ProcessingList {
  readonly #key: string
  readonly #name: string
  #safe: Buffer[] = []
  #isRemoving = false

  constructor(key: string, name: string) {
    this.#key = key
    this.#name = name
  }

  /** Up to `count` items; waits so many seconds for the first one. */
  async take(client: RespClient, count: number, seconds: number): Promise<RespValue[]> {
    const first = await moved(client.command('BLMOVE', this.#key, this.#name, 'LEFT', 'RIGHT', seconds))
    if (first === null) return []
    const others = Array.from({ length: Math.max(0, count - 1) }, () =>
      moved(client.command('LMOVE', this.#key, this.#name, 'LEFT', 'RIGHT')),
    )
    return [first, ...(await Promise.all(others)).filter((item) => item !== null)]
  }

  /** The item is safe; it is removed by the next `removeSafe`. */
  settle(item: Buffer): void {
    this.#safe.push(item)
  }

  /** Those it could not remove are removed the next time. The oldest are at the head, where the server looks first. */
  async removeSafe(client: RespClient): Promise<void> {
    if (this.#isRemoving) return
    this.#isRemoving = true
    try {
      while (this.#safe.length > 0) {
        const some = this.#safe.slice(0, removalsAtOnce)
        await Promise.all(some.map((item) => client.command('LREM', this.#name, 1, item)))
        this.#safe.splice(0, some.length)
      }
    } finally {
      this.#isRemoving = false
    }
  }

  /** Everything in it goes back, in its order; returns how many items. */
  async giveBack(client: RespClient): Promise<number> {
    for (let count = 0; ; ) {
      const moves = Array.from({ length: returnedAtOnce }, () =>
        moved(client.command('LMOVE', this.#name, this.#key, 'RIGHT', 'LEFT')),
      )
      const back = (await Promise.all(moves)).filter((item) => item !== null).length
      count += back
      if (back < returnedAtOnce) return count
    }
  }
}

/** An item that is too long to be read was moved like any other. */
function moved(reply: Promise<RespValue>): Promise<RespValue> {
  return reply.catch((error: Error) => {
    if (error instanceof RespTooLong) return error
    throw error
  })
}
