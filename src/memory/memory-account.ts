/**
 * One account of what the process holds, over all its threads: a row for each thread, a cell for each kind, in memory
 * that every thread sees. A thread writes its own row only, and whoever wants to know a sum adds up without asking
 * anybody, so that a thread that is busy for long takes part, too. Whoever starts a thread releases its row when it ends.
 */
import { isMainThread, threadId } from 'node:worker_threads'
import { inheritedBlock } from './inherited-block.ts'
import { standardLimit } from './memory-limit.ts'

export const memoryKinds = [
  /** Events that wait for a worker. */
  'queues',
  /** Events that are with workers and outputs. */
  'batches',
  /** What inputs have received of lines and bodies that are not complete. */
  'inputs',
  /** What is complete and finds its queue full. */
  'waiting',
  /** Bodies of requests to the search API. */
  'requests',
  /** Answers and aggregations in the making. */
  'answers',
  /** What searches have decoded of segments. */
  'caches',
  /** Documents that are in no segment file yet. */
  'buffers',
] as const
type MemoryKind = (typeof memoryKinds)[number]

/** `bin/millrace.js` has both as literals: it loads nothing before it starts the first thread. */
const key = 'millrace.account'
const accountBytes = 16 * 1024

const maxRows = 128
/** Owners, four bytes each; then the limit of the process; then the rows. */
const limitOffset = maxRows * 4
const rowsOffset = limitOffset + 8
/** Shares of the limit: for what pipelines hold in queues and batches, and for what their inputs hold. */
const shares = { pipelines: 0.15, inputs: 0.1 }

export class MemoryAccount {
  /** Thread id plus one; 0 where nobody is. */
  readonly #owners: Int32Array
  readonly #limit: Float64Array
  readonly #cells: Float64Array
  readonly #thread: number
  #own: Float64Array | undefined

  constructor(memory: SharedArrayBuffer, thread: number) {
    this.#owners = new Int32Array(memory, 0, maxRows)
    this.#limit = new Float64Array(memory, limitOffset, 1)
    this.#cells = new Float64Array(memory, rowsOffset, maxRows * memoryKinds.length)
    this.#thread = thread
  }

  /** Memory limit of the whole process, in bytes. */
  get limit(): number {
    return this.#limit[0]! || standardLimit()
  }

  set limit(bytes: number) {
    this.#limit[0] = bytes
  }

  get pipelinesLimit(): number {
    return this.limit * shares.pipelines
  }

  get inputsLimit(): number {
    return this.limit * shares.inputs
  }

  /** So many bytes more, or less, are held by this thread. */
  add(kind: MemoryKind, bytes: number): void {
    this.#row()[memoryKinds.indexOf(kind)]! += bytes
  }

  set(kind: MemoryKind, bytes: number): void {
    this.#row()[memoryKinds.indexOf(kind)] = bytes
  }

  /** Over all threads. */
  total(kind: MemoryKind): number {
    let sum = 0
    const column = memoryKinds.indexOf(kind)
    for (let row = 0; row < maxRows; row++)
      if (this.#owners[row] !== 0) sum += this.#cells[row * memoryKinds.length + column]!
    return Math.max(0, sum)
  }

  totals(): Record<MemoryKind, number> {
    return Object.fromEntries(memoryKinds.map((kind) => [kind, this.total(kind)])) as Record<
      MemoryKind,
      number
    >
  }

  /** What pipelines hold of the limit that they have together. */
  get pipelines(): number {
    return this.total('queues') + this.total('batches')
  }

  /** The thread has ended: what it held is gone. */
  release(thread: number): void {
    const row = this.#owners.indexOf(thread + 1)
    if (row < 0) return
    this.#cellsOf(row).fill(0)
    Atomics.store(this.#owners, row, 0)
  }

  #cellsOf(row: number): Float64Array {
    return this.#cells.subarray(row * memoryKinds.length, (row + 1) * memoryKinds.length)
  }

  #row(): Float64Array {
    this.#own ??= this.#claim()
    return this.#own
  }

  #claim(): Float64Array {
    for (let row = 0; row < maxRows; row++)
      if (Atomics.compareExchange(this.#owners, row, 0, this.#thread + 1) === 0) return this.#cellsOf(row)
    // More threads than rows: this one is not seen, and everything else goes on.
    return new Float64Array(memoryKinds.length)
  }
}

/** The account of this process. */
export const memoryAccount = new MemoryAccount(inheritedBlock(key, accountBytes), isMainThread ? 0 : threadId)
