/** The pages of a queue in order of their numbers, which is also the order of their events. */
import type { QueuePage } from './queue-page.ts'

export class PageTable {
  #pages: QueuePage[]

  constructor(pages: readonly QueuePage[]) {
    this.#pages = [...pages]
  }

  [Symbol.iterator](): IterableIterator<QueuePage> {
    return this.#pages[Symbol.iterator]()
  }

  get last(): QueuePage | undefined {
    return this.#pages.at(-1)
  }

  get bytes(): number {
    let bytes = 0
    for (const page of this.#pages) bytes += page.bytes
    return bytes
  }

  add(page: QueuePage): void {
    this.#pages.push(page)
  }

  remove(gone: ReadonlySet<QueuePage>): void {
    this.#pages = this.#pages.filter((page) => !gone.has(page))
  }

  /** The page with an event. A page that was given up may have the numbers of the next one, which then counts. */
  find(seq: number): QueuePage | undefined {
    let low = 0
    let high = this.#pages.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#pages[middle]!.firstSeq <= seq) low = middle + 1
      else high = middle
    }
    const page = this.#pages[low - 1]
    return page !== undefined && seq < page.endSeq ? page : undefined
  }
}
