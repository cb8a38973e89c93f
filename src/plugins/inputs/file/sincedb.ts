/**
 * How far each file has been delivered, on disk in Logstash's format (`sincedb-records.ts`). Writes go to a file beside
 * it that then takes its place; a device such as /dev/null means that nothing is remembered.
 */
import type { BigIntStats } from 'node:fs'
import { copyFile, open, readFile, stat } from 'node:fs/promises'
import type { PluginLogger } from '../../../plugin/define.ts'
import { replaceFile } from '../../../storage/replace-file.ts'
import { decodeRecords, encodeRecords, type Position } from './sincedb-records.ts'
import { SourceNames } from './source-names.ts'

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

export class Sincedb {
  readonly #settings: SincedbSettings
  readonly #positions = new Map<string, Position>()
  readonly #isDevice: boolean
  /** Undefined when nothing is remembered. */
  readonly names: SourceNames | undefined
  /** Positions were lost: a file without one may have been read before. */
  isDamaged = false
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
      await sincedb.#load(await readFile(path, 'utf8'))
    }
    return sincedb
  }

  private constructor(settings: SincedbSettings, isDevice: boolean, names: SourceNames | undefined) {
    this.#settings = settings
    this.names = names
    this.#isDevice = isDevice
  }

  async #load(text: string): Promise<void> {
    const now = Date.now()
    const { records, damaged } = decodeRecords(text, now)
    for (const [key, position] of records)
      if (!this.#isExpired(position, now)) this.#positions.set(key, position)
    if (damaged > 0) await this.#reportDamage(damaged)
  }

  /** What was not understood is kept beside the file, which is written anew soon. */
  async #reportDamage(lines: number): Promise<void> {
    const { path, logger } = this.#settings
    this.isDamaged = true
    const kept = `${path}.damaged-${Date.now()}`
    await copyFile(path, kept)
    logger.error(
      'The sincedb is damaged; files whose positions are lost are read from the beginning, lines of them may come twice',
      { path, damaged_lines: lines, positions: this.#positions.size, kept },
    )
    // The next start finds a whole file.
    this.#changed()
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
    await replaceFile(path, this.#text(), { temporary: `${path}.tmp` })
  }

  #text(): string {
    const now = Date.now()
    for (const [key, position] of this.#positions)
      if (this.#isExpired(position, now)) this.#positions.delete(key)
    return encodeRecords([...this.#positions])
  }
}
