/**
 * The log every change goes through before it is acknowledged. A file is a row of frames: length (u32), CRC-32
 * (u32), operations. `commit` writes what has gathered as one frame and syncs; calls that come while a sync is
 * under way share the next one. A frame that was cut off at the end of the log is what a crash leaves behind;
 * a bad frame with good ones after it is damage.
 */
import { crc32 } from 'node:zlib'
import type { AppendFile, Files } from '../../storage/files.ts'
import { ByteWriter } from '../segment/byte-writer.ts'
import type { SourceValues } from '../segment/source-shape.ts'
import {
  type FrameShapes,
  type LoggedOperation,
  type Operation,
  type Replaced,
  readOperations,
  writeOperation,
} from './operation.ts'

const headBytes = 8
const largestFrame = 0x7fff_ffff
/** How far behind a bad frame a good one is looked for. */
const searchedBytes = 1024 * 1024
/** Memory a log keeps for its next frame. */
const mostKept = 8 * 1024 * 1024

export class WriteAheadLog {
  readonly #files: Files
  readonly #directory: string
  generation: number
  #file: AppendFile
  /** A frame that is being filled; its head is written at the end. */
  #gathered = emptyFrame(undefined)
  readonly #shapes: FrameShapes = new Map()
  #olderBytes = 0
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined
  #failure: Error | undefined

  constructor(files: Files, directory: string, generation: number) {
    this.#files = files
    this.#directory = directory
    this.generation = generation
    this.#file = this.#open()
  }

  #open(): AppendFile {
    const file = this.#files.openAppend(logPath(this.#directory, this.generation))
    this.#files.syncDirectory(this.#directory)
    return file
  }

  /** Of all generations that are still needed. */
  get size(): number {
    return this.#olderBytes + this.#file.size + this.#gathered.length - headBytes
  }

  /** `values`: of the source, where it is like others. */
  add(operation: Operation, replaced: Replaced, values?: SourceValues): void {
    if (this.#failure !== undefined) throw this.#failure
    writeOperation(this.#gathered, this.#shapes, operation, replaced, values)
  }

  /** Resolves when everything added before is on the disk. `sync: false` leaves that to the operating system. */
  commit(sync = true): Promise<void> {
    if (!sync) {
      this.#write()
      return Promise.resolve()
    }
    if (this.#running === undefined) return this.#start()
    this.#next ??= this.#running.then(
      () => this.#startNext(),
      () => this.#startNext(),
    )
    return this.#next
  }

  #startNext(): Promise<void> {
    this.#next = undefined
    return this.#start()
  }

  #start(): Promise<void> {
    const running = this.#writeAndSync().finally(() => {
      if (this.#running === running) this.#running = undefined
    })
    this.#running = running
    return running
  }

  /** After a failed write or sync nobody knows what is on the disk, so the log takes no more. */
  async #writeAndSync(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    try {
      this.#write()
      await this.#file.sync()
    } catch (error) {
      this.#failure = error as Error
      throw error
    }
  }

  /** The memory is used again: what was appended is the file's by then. */
  #write(): void {
    const gathered = this.#gathered
    if (gathered.length <= headBytes) return
    const frame = gathered.view()
    const head = new DataView(frame.buffer, frame.byteOffset, headBytes)
    const payload = frame.subarray(headBytes)
    head.setUint32(0, payload.length, true)
    head.setUint32(4, crc32(payload), true)
    try {
      this.#file.append([frame])
    } finally {
      this.#gathered = emptyFrame(frame.length > mostKept ? undefined : gathered)
      this.#shapes.clear()
    }
  }

  /** Goes on in a new file; everything that was added before the call is in the old ones. */
  async roll(): Promise<void> {
    await this.commit()
    // Others may have begun a commit since; the old file is theirs until it is done.
    while (this.#running !== undefined) await this.#running
    const old = this.#file
    this.#olderBytes += old.size
    this.generation += 1
    this.#file = this.#open()
    old.close()
  }

  /** Files of generations below this one are no longer needed. */
  removeBelow(generation: number): void {
    if (generation === this.generation) this.#olderBytes = 0
    for (const name of this.#files.list(this.#directory)) {
      const found = generationOf(name)
      if (found !== undefined && found < generation) this.#files.remove(`${this.#directory}/${name}`)
    }
  }

  async close(): Promise<void> {
    await this.commit()
    this.#file.close()
  }
}

function emptyFrame(used: ByteWriter | undefined): ByteWriter {
  const frame = used ?? new ByteWriter()
  frame.length = 0
  frame.bytes(noHead)
  return frame
}

const noHead = new Uint8Array(headBytes)

export class LogDamaged extends Error {
  override readonly name = 'LogDamaged'
}

/** Hands over the operations of all generations from `from` on, oldest first; cuts off an unfinished last frame. */
export function replayLogs(
  files: Files,
  directory: string,
  from: number,
  apply: (operation: LoggedOperation) => void,
): { lastGeneration: number; cutOff: number } {
  const generations = files
    .list(directory)
    .flatMap((name) => generationOf(name) ?? [])
    .filter((generation) => generation >= from)
    .sort((a, b) => a - b)
  let cutOff = 0
  generations.forEach((generation, i) => {
    const path = logPath(directory, generation)
    const bytes = files.read(path)
    const good = readFrames(bytes, apply)
    if (good === bytes.length) return
    const isLast = generations
      .slice(i + 1)
      .every((later) => files.read(logPath(directory, later)).length === 0)
    if (!isLast || hasFrameAfter(bytes, good)) {
      throw new LogDamaged(`the log ${path} is damaged at byte ${good}, and there is more after that`)
    }
    cutOff += bytes.length - good
    const file = files.openAppend(path)
    file.truncate(good)
    file.close()
  })
  return { lastGeneration: generations.at(-1) ?? from, cutOff }
}

/** Offset after the last good frame. */
function readFrames(bytes: Uint8Array, apply: (operation: LoggedOperation) => void): number {
  let at = 0
  for (;;) {
    const payload = frameAt(bytes, at)
    if (payload === undefined) return at
    for (const operation of readOperations(payload)) apply(operation)
    at += headBytes + payload.length
  }
}

function frameAt(bytes: Uint8Array, at: number): Uint8Array | undefined {
  if (at + headBytes > bytes.length) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, headBytes)
  const length = view.getUint32(0, true)
  if (length === 0 || length > largestFrame || at + headBytes + length > bytes.length) return undefined
  const payload = bytes.subarray(at + headBytes, at + headBytes + length)
  return crc32(payload) === view.getUint32(4, true) ? payload : undefined
}

function hasFrameAfter(bytes: Uint8Array, from: number): boolean {
  const end = Math.min(bytes.length, from + searchedBytes)
  for (let at = from + 1; at < end; at++) if (frameAt(bytes, at) !== undefined) return true
  return false
}

function logPath(directory: string, generation: number): string {
  return `${directory}/wal-${generation}.log`
}

function generationOf(name: string): number | undefined {
  const found = /^wal-(\d+)\.log$/.exec(name)
  return found === null ? undefined : Number(found[1])
}
