/**
 * Tail mode: files are streams without end. Every `stat_interval` each known file is looked at: what was appended
 * is read; a file that got shorter begins anew; one whose path is gone, or leads to another file, was rotated: it
 * goes on under its new name when that is watched too, otherwise it is read to its end and forgotten.
 */
import { type FoundFile, lookAt, resumeAt } from './discovery.ts'
import { FileMoved, SourceFile } from './source-file.ts'
import { allOut, findFiles, isIgnored, type Watching } from './watching.ts'

const warnMilliseconds = 20_000
/** How many files that are gone are remembered, in case one comes back. */
const maxGone = 10_000

export class TailMode {
  readonly #watching: Watching
  readonly #sources = new Map<string, SourceFile>()
  readonly #settling = new Set<Promise<void>>()
  /** The last file of each key that went out of sight. */
  readonly #gone = new Map<string, SourceFile>()
  #lastWarning = 0

  constructor(watching: Watching) {
    this.#watching = watching
  }

  async run(): Promise<void> {
    const { stop, statMilliseconds, discoverInterval } = this.#watching
    for (const file of await findFiles(this.#watching)) this.#add(file, true)
    for (let look = 1; !stop.isRequested; look++) {
      await this.#lookAtAll(look % discoverInterval === 0)
      await stop.sleep(statMilliseconds)
    }
    for (const source of this.#sources.values()) {
      await source.leave()
      this.#settle(source)
    }
    await allOut(this.#settling, this.#watching)
  }

  #settle(source: SourceFile): void {
    const settled = source.deliveries.settled().finally(() => this.#settling.delete(settled))
    this.#settling.add(settled)
  }

  #add(file: FoundFile, isInitial: boolean): void {
    const { sincedb, startAtEnd } = this.#watching
    const gone = this.#gone.get(file.key)
    // The inode of a deleted file, given to this one.
    if (gone !== undefined && !gone.isOf(file)) gone.forget()
    this.#gone.delete(file.key)
    const resumed = resumeAt(file, sincedb.get(file.key))
    const skips = (isInitial && startAtEnd && !sincedb.isDamaged) || isIgnored(file, this.#watching)
    const offset = resumed ?? (skips ? file.size : 0)
    // A file that became shorter must not grow past its old record before it is read again.
    if (sincedb.get(file.key)?.offset !== offset) sincedb.set(file.key, offset, file.path)
    this.#sources.set(file.path, new SourceFile(file, offset, this.#watching))
  }

  async #lookAtAll(isTimeToDiscover: boolean): Promise<void> {
    const { stop } = this.#watching
    const lost: SourceFile[] = []
    for (const [path, source] of [...this.#sources]) {
      if (stop.isRequested) return
      const file = await lookAt(path)
      if (file !== undefined && source.isOf(file)) await this.#follow(source, file)
      else lost.push(source)
    }
    for (const source of lost) {
      this.#sources.delete(source.path)
      this.#gone.set(source.key, source)
    }
    if (isTimeToDiscover || lost.length > 0) await this.#discover(lost)
    for (const source of lost) await this.#retire(source)
    for (const key of this.#gone.keys()) {
      if (this.#gone.size <= maxGone) break
      this.#gone.delete(key)
    }
  }

  /** Files found under a new name are taken out of `lost`. */
  async #discover(lost: SourceFile[]): Promise<void> {
    for (const file of await findFiles(this.#watching)) {
      if (this.#sources.has(file.path)) continue
      const moved = lost.findIndex((source) => source.isOf(file))
      if (moved >= 0) {
        const [source] = lost.splice(moved, 1) as [SourceFile]
        source.path = file.path
        this.#gone.delete(source.key)
        this.#sources.set(file.path, source)
      } else if (![...this.#sources.values()].some((source) => source.isOf(file))) this.#add(file, false)
    }
  }

  async #follow(source: SourceFile, file: FoundFile): Promise<void> {
    const { closeOlderMilliseconds, logger } = this.#watching
    if (file.size < source.offset) {
      logger.debug('file was truncated', { path: file.path })
      this.#settle(source)
      await source.restart()
    }
    if (file.size > source.offset) await this.#read(source, file.size)
    else if (source.isOpen && Date.now() - source.lastRead > closeOlderMilliseconds)
      await source.closeHandle()
  }

  /** Up to the given size: a file that grows faster than it is read must not keep the others waiting. */
  async #read(source: SourceFile, size: number): Promise<void> {
    const { stop, chunkCount, chunkBytes, logger } = this.#watching
    const chunks = Math.min(chunkCount, Math.ceil((size - source.offset) / chunkBytes))
    if (!source.isOpen && !this.#hasRoom()) return
    try {
      await source.read(chunks, () => stop.isRequested)
      source.lastRead = Date.now()
    } catch (error) {
      if (error instanceof FileMoved) return
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
      await source.closeHandle()
      if (this.#mayWarn()) logger.warn(`failed to open ${source.path}: ${(error as Error).message}`)
    }
  }

  #hasRoom(): boolean {
    const { maxOpenFiles, logger } = this.#watching
    const sources = [...this.#sources.values()]
    const open = sources.filter(({ isOpen }) => isOpen).length
    if (open < maxOpenFiles) return true
    if (this.#mayWarn()) {
      logger.warn(
        `Reached open files limit: ${maxOpenFiles}, set by the 'max_open_files' option or default, files yet to open: ${sources.length - open}`,
      )
    }
    return false
  }

  #mayWarn(): boolean {
    if (Date.now() - this.#lastWarning < warnMilliseconds) return false
    this.#lastWarning = Date.now()
    return true
  }

  /** The last bytes of a file that is gone, as far as it was open. */
  async #retire(source: SourceFile): Promise<void> {
    const { stop } = this.#watching
    if (source.isOpen) {
      await source
        .read(Number.POSITIVE_INFINITY, () => stop.isRequested)
        .catch((error) => {
          if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
        })
    }
    if (stop.isRequested) await source.leave()
    else {
      await source.forgetIfDeleted()
      await source.finish()
    }
    this.#settle(source)
  }
}
