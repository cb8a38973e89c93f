/**
 * The write-ahead log (Elasticsearch's translog): every operation is in it before it is acknowledged. `commit`
 * appends the gathered operations as one frame (`log-format.ts`) and syncs it; calls that arrive during an fsync
 * share the next one (group commit). A file is called a generation; a flush starts a new one and deletes those whose
 * operations are in segments.
 */
import { removeQuietly } from '../../storage/checked-file.ts'
import type { AppendFile, Files } from '../../storage/files.ts'
import { ByteWriter } from '../segment/encoding/byte-writer.ts'
import type { SourceValues } from '../segment/writer/source-shape.ts'
import { LogCheckpoint } from './log-checkpoint.ts'
import { fileHead, frameHeadBytes, sealFrame } from './log-format.ts'
import { type FrameShapes, type Operation, type Replaced, writeOperation } from './operation.ts'

/** The largest frame buffer that is kept for reuse. */
const maxReusedBytes = 8 * 1024 * 1024

export class WriteAheadLog {
  readonly #files: Files
  readonly #directory: string
  generation: number
  #file: AppendFile
  #checkpoint: LogCheckpoint
  /** The frame that is being filled; its head is written last. */
  #gathered = emptyFrame(undefined)
  #operations = 0
  #frames: number
  readonly #shapes: FrameShapes = new Map()
  #olderBytes = 0
  /** The intact length of the file: what was read when it was opened, or was synced since. */
  #goodBytes: number
  #wasSynced = false
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined
  #failure: Error | undefined

  /** `frames` is the number of frames in this generation's file, all of them intact. */
  constructor(files: Files, directory: string, generation: number, frames = 0) {
    this.#files = files
    this.#directory = directory
    this.generation = generation
    this.#frames = frames
    const { file, checkpoint } = openGeneration(files, directory, generation)
    this.#file = file
    this.#checkpoint = checkpoint
    this.#goodBytes = file.size
  }

  /** The bytes of all generations that are still needed. */
  get size(): number {
    return this.#olderBytes + this.#file.size + this.#gathered.length - frameHeadBytes
  }

  /** Set after a failed write or fsync; the log then takes nothing more. */
  get failure(): Error | undefined {
    return this.#failure
  }

  /** `values` are those of the source, when it has a shape. */
  add(operation: Operation, replaced: Replaced, values?: SourceValues): void {
    if (this.#failure !== undefined) throw this.#failure
    writeOperation(this.#gathered, this.#shapes, operation, replaced, values)
    this.#operations++
  }

  /** Resolves when everything added before is durable. With `sync: false` that is left to the operating system. */
  commit(sync = true): Promise<void> {
    if (!sync) {
      try {
        this.#write()
      } catch (error) {
        return Promise.reject(this.#fail(error as Error))
      }
      return this.#failure === undefined ? Promise.resolve() : Promise.reject(this.#failure)
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

  async #writeAndSync(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    try {
      this.#write()
      const { size } = this.#file
      await this.#file.sync()
      this.#goodBytes = size
      this.#wasSynced = true
    } catch (error) {
      throw this.#fail(error as Error)
    }
    this.#note()
  }

  /** A checkpoint that is behind only blurs the difference between damage and a torn tail. */
  #note(): void {
    if (!this.#wasSynced) return
    try {
      this.#checkpoint.write(this.#goodBytes)
    } catch {
      // A disk that is full fails at the next frame.
    }
  }

  /**
   * After a failed write or fsync nobody knows which bytes of the frame are on disk. Its operations are refused, so
   * they must not come back: the file is truncated to its last synced length and never written again.
   */
  #fail(error: Error): Error {
    if (this.#failure !== undefined) return this.#failure
    this.#failure = error
    this.#note()
    try {
      this.#file.truncate(this.#goodBytes)
    } catch {
      // The bytes are behind the checkpoint; recovery cuts them off.
    }
    return error
  }

  /** The buffer is reused: appended bytes belong to the file by then. */
  #write(): void {
    const gathered = this.#gathered
    if (gathered.length <= frameHeadBytes) return
    const frame = gathered.view()
    sealFrame(frame, this.#operations, this.#frames)
    try {
      this.#file.append([frame])
      this.#frames++
    } finally {
      this.#gathered = emptyFrame(frame.length > maxReusedBytes ? undefined : gathered)
      this.#operations = 0
      this.#shapes.clear()
    }
  }

  /** Starts a new file; everything added before the call is in the old ones. */
  async roll(): Promise<void> {
    await this.commit()
    // A commit may have begun meanwhile; the old file is in use until it is done.
    while (this.#running !== undefined) await this.#running
    const generation = this.generation + 1
    const { file, checkpoint } = openGeneration(this.#files, this.#directory, generation)
    const [oldFile, oldCheckpoint] = [this.#file, this.#checkpoint]
    this.#olderBytes += oldFile.size
    this.generation = generation
    this.#file = file
    this.#checkpoint = checkpoint
    this.#goodBytes = file.size
    this.#wasSynced = false
    this.#frames = 0
    oldFile.close()
    oldCheckpoint.close()
  }

  /** Deletes the files of generations below `generation`. */
  removeBelow(generation: number): void {
    if (generation === this.generation) this.#olderBytes = 0
    // Checkpoints go first: one without its log would look like a missing log.
    for (const pattern of [checkpointName, logName]) {
      for (const name of this.#files.list(this.#directory)) {
        const found = numberIn(pattern, name)
        if (found !== undefined && found < generation) this.#files.remove(`${this.#directory}/${name}`)
      }
    }
  }

  async close(): Promise<void> {
    await this.commit()
    this.abandon()
  }

  /** Closes the files and writes nothing more. */
  abandon(): void {
    this.#failure ??= new Error('the log is closed')
    this.#file.close()
    this.#checkpoint.close()
  }
}

/** Continues an existing file; a new one gets its head, and its directory entry is synced. */
function openGeneration(files: Files, directory: string, generation: number) {
  const path = logPath(directory, generation)
  const isNew = !files.exists(path)
  const file = files.openAppend(path)
  try {
    if (file.size === 0) file.append([fileHead(generation)])
    const checkpoint = new LogCheckpoint(files, checkpointPath(directory, generation))
    files.syncDirectory(directory)
    return { file, checkpoint }
  } catch (error) {
    file.close()
    if (isNew) {
      // In this order, because a checkpoint without its log would look like a missing log.
      removeQuietly(files, checkpointPath(directory, generation))
      removeQuietly(files, path)
    }
    throw error
  }
}

function emptyFrame(used: ByteWriter | undefined): ByteWriter {
  const frame = used ?? new ByteWriter()
  frame.length = 0
  frame.bytes(noHead)
  return frame
}

const noHead = new Uint8Array(frameHeadBytes)
const logName = /^wal-(\d+)\.log$/
const checkpointName = /^wal-(\d+)\.ckp$/

export function logPath(directory: string, generation: number): string {
  return `${directory}/wal-${generation}.log`
}

export function checkpointPath(directory: string, generation: number): string {
  return `${directory}/wal-${generation}.ckp`
}

function numberIn(pattern: RegExp, name: string): number | undefined {
  const found = pattern.exec(name)
  return found === null ? undefined : Number(found[1])
}

/** Returns the generations of which a log or a checkpoint exists, lowest first. */
export function generationsIn(files: Files, directory: string): number[] {
  const names = files.list(directory)
  const found = names.flatMap((name) => numberIn(logName, name) ?? numberIn(checkpointName, name) ?? [])
  return [...new Set(found)].sort((a, b) => a - b)
}
