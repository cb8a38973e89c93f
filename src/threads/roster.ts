/**
 * Who runs where: every thread writes its name and its kernel thread into shared memory when it gets its
 * task, and gives the kernel its name too, for `top -H`. A row belongs to a thread id of Node.js modulo the
 * number of rows; ids are never used again, so a row of a thread that has ended is overwritten or stale,
 * and stale rows are told by their kernel thread being gone.
 *
 * Row of 128 bytes: id + 1 (0: being written), kernel thread, length of the name, name in UTF-8.
 */
import { readlinkSync, writeFileSync } from 'node:fs'
import { isMainThread, threadId } from 'node:worker_threads'
import { type MemoryPart, rosterMemory } from './memory/process-memory.ts'

export interface RosterEntry {
  readonly workerThreadId: number
  /** 0 where the kernel does not tell. */
  readonly kernelId: number
  readonly name: string
}

const rowBytes = 128
/** Id, kernel thread, length of the name. */
const headBytes = 3 * Int32Array.BYTES_PER_ELEMENT
/** What the kernel keeps of a name. */
const kernelNameBytes = 15

export class Roster {
  readonly #head: Int32Array
  readonly #bytes: Uint8Array
  readonly #rows: number

  constructor({ buffer, offset, length }: MemoryPart) {
    this.#head = new Int32Array(buffer, offset, length / 4)
    this.#bytes = new Uint8Array(buffer, offset, length)
    this.#rows = Math.floor(length / rowBytes)
  }

  enter({ workerThreadId, kernelId, name }: RosterEntry): void {
    const start = (workerThreadId % this.#rows) * rowBytes
    const cell = start / 4
    Atomics.store(this.#head, cell, 0)
    const bytes = Buffer.from(name).subarray(0, rowBytes - headBytes)
    this.#bytes.set(bytes, start + headBytes)
    Atomics.store(this.#head, cell + 1, kernelId)
    Atomics.store(this.#head, cell + 2, bytes.length)
    Atomics.store(this.#head, cell, workerThreadId + 1)
  }

  entries(): RosterEntry[] {
    const found: RosterEntry[] = []
    for (let row = 0; row < this.#rows; row++) {
      const cell = (row * rowBytes) / 4
      const id = Atomics.load(this.#head, cell)
      if (id === 0) continue
      const kernelId = Atomics.load(this.#head, cell + 1)
      const start = row * rowBytes + headBytes
      const name = Buffer.from(this.#bytes.slice(start, start + Atomics.load(this.#head, cell + 2)))
      if (Atomics.load(this.#head, cell) === id) {
        found.push({ workerThreadId: id - 1, kernelId, name: name.toString() })
      }
    }
    return found
  }
}

export const roster = new Roster(rosterMemory)

/** Enters the calling thread. */
export function enterRoster(name: string): void {
  roster.enter({ workerThreadId: isMainThread ? 0 : threadId, kernelId: ownKernelId(), name })
  // The first thread's name in the kernel is that of the whole process.
  if (!isMainThread) tellKernel(name)
}

/** The link is `<process>/task/<thread>`, seen by the thread that reads it. */
function ownKernelId(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').pop())
  } catch {
    return 0
  }
}

function tellKernel(name: string): void {
  try {
    writeFileSync('/proc/thread-self/comm', shortName(name))
  } catch {}
}

/** The kernel keeps 15 bytes; of `[long-pipeline-id]>worker12` the end says more than the middle. */
export function shortName(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '_')
  if (plain.length <= kernelNameBytes) return plain
  const end = /\]?>worker\d+$/.exec(plain)?.[0] ?? ''
  return `${plain.slice(0, kernelNameBytes - end.length)}${end}`.slice(0, kernelNameBytes)
}
