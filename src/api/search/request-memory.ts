/**
 * The memory of one request, from the first byte of its body to the last byte of its answer: counted by the circuit
 * breakers, waited for when there is none, and given back at the end, however the request ends.
 */
import type { AnswerBytes } from '../../search/answer/answer-memory.ts'
import type { Cluster } from '../../search/index/cluster.ts'

/** Lines of bulk requests are used where they are; other bodies become texts and objects beside the bytes. */
const objectsPerByte = 3
/** Until a body without a length has come it counts as this. */
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

  /** Room for a body; throws a refusal when there is none in time. */
  async admit(length: number | undefined): Promise<void> {
    if (length === 0) return
    await this.#take(length ?? unknownBytes)
  }

  /** Room for more bytes of it: what it takes when it is unpacked, or of which nobody told the length. */
  async admitUpTo(length: number): Promise<void> {
    if (length > this.#admitted) await this.#take(length - this.#admitted)
  }

  async #take(bytes: number): Promise<void> {
    const leave = await this.#cluster.memory.admitBody(bytes * this.#factor)
    this.#admitted += bytes
    if (this.#isEnded) leave()
    else this.#leave.push(leave)
  }

  /** Counts the answer while it is written and sent. */
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
