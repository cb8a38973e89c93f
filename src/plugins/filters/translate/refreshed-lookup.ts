/**
 * A lookup whose dictionary is a file that may change: read when the pipeline starts, then again at an
 * interval. A file that cannot be read later on leaves the dictionary as it is.
 */
import type { PluginLogger } from '../../../plugin/define.ts'
import { changeTime, type Dictionary, readDictionary } from './dictionary-file.ts'
import { compileLookup, type Lookup } from './lookup.ts'

interface FileLookupOptions {
  readonly path: string
  readonly exact: boolean
  readonly regex: boolean
  /** Seconds; at most 300 mean that only a changed file is read again. */
  readonly refreshInterval: number
  readonly refreshBehaviour: 'merge' | 'replace'
  readonly logger: PluginLogger
}

const maxAlwaysChecked = 300
const maxTimer = 2_000_000

export class RefreshedLookup {
  lookup: Lookup = () => undefined
  #dictionary: Dictionary = new Map()
  #changed = 0
  #timer: NodeJS.Timeout | undefined
  readonly #options: FileLookupOptions

  constructor(options: FileLookupOptions) {
    this.#options = options
  }

  /** Reads the file, and from now on again and again. */
  async start(): Promise<void> {
    const { path, refreshInterval } = this.#options
    try {
      await this.#load()
    } catch (error) {
      throw new Error(`Translate: ${(error as Error).message} when loading dictionary file at ${path}`)
    }
    if (refreshInterval <= 0) return
    const milliseconds = Math.min(refreshInterval, maxTimer) * 1000
    this.#timer = setInterval(() => this.refresh(), milliseconds).unref()
  }

  async refresh(): Promise<void> {
    const { path, refreshInterval, logger } = this.#options
    try {
      if (refreshInterval <= maxAlwaysChecked && (await changeTime(path)) === this.#changed) return
      await this.#load()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
        logger.warn('dictionary file read failure, continuing with old dictionary', { path })
        return
      }
      const { message } = error as Error
      const text = `Translate: ${message} when loading dictionary file at ${path}, continuing with old dictionary`
      logger.warn(text, { dictionary_path: path })
    }
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #load(): Promise<void> {
    const { path, exact, regex, refreshBehaviour } = this.#options
    const changed = await changeTime(path)
    const read = await readDictionary(path)
    const dictionary = refreshBehaviour === 'replace' ? read : new Map([...this.#dictionary, ...read])
    this.lookup = compileLookup(dictionary, exact, regex)
    this.#dictionary = dictionary
    this.#changed = changed
  }
}
