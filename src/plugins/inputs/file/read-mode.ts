/**
 * Read mode: every file is complete when it is found, is read once from beginning to end, and then logged or
 * deleted when all its events have left the pipeline. Reading the next file does not wait for that.
 */
import type { Deliveries } from './deliveries.ts'
import { type FoundFile, resumeAt } from './discovery.ts'
import { checkArchive, isCompressed, readCompressed } from './gzip-file.ts'
import { FileMoved, SourceFile } from './source-file.ts'
import { allOut, findFiles, isIgnored, type Watching } from './watching.ts'

interface Active {
  readonly file: FoundFile
  readonly source: SourceFile
}

export class ReadMode {
  readonly #watching: Watching
  /** Files that need no more attention while they are what they are: path to identity. */
  readonly #seen = new Map<string, string>()
  readonly #completing = new Set<Promise<void>>()
  #waiting: FoundFile[] = []
  #active: Active[] = []

  constructor(watching: Watching) {
    this.#watching = watching
  }

  async run(): Promise<void> {
    const { stop, statMilliseconds, discoverInterval, exitAfterRead } = this.#watching
    await this.#discover()
    for (let look = 1; !stop.isRequested; look++) {
      await this.#readAll()
      if (exitAfterRead) break
      await stop.sleep(statMilliseconds)
      if (look % discoverInterval === 0 && !stop.isRequested) await this.#discover()
    }
    for (const { source } of this.#active) await this.#leave(source)
    await allOut(this.#completing, this.#watching)
  }

  /** Not a file's end: what was handed over of it still counts when it is out. */
  async #leave(source: SourceFile): Promise<void> {
    await source.leave()
    this.#later(source.deliveries.settled())
  }

  #later(promise: Promise<void>): void {
    const tracked = promise.finally(() => this.#completing.delete(tracked))
    this.#completing.add(tracked)
  }

  async #discover(): Promise<void> {
    const { sincedb, logger } = this.#watching
    const found = await findFiles(this.#watching)
    const paths = new Set(found.map(({ path }) => path))
    for (const path of this.#seen.keys()) if (!paths.has(path)) this.#seen.delete(path)
    for (const file of found) {
      if (this.#seen.get(file.path) === file.key) continue
      if (isIgnored(file, this.#watching)) {
        logger.debug('skipping file because it was last modified too long ago', { path: file.path })
        continue
      }
      this.#seen.set(file.path, file.key)
      const offset = resumeAt(file, sincedb.get(file.key))
      if (offset === undefined || offset < file.size) this.#waiting.push(file)
    }
  }

  async #readAll(): Promise<void> {
    const { stop, compare, maxOpenFiles } = this.#watching
    this.#waiting.sort(compare)
    while (!stop.isRequested && (this.#waiting.length > 0 || this.#active.length > 0)) {
      while (this.#active.length < maxOpenFiles && this.#waiting.length > 0) {
        const file = this.#waiting.shift()!
        if (isCompressed(file.path)) await this.#readArchive(file)
        else this.#active.push({ file, source: this.#sourceOf(file) })
        // Unless files are read in turns, one at a time is enough.
        if (stop.isRequested || this.#watching.chunkCount === Number.POSITIVE_INFINITY) break
      }
      for (const active of [...this.#active]) {
        if (!stop.isRequested && (await this.#readTurn(active))) {
          this.#active.splice(this.#active.indexOf(active), 1)
        }
      }
    }
  }

  #sourceOf(file: FoundFile): SourceFile {
    const offset = resumeAt(file, this.#watching.sincedb.get(file.key)) ?? 0
    return new SourceFile(file, offset, this.#watching)
  }

  /** True when nothing more is to be done about the file. */
  async #readTurn({ file, source }: Active): Promise<boolean> {
    const { stop, chunkCount } = this.#watching
    try {
      const atEnd = await source.read(chunkCount, () => stop.isRequested)
      if (!atEnd) return false
    } catch (error) {
      if (!isFileError(error)) throw error
      await source.closeHandle()
      this.#failed(file, error)
      return true
    }
    await source.finish()
    this.#complete(file, source.deliveries)
    return true
  }

  async #readArchive(file: FoundFile): Promise<void> {
    const { stop, logger, checkArchives } = this.#watching
    try {
      if (checkArchives) await checkArchive(file.path)
      const deliveries = await readCompressed(file, this.#watching, () => stop.isRequested)
      if (deliveries !== undefined) this.#complete(file, deliveries)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (!isFileError(error) && !code?.startsWith('Z_')) throw error
      logger.error(`ReadZipFile: cannot decompress the gzip file at path: ${file.path}`, { message })
    }
  }

  #complete({ path, key }: FoundFile, deliveries: Deliveries): void {
    const { completed, sincedb } = this.#watching
    this.#later(deliveries.settled().then(() => completed.complete(path, key, sincedb)))
  }

  /** It is tried again when files are looked for the next time. */
  #failed(file: FoundFile, error: unknown): void {
    const { logger } = this.#watching
    this.#seen.delete(file.path)
    logger.warn(`failed to open ${file.path}: ${(error as Error).message}`)
  }
}

/** Errors of the file system, and of files that are not what they were; not those of the pipeline. */
function isFileError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined || error instanceof FileMoved
}
