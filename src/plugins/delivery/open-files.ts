/**
 * Files kept open for writing: opened (with their folders) on the first write, at most `limit` at a time,
 * closed when a clean-up finds them unused since the last one, opened again when somebody removed them.
 * Bytes count as written when the operating system has taken them; a failed write goes on where it stopped. Named
 * pipes are never waited for in a system call, which would hold up a thread of the pool for all: one without a reader
 * fails with EPIPE, a full one with EAGAIN.
 */
import { constants, statSync, writeSync } from 'node:fs'
import { chmod, type FileHandle, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { PluginLogger } from '../../plugin/define.ts'
import { makeDirectory } from '../../storage/make-directory.ts'

interface OpenFilesSettings {
  logger: PluginLogger
  /** -1: what the process gives new folders and files anyway. */
  dirMode: number
  fileMode: number
  /** Each write replaces the content of its file. */
  overwrite: boolean
  limit: number
}

interface OpenFile {
  handle: FileHandle
  device: number
  inode: number
  isPipe: boolean
  active: boolean
}

export class OpenFiles {
  readonly #settings: OpenFilesSettings
  /** The least recently used first. */
  readonly #files = new Map<string, OpenFile>()
  #writing: string | undefined

  constructor(settings: OpenFilesSettings) {
    this.#settings = settings
  }

  get size(): number {
    return this.#files.size
  }

  /**
   * Appends to a file that is open already, without leaving the thread: a write into the page cache costs
   * a tenth of a trip through the thread pool. Returns how far it came; the rest is for `write`.
   */
  writeNow(path: string, bytes: Uint8Array): number {
    const file = this.#files.get(path)
    if (file === undefined || this.#settings.overwrite || !isCurrent(path, file)) return 0
    let done = 0
    try {
      while (done < bytes.length) done += writeSync(file.handle.fd, bytes, done, bytes.length - done)
      file.active = true
    } catch {
      // `write` meets the same trouble and reports it.
    }
    return done
  }

  /** Writes the bytes from `from` on; throws PartialWrite, which says how far it came. */
  async write(path: string, bytes: Uint8Array, from: number): Promise<void> {
    let done = from
    this.#writing = path
    try {
      const file = await this.#open(path)
      const overwrite = this.#settings.overwrite && !file.isPipe
      if (overwrite && from === 0) await file.handle.truncate(0)
      while (done < bytes.length) {
        const position = overwrite ? done : null
        const { bytesWritten } = await file.handle.write(bytes, done, bytes.length - done, position)
        done += bytesWritten
      }
      file.active = true
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // Closing a full pipe would be its end for the reader.
      if (code !== 'EAGAIN') await (code === 'EMFILE' ? this.close() : this.#forget(path))
      throw new PartialWrite(error as NodeJS.ErrnoException, done)
    } finally {
      this.#writing = undefined
    }
  }

  async #open(path: string): Promise<OpenFile> {
    const known = this.#files.get(path)
    if (known !== undefined && isCurrent(path, known)) {
      this.#files.delete(path)
      this.#files.set(path, known)
      return known
    }
    if (known !== undefined) {
      this.#settings.logger.debug('Required path was deleted, creating the file again', { path })
      await this.#forget(path)
    }
    while (this.#files.size >= this.#settings.limit) await this.#forget(this.#files.keys().next().value!)
    const file = await this.#create(path)
    this.#files.set(path, file)
    return file
  }

  async #create(path: string): Promise<OpenFile> {
    const { logger, dirMode, fileMode, overwrite } = this.#settings
    const folder = dirname(path)
    if ((await statOf(folder)) === undefined) {
      logger.info('Creating directory', { directory: folder })
      const created = await makeDirectory(folder)
      if (created !== undefined && dirMode !== -1) await chmodUpTo(folder, created, dirMode)
    }
    const isNew = (await statOf(path)) === undefined
    const flags = constants.O_WRONLY | constants.O_CREAT | notWaiting | (overwrite ? 0 : constants.O_APPEND)
    const handle = await open(path, flags, 0o666).catch(async (error: NodeJS.ErrnoException) => {
      throw error.code === 'ENXIO' && (await statOf(path))?.isFIFO() === true ? withoutReader(path) : error
    })
    logger.info('Opening file', { path })
    try {
      if (isNew && fileMode !== -1) await handle.chmod(fileMode)
      const stats = await handle.stat()
      return { handle, device: stats.dev, inode: stats.ino, isPipe: stats.isFIFO(), active: true }
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  async #forget(path: string): Promise<void> {
    const file = this.#files.get(path)
    this.#files.delete(path)
    try {
      await file?.handle.close()
    } catch (error) {
      this.#settings.logger.error('Exception while flushing and closing files.', { exception: error })
    }
  }

  /** Closes the files nobody wrote to since the last call. */
  async closeStale(): Promise<void> {
    for (const [path, file] of [...this.#files]) {
      // Writing may go on while a file is being closed.
      if (this.#files.get(path) !== file || path === this.#writing) continue
      if (file.active) file.active = false
      else {
        this.#settings.logger.info(`Closing file ${path}`)
        await this.#forget(path)
      }
    }
  }

  async close(): Promise<void> {
    for (const path of [...this.#files.keys()]) await this.#forget(path)
  }
}

/** A write that stopped before its end. */
export class PartialWrite extends Error {
  readonly code: string | undefined
  /** Bytes that have been written all the same. */
  readonly written: number

  constructor(cause: NodeJS.ErrnoException, written: number) {
    super(cause.message, { cause })
    this.code = cause.code
    this.written = written
  }
}

/** Does nothing to other files; Windows has no such flag. */
const notWaiting = constants.O_NONBLOCK ?? 0

function withoutReader(path: string): Error {
  return Object.assign(new Error(`nobody reads the named pipe '${path}'`), { code: 'EPIPE' })
}

/** Whether the path still leads to the open file. */
function isCurrent(path: string, file: OpenFile): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && found.ino === file.inode && found.dev === file.device
}

async function statOf(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw error
  }
}

/** Sets the mode of the folders that had to be made, from the innermost one up to the outermost. */
async function chmodUpTo(innermost: string, outermost: string, mode: number): Promise<void> {
  let folder = innermost
  for (;;) {
    await chmod(folder, mode)
    if (folder === outermost || folder === dirname(folder)) return
    folder = dirname(folder)
  }
}
