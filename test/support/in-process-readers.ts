/** Readers of the search store in the test's own thread: every message still passes a port, as between threads. */
import { MessageChannel } from 'node:worker_threads'
import { parseJson } from '../../src/api/search/request-json.ts'
import { compileJavaPattern } from '../../src/regex/java-pattern.ts'
import type { ReadRequest, SearchReaders } from '../../src/search/index/search-readers.ts'
import { ReaderPool } from '../../src/search/readers/reader-pool.ts'
import { SearchReplica } from '../../src/search/readers/search-replica.ts'
import type { JsonObject } from '../../src/search/request/json-object.ts'
import type { Files } from '../../src/storage/files.ts'

export class InProcessReaders implements SearchReaders {
  readonly #pool: ReaderPool
  /** Switched off, the store searches itself. */
  isOn = true
  answered = 0
  /** Searches that the reader left to the store. */
  declined = 0

  constructor(files: Files) {
    this.#pool = new ReaderPool({
      maxReaders: 1,
      start({ message }) {
        const { port1, port2 } = new MessageChannel()
        const replica = new SearchReplica({
          files,
          compile: compileJavaPattern,
          parse: (body, dialect) => parseJson(Buffer.from(body), dialect) as JsonObject,
          post: (said, transfer = []) => port2.postMessage(said, [...transfer]),
        })
        port2.on('message', (said) => replica.receive(said))
        port1.on('message', message)
        port2.postMessage({ kind: 'ready' })
        return {
          post: (said) => port1.postMessage(said),
          async close() {
            port1.close()
          },
        }
      },
    })
  }

  read(request: ReadRequest): Promise<JsonObject | undefined> | undefined {
    return this.isOn ? this.#counted(request) : undefined
  }

  async #counted(request: ReadRequest): Promise<JsonObject | undefined> {
    const response = await this.#pool.read(request, Number.POSITIVE_INFINITY)
    if (response === undefined) this.declined += 1
    else this.answered += 1
    return response
  }

  evict(): void {
    this.#pool.evict()
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}
