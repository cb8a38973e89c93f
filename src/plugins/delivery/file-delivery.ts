/**
 * Gets the bytes of blocks into files, for the outputs that write files. A full disk or a failing device is waited
 * for: it is nobody's event that is wrong, and the pipeline may stand still meanwhile. A path that cannot be opened is
 * different. When an event named it, its events go to the failure file at once; when the configuration did, it is
 * tried again for some seconds, and then the events are given up, so that one file never holds the others.
 */
import { type PluginLogger, Undelivered } from '../../plugin/define.ts'
import type { FilePaths } from './file-path.ts'
import { type OpenFiles, PartialWrite } from './open-files.ts'
import { exponentialBackOff, pause } from './pause.ts'

/** What says that there can be no such file, not that there is no room or no luck. */
const pathErrors = new Set([
  'EACCES',
  'EILSEQ',
  'EINVAL',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOTDIR',
  'ENXIO',
  'EPERM',
  'EROFS',
])

const firstPauseMilliseconds = 500
/** Tries to open a path, fifteen seconds in all. */
const maxOpenAttempts = 6
const maxRemembered = 1000
/** While a named pipe has no reader, in milliseconds. */
const readerPause = 500
/** While a named pipe is full. */
const maxPipePause = 50

interface FileDeliverySettings {
  readonly files: OpenFiles
  readonly paths: FilePaths
  readonly logger: PluginLogger
  readonly abort: AbortSignal
}

export class FileDelivery {
  readonly #settings: FileDeliverySettings
  /** Paths that were given up: one try per batch, until one works. */
  readonly #hopeless = new Set<string>()

  constructor(settings: FileDeliverySettings) {
    this.#settings = settings
  }

  /** Writes the bytes from `start` on; rejects with `Undelivered` when the path cannot be opened. */
  async write(given: string, bytes: Uint8Array, start = 0): Promise<void> {
    const { files, paths, logger, abort } = this.#settings
    let target = given
    let from = start
    let waits = 0
    for (let attempt = 0; ; attempt++) {
      try {
        await files.write(target, bytes, from)
        this.#hopeless.delete(target)
        return
      } catch (error) {
        if (!(error instanceof PartialWrite)) throw error
        waits = error.written > from ? 0 : waits + 1
        from = error.written
        const { message } = error
        // A named pipe is full: its reader is slower, which is nothing to report.
        if (error.code === 'EAGAIN') {
          await pause(Math.min(maxPipePause, waits), abort)
          attempt = -1
          continue
        }
        const isPathWrong = pathErrors.has(error.code ?? '')
        if (isPathWrong && paths.dynamic && from === 0 && target !== paths.failurePath) {
          const text = 'File: no such file can be written, writing the events to the failure file'
          logger.warn(text, { path: target, filename: paths.failurePath, message })
          target = paths.failurePath
          attempt = -1
          continue
        }
        if (isPathWrong && (attempt + 1 >= maxOpenAttempts || this.#hopeless.has(target)))
          return this.#giveUp(target, message)
        const isPipe = error.code === 'EPIPE'
        const wait = isPipe ? readerPause : exponentialBackOff(attempt, firstPauseMilliseconds)
        // The reader of a named pipe may come at any time, or never.
        if (isPipe && !isPowerOfTwo(attempt + 1))
          logger.debug('File: nobody reads the named pipe', { path: target })
        else logger.error('File: writing failed, will retry', { path: target, message, wait })
        await pause(wait, abort)
      }
    }
  }

  #giveUp(target: string, message: string): never {
    if (this.#hopeless.size >= maxRemembered) this.#hopeless.clear()
    this.#hopeless.add(target)
    throw new Undelivered(message, [target])
  }
}

function isPowerOfTwo(count: number): boolean {
  return (count & (count - 1)) === 0
}
