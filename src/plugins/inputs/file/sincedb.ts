/**
 * How far each file has been delivered, on disk in Logstash's format, one line per file:
 *   <inode> <major> <minor> <offset> <last active, seconds since 1970> <path>
 * Old files have only the first four. Writes go to a file beside it that then takes its place; a device such as
 * /dev/null means that nothing is remembered.
 */
import type { BigIntStats } from 'node:fs'
import { open, readFile, rename, stat } from 'node:fs/promises'
import type { PluginLogger } from '../../../plugin/define.ts'
import { SourceNames } from './source-names.ts'

export interface Position {
  readonly offset: number
  /** Milliseconds since 1970; when the offset last changed. */
  readonly active: number
  readonly path: string | undefined
}

interface SincedbSettings {
  readonly path: string
  readonly writeMilliseconds: number
  readonly expiryMilliseconds: number
  readonly logger: PluginLogger
}

/**
 * Identity of a file: inode and device. The device is split the way JRuby does it, so that positions recorded
 * by Logstash are found again.
 */
export function fileKey({ ino, dev }: BigIntStats): string {
  return `${ino} ${(dev >> 24n) & 0xffn} ${dev & 0xffffffn}`
}

const recordLine = /^(\S+ \d+ \d+) (\d+)(?: (\d+(?:\.\d+)?)(?: (.*))?)?$/

export class Sincedb {
  readonly #settings: SincedbSettings
  readonly #positions = new Map<string, Position>()
  readonly #isDevice: boolean
  /** Undefined when nothing is remembered. */
  readonly names: SourceNames | undefined
  /** How often a position was changed. */
  changes = 0
  #isDirty = false
  #lastWrite = 0
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined

  static async open(settings: SincedbSettings): Promise<Sincedb> {
    const { path } = settings
    const found = await stat(path).catch(() => undefined)
    if (found?.isDirectory()) {
      throw new Error(`The "sincedb_path" argument must point to a file, received a directory: "${path}"`)
    }
    const isDevice = /^nul$/i.test(path) || found?.isCharacterDevice() === true
    const names = isDevice ? undefined : new SourceNames(path, found === undefined)
    const sincedb = new Sincedb(settings, isDevice, names)
    if (!isDevice) {
      await (await open(path, 'a')).close()
      sincedb.#load(await readFile(path, 'utf8'))
    }
    return sincedb
  }

  private constructor(settings: SincedbSettings, isDevice: boolean, names: SourceNames | undefined) {
    this.#settings = settings
    this.names = names
    this.#isDevice = isDevice
  }

  #load(text: string): void {
    const now = Date.now()
    for (const line of text.split('\n')) {
      const match = recordLine.exec(line.trimEnd())
      if (match === null) continue
      const active = match[3] === undefined ? now : Number(match[3]) * 1000
      const position = { offset: Number(match[2]), active, path: match[4] }
      if (!this.#isExpired(position, now)) this.#positions.set(match[1]!, position)
    }
  }

  #isExpired({ active }: Position, now: number): boolean {
    return active + this.#settings.expiryMilliseconds < now
  }

  get(key: string): Position | undefined {
    return this.#positions.get(key)
  }

  set(key: string, offset: number, path: string): void {
    // A file that is shorter than it was has other lines now.
    if (offset < (this.#positions.get(key)?.offset ?? 0)) this.names?.truncated(key)
    this.#positions.set(key, { offset, active: Date.now(), path })
    this.#changed()
  }

  delete(key: string): void {
    if (this.#positions.delete(key)) this.#changed()
  }

  #changed(): void {
    this.changes += 1
    this.#isDirty = true
    if (this.#isDevice || this.#timer !== undefined) return
    const wait = this.#lastWrite + this.#settings.writeMilliseconds - Date.now()
    this.#timer = setTimeout(() => void this.write(), Math.max(0, wait))
    this.#timer.unref()
  }

  /** Writes what changed, after any write that is under way. */
  async write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#writing
    if (!this.#isDirty || this.#isDevice) return
    this.#isDirty = false
    this.#lastWrite = Date.now()
    this.#writing = this.#replace().catch((error: Error) => {
      this.#isDirty = true
      this.#settings.logger.warn('sincedb could not be written', {
        path: this.#settings.path,
        message: error.message,
      })
    })
    await this.#writing
  }

  async #replace(): Promise<void> {
    const { path } = this.#settings
    const text = this.#text()
    const beside = `${path}.tmp`
    const file = await open(beside, 'w')
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(beside, path)
  }

  #text(): string {
    const now = Date.now()
    let text = ''
    for (const [key, position] of this.#positions) {
      if (this.#isExpired(position, now)) {
        this.#positions.delete(key)
        continue
      }
      const path = position.path === undefined ? '' : ` ${position.path}`
      text += `${key} ${position.offset} ${position.active / 1000}${path}\n`
    }
    return text
  }
}
