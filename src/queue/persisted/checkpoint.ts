/**
 * What a queue knows for certain: which events were acknowledged by the outputs and up to where pages were synced. Two
 * files of a fixed size are overwritten in turns and synced; a torn write leaves the older one. Overwriting needs no
 * room, so that a full disk can be emptied. The form is that of `storage/checked-file.ts`, filled up with blanks.
 */
import { checkedBody, checkedBytes, DamagedFile, type FileKind } from '../../storage/checked-file.ts'
import type { Files, RandomFile } from '../../storage/files.ts'
import type { Interval } from './interval-set.ts'

export interface Checkpoint {
  readonly queueId: string
  /** How often the queue was opened. */
  readonly epoch: number
  /** Counts checkpoints; the slot with the larger one is the newer one. */
  readonly generation: number
  /** Sequence number after the last event that was synced, and where its page goes on. */
  readonly nextSeq: number
  readonly page: number
  readonly offset: number
  /** The first ranges of acknowledged events; ranges for which there is no room are delivered again. */
  readonly acked: readonly Interval[]
}

const checkpointKind: FileKind = { name: 'queue-checkpoint', version: 1, firstRead: 1 }
const slotNames = ['millrace.checkpoint.0', 'millrace.checkpoint.1'] as const
const slotBytes = 4096
/** A line of the head and two numbers of 16 digits for each range stay below the size of a slot. */
export const maxIntervals = 100

interface FoundCheckpoint {
  readonly newest: Checkpoint | undefined
  readonly damaged: readonly { readonly name: string; readonly message: string }[]
}

/** Throws `UnknownFormat` when a slot was written by a newer version. */
export function readCheckpoints(files: Files, directory: string): FoundCheckpoint {
  let newest: Checkpoint | undefined
  const damaged: { name: string; message: string }[] = []
  for (const name of slotNames) {
    const path = `${directory}/${name}`
    if (!files.exists(path)) continue
    try {
      const found = parse(path, checkedBody(path, files.read(path), checkpointKind))
      if (newest === undefined || found.generation > newest.generation) newest = found
    } catch (error) {
      const { name: kind, message } = error as Error
      if (kind === 'UnknownFormat') throw error
      damaged.push({ name, message })
    }
  }
  return { newest, damaged }
}

function parse(path: string, body: Uint8Array): Checkpoint {
  const found = JSON.parse(Buffer.from(body).toString('utf8')) as Partial<Checkpoint>
  const numbers = [found.epoch, found.generation, found.nextSeq, found.page, found.offset]
  if (!numbers.every(Number.isSafeInteger) || !Array.isArray(found.acked))
    throw new DamagedFile(path, 'is damaged: it has not the fields of a checkpoint')
  return found as Checkpoint
}

export class CheckpointSlots {
  readonly #files: Files
  readonly #directory: string
  readonly #open: (RandomFile | undefined)[] = [undefined, undefined]
  /** Slots whose file must not be trusted any more after a failed fsync. */
  readonly #suspect = [false, false]
  /** Slots whose name is in the directory for good. */
  readonly #named: boolean[]

  constructor(files: Files, directory: string) {
    this.#files = files
    this.#directory = directory
    this.#named = slotNames.map((name) => files.exists(`${directory}/${name}`))
  }

  /** Durable when it resolves. The slot is chosen by the generation, which must grow only after success. */
  async write(checkpoint: Checkpoint): Promise<void> {
    const slot = checkpoint.generation % 2
    const bytes = slotContent(checkpoint)
    if (this.#suspect[slot]) return this.#replace(slot, bytes)
    this.#open[slot] ??= this.#files.openRandom(`${this.#directory}/${slotNames[slot]}`)
    this.#open[slot].write(0, bytes)
    this.#suspect[slot] = true
    await this.#open[slot].sync()
    this.#suspect[slot] = false
    if (this.#named[slot]) return
    this.#files.syncDirectory(this.#directory)
    this.#named[slot] = true
  }

  /** A new file takes the name of the old one. */
  #replace(slot: number, bytes: readonly Uint8Array[]): void {
    const path = `${this.#directory}/${slotNames[slot]}`
    this.#open[slot]?.close()
    this.#open[slot] = undefined
    this.#files.write(`${path}.tmp`, bytes)
    this.#files.rename(`${path}.tmp`, path)
    this.#files.syncDirectory(this.#directory)
    this.#suspect[slot] = false
    this.#named[slot] = true
  }

  close(): void {
    for (const file of this.#open) file?.close()
    this.#open.fill(undefined)
  }
}

function slotContent(checkpoint: Checkpoint): Uint8Array[] {
  const text = JSON.stringify({ ...checkpoint, acked: checkpoint.acked.slice(0, maxIntervals) })
  return checkedBytes(checkpointKind, Buffer.from(text.padEnd(slotBytes)))
}
