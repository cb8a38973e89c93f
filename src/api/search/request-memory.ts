/**
 * The memory of one request, from the first byte of its body to the last byte of its answer: counted by the
 * circuit breakers, waited for when there is none, and released when the request ends.
 */
import type { AnswerBytes } from '../../search/answer/answer-memory.ts'
import type { Cluster } from '../../search/index/cluster.ts'

/** Bulk lines are used in place; other bodies are parsed into strings and objects beside the bytes. */
const objectsPerByte = 3
/** The assumed size of a body without a content length. */
const unknownBytes = 64 * 1024

export class RequestMemory {
  readonly #cluster: Cluster
  readonly #factor: number
  #admitted = 0
  readonly #leave: (() => void)[] = []
  #answer: AnswerBytes | undefined
  #isEnded = false

  constructor(cluster: Cluster, path: string) {
    this.#cluster = cluster
    this.#factor = path.endsWith('/_bulk') || path.endsWith('/_bulk/') ? 1 : objectsPerByte
  }

  /** Reserves memory for a body; throws a refusal when there is none in time. */
  async admit(length: number | undefined): Promise<void> {
    if (length === 0) return
    await this.#take(length ?? unknownBytes)
  }

  /** Reserves more memory, for decompression or a body of unknown length. */
  async admitUpTo(length: number): Promise<void> {
    if (length > this.#admitted) await this.#take(length - this.#admitted)
  }

  async #take(bytes: number): Promise<void> {
    const leave = await this.#cluster.memory.admitBody(bytes * this.#factor)
    this.#admitted += bytes
    if (this.#isEnded) leave()
    else this.#leave.push(leave)
  }

  /** Accounts for the answer while it is rendered and sent. */
  get answer(): AnswerBytes {
    this.#answer ??= this.#cluster.answerBytes()
    return this.#answer
  }

  end(): void {
    this.#isEnded = true
    this.#answer?.release()
    for (const leave of this.#leave.splice(0)) leave()
  }
}
