/**
 * A log file that any number of threads and processes append to. Whoever finds it too big or of an
 * earlier day renames it under a lock file; the others notice the new inode and open the new file.
 *   logstash-plain.log -> logstash-plain-2026-11-15-1.log.rolled -> logstash-plain-2026-11-15-1.log.gz
 * Compression waits a moment, so that a line written through a descriptor opened before the rename is kept.
 */
import { closeSync, fstatSync, openSync, readdirSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectorySync } from '../storage/make-directory.ts'
import { localDay } from './layout.ts'
import { scheduleTidy } from './rolled-files.ts'

interface RollingOptions {
  /** Roll at midnight as well; the day becomes part of the rolled name. */
  readonly daily: boolean
  readonly maxBytes?: number
  /** File mode; the file is readable by everybody when absent. */
  readonly mode?: number
}

const defaultMaxBytes = 100 * 1024 * 1024
const staleLockMillis = 60_000
const retryAfterMillis = 10_000

export class RollingFile {
  readonly #directory: string
  readonly #name: string
  readonly #path: string
  readonly #daily: boolean
  readonly #maxBytes: number
  readonly #mode: number
  #fd: number | undefined
  #inode = 0
  #day = ''
  #brokenUntil = 0

  constructor(directory: string, name: string, options: RollingOptions) {
    this.#directory = directory
    this.#name = name
    this.#path = join(directory, `${name}.log`)
    this.#daily = options.daily
    this.#maxBytes = options.maxBytes ?? defaultMaxBytes
    this.#mode = options.mode ?? 0o644
  }

  append(line: string, millis: number): void {
    if (millis < this.#brokenUntil) return
    try {
      const bytes = Buffer.from(line)
      const fd = this.#currentFile(bytes.length, millis)
      let offset = 0
      while (offset < bytes.length) offset += writeSync(fd, bytes, offset)
    } catch (error) {
      // A full or unwritable disk must not stop events: say it once, try again later.
      this.close()
      this.#brokenUntil = millis + retryAfterMillis
      reportOnce(this.#path, error)
    }
  }

  close(): void {
    if (this.#fd === undefined) return
    const fd = this.#fd
    this.#fd = undefined
    closeSync(fd)
  }

  #currentFile(incoming: number, millis: number): number {
    const today = this.#daily ? localDay(millis) : ''
    let fd = this.#fd ?? this.#open(today)
    let stat = statSync(this.#path, { throwIfNoEntry: false })
    if (stat?.ino !== this.#inode) {
      // Another thread or a tool such as logrotate moved the file away.
      fd = this.#open(today)
      stat = fstatSync(fd)
    }
    const isOld = this.#daily && this.#day !== today
    const isFull = stat.size > 0 && stat.size + incoming > this.#maxBytes
    // A file that somebody else is rolling right now is written on.
    return (isOld || isFull) && this.#roll() ? this.#open(today) : fd
  }

  #open(today: string): number {
    this.close()
    makeDirectorySync(this.#directory)
    const fd = openSync(this.#path, 'a', this.#mode)
    this.#fd = fd
    const stat = fstatSync(fd)
    this.#inode = stat.ino
    this.#day = this.#daily && stat.size > 0 ? localDay(stat.mtimeMs) : today
    scheduleTidy(this.#directory, this.#name, this.#daily)
    return fd
  }

  #roll(): boolean {
    const lock = `${this.#path}.roll`
    if (!takeLock(lock)) return false
    try {
      const stat = statSync(this.#path, { throwIfNoEntry: false })
      if (stat !== undefined && stat.ino === this.#inode) {
        renameSync(this.#path, join(this.#directory, this.#rolledName()))
        scheduleTidy(this.#directory, this.#name, this.#daily)
      }
      this.close()
      return true
    } finally {
      rmSync(lock, { force: true })
    }
  }

  /** One past the highest number in use, so that a rolled file is never overwritten. */
  #rolledName(): string {
    const prefix = this.#daily ? `${this.#name}-${this.#day}-` : `${this.#name}.`
    let highest = 0
    for (const entry of readdirSync(this.#directory)) {
      if (!entry.startsWith(prefix)) continue
      const number = /^(\d{1,9})\.log\.(?:rolled|gz)$/.exec(entry.slice(prefix.length))?.[1]
      if (number !== undefined) highest = Math.max(highest, Number(number))
    }
    return `${prefix}${highest + 1}.log.rolled`
  }
}

function takeLock(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx'))
    return true
  } catch {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat !== undefined && Date.now() - stat.mtimeMs > staleLockMillis) rmSync(path, { force: true })
    return false
  }
}

const reported = new Set<string>()

function reportOnce(path: string, error: unknown): void {
  if (reported.has(path)) return
  if (reported.size < 1000) reported.add(path)
  try {
    writeSync(2, `Cannot write the log file ${path}: ${(error as Error).message}\n`)
  } catch {
    // Standard error is gone as well.
  }
}
