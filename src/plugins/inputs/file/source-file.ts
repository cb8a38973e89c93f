/**
 * One file that is being read: a position, a stream into the pipeline and, while needed, an open descriptor. The
 * next chunk is read from disk while the pipeline works on the last one. Positions are committed when the events
 * have left the pipeline, and only where a record ends.
 */
import { type FileHandle, open } from 'node:fs/promises'
import type { ByteStream, Origin, Sink, SourcePosition } from '../../../plugin/define.ts'
import { giveBack, takeBuffer } from './chunk-buffers.ts'
import { Deliveries } from './deliveries.ts'
import type { FoundFile } from './discovery.ts'
import { RecordEnds } from './record-ends.ts'
import { fileKey, type Sincedb } from './sincedb.ts'

export interface SourceSettings {
  readonly sink: Sink
  readonly sincedb: Sincedb
  readonly delimiter: Buffer
  readonly chunkBytes: number
  /** Whether nobody needs the bytes of a chunk any more once it is safe; a persisted queue still delivers from them. */
  readonly reusesChunks: boolean
  /** Whether the codec keeps events of its own until the stream ends. */
  readonly hasStatefulCodec: boolean
  originOf(path: string): Origin
}

/** The path no longer leads to the file it did. */
export class FileMoved extends Error {}

export class SourceFile {
  path: string
  readonly key: string
  /** Milliseconds since 1970; undefined where the file system does not keep it. */
  readonly #born: number | undefined
  /** Bytes read so far. */
  offset: number
  /** When bytes were last read, in milliseconds since 1970. */
  lastRead = Date.now()
  deliveries: Deliveries
  readonly #settings: SourceSettings
  #stream: ByteStream
  #ends: RecordEnds
  /** End of the last complete record. */
  #recordEnd: number
  #handle: FileHandle | undefined
  #isForgotten = false
  /** What names its lines, where they can be named. */
  #name: string | undefined

  constructor(file: FoundFile, offset: number, settings: SourceSettings) {
    const { path } = file
    this.path = path
    this.key = file.key
    this.#born = file.knowsBirth ? file.born : undefined
    this.offset = offset
    this.#settings = settings
    this.#name = settings.sincedb.names?.nameOf(file.key, this.#born)
    this.#recordEnd = offset
    this.#stream = settings.sink.stream(settings.originOf(path), { delimiter: settings.delimiter })
    this.#ends = new RecordEnds(settings.delimiter)
    this.deliveries = this.#newDeliveries()
  }

  #newDeliveries(): Deliveries {
    const deliveries: Deliveries = new Deliveries((end) => {
      // Those of a file that was truncated meanwhile count no more.
      if (deliveries === this.deliveries && !this.#isForgotten)
        this.#settings.sincedb.set(this.key, end, this.path)
    })
    return deliveries
  }

  /** Whether that is the same file, not a later one that was given its inode. */
  isOf({ key, born }: FoundFile): boolean {
    return key === this.key && (this.#born === undefined || this.#born === born)
  }

  get isOpen(): boolean {
    return this.#handle !== undefined
  }

  async #open(): Promise<FileHandle> {
    const handle = await open(this.path, 'r')
    if (fileKey(await handle.stat({ bigint: true })) !== this.key) {
      await handle.close()
      throw new FileMoved(`${this.path} is another file now`)
    }
    this.#handle = handle
    return handle
  }

  /** Reads until the end of the file, or that many chunks; true when the end was reached. */
  async read(maxChunks: number, isStopped: () => boolean): Promise<boolean> {
    const handle = this.#handle ?? (await this.#open())
    let ahead = this.#chunkAt(handle, this.offset)
    for (let count = 1; ; count++) {
      const chunk = this.#wholeRecords(await ahead)
      if (chunk.length === 0) return true
      this.offset += chunk.length
      const isLast = count >= maxChunks || isStopped()
      if (!isLast) {
        ahead = this.#chunkAt(handle, this.offset)
        // Awaited in the next turn; a failed write would leave it unheard.
        ahead.catch(() => undefined)
      }
      const taken = this.#write(chunk)
      if (taken !== undefined) await taken
      if (isLast) {
        this.lastRead = Date.now()
        return false
      }
    }
  }

  async #chunkAt(handle: FileHandle, offset: number): Promise<Buffer> {
    const buffer = takeBuffer(this.#settings.chunkBytes)
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset)
    return bytesRead === buffer.length ? buffer : buffer.subarray(0, bytesRead)
  }

  /**
   * A full chunk up to its last record: reading the rest once more costs less than joining it with the next
   * chunk would.
   */
  #wholeRecords(chunk: Buffer): Buffer {
    const { chunkBytes, delimiter } = this.#settings
    if (chunk.length < chunkBytes || delimiter.length !== 1) return chunk
    const end = chunk.lastIndexOf(delimiter[0]!) + 1
    return end === 0 ? chunk : chunk.subarray(0, end)
  }

  #write(chunk: Buffer): void | Promise<void> {
    const end = this.#ends.push(chunk)
    const at = this.#placeOf(this.offset - chunk.length)
    if (end < 0) return this.#stream.write(chunk, undefined, at)
    this.#recordEnd = this.offset - chunk.length + end
    const delivered = this.deliveries.track(this.#recordEnd)
    // Nothing of a chunk that ends with a record stays behind in the stream.
    if (end < chunk.length || !this.#settings.reusesChunks) return this.#stream.write(chunk, delivered, at)
    const finished = () => {
      delivered()
      giveBack(chunk)
    }
    return this.#stream.write(chunk, finished, at)
  }

  #placeOf(offset: number): SourcePosition | undefined {
    return this.#name === undefined ? undefined : { source: this.#name, offset }
  }

  /** The file is complete: a last record without delimiter is one, too. */
  async finish(): Promise<void> {
    await this.closeHandle()
    if (this.offset > this.#recordEnd) {
      this.#recordEnd = this.offset
      await this.#stream.write(
        this.#settings.delimiter,
        this.deliveries.track(this.offset),
        this.#placeOf(this.offset),
      )
    }
    await this.#stream.end(this.deliveries.track(this.offset))
  }

  /** The next file may get the inode of one that is gone, and must not get its position. */
  async forgetIfDeleted(): Promise<void> {
    if (this.#handle === undefined || (await this.#handle.stat()).nlink > 0) return
    this.forget()
  }

  /** Its position counts no more. */
  forget(): void {
    if (this.#isForgotten) return
    this.#isForgotten = true
    this.#settings.sincedb.delete(this.key)
  }

  /** Reading stops for now; an unfinished record is not handed over, it will be read again. */
  async leave(): Promise<void> {
    await this.closeHandle()
    if (this.#settings.hasStatefulCodec) await this.#stream.end()
  }

  /** The file was truncated: what it was is finished, what it is begins anew. */
  async restart(): Promise<void> {
    await this.#stream.end()
    this.offset = 0
    this.#recordEnd = 0
    this.#stream = this.#settings.sink.stream(this.#settings.originOf(this.path), {
      delimiter: this.#settings.delimiter,
    })
    this.#ends = new RecordEnds(this.#settings.delimiter)
    this.deliveries = this.#newDeliveries()
    const { sincedb } = this.#settings
    sincedb.set(this.key, 0, this.path)
    // Also when nothing of it had been delivered yet.
    sincedb.names?.truncated(this.key)
    this.#name = sincedb.names?.nameOf(this.key, this.#born)
  }

  async closeHandle(): Promise<void> {
    const handle = this.#handle
    this.#handle = undefined
    await handle?.close()
  }
}
