/**
 * The file that users, roles and API keys are kept in. A header line, then JSON:
 *   {"format":"millrace-security","version":1,"bytes":N,"sha256":"…"}
 * It is replaced as a whole (written beside, fsync, rename, fsync of the directory) and read again when somebody else
 * has replaced it: the node's threads and the command line share it. A file that cannot be believed is never
 * overwritten and grants nothing.
 */
import { createHash } from 'node:crypto'
import { chmodSync, closeSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Files } from '../storage/files.ts'
import { makeDirectorySync } from '../storage/make-directory.ts'
import { emptyState, type SecurityState, stateFromJson, stateToJson } from './security-state.ts'

const format = 'millrace-security'
const version = 1
const maxBytes = 64 * 1024 * 1024
const lockAttempts = 200
const lockPauseMillis = 10
const staleLockMillis = 10_000

class SecurityFileDamaged extends Error {
  constructor(path: string, what: string) {
    super(
      `The security file ${path} cannot be used: ${what}. Nobody is let in without it. Put a backup in its place, or move it away and add users anew with: millrace user add NAME --role superuser`,
    )
    this.name = 'SecurityFileDamaged'
  }
}

export class SecurityFile {
  readonly path: string
  readonly #files: Files
  readonly #isShared: boolean
  #state: SecurityState
  #stamp: string
  /** Why what somebody else put in its place cannot be used. */
  #damage: Error | undefined

  /**
   * Throws when there is a file that cannot be believed; none means that nobody is known yet. A file that is not
   * `isShared` is changed by this object alone.
   */
  constructor(files: Files, path: string, isShared = true) {
    this.#files = files
    this.path = path
    this.#isShared = isShared
    this.#stamp = this.#stampNow()
    this.#state = this.#read()
  }

  get state(): SecurityState {
    return this.#state
  }

  /** Takes over what somebody else wrote. Throws once for a file that cannot be believed; the state stays as it was. */
  refresh(): void {
    const stamp = this.#stampNow()
    if (stamp === this.#stamp) return
    this.#stamp = stamp
    try {
      this.#state = this.#read()
      this.#damage = undefined
    } catch (error) {
      this.#damage = error as Error
      throw error
    }
  }

  /** `change` gets the newest state and gives the next one, or undefined when nothing is to be written. */
  async change(change: (state: SecurityState) => SecurityState | undefined): Promise<void> {
    const lock = this.#isShared ? `${this.path}.lock` : undefined
    if (lock !== undefined) {
      makeDirectorySync(dirname(this.path), 0o700)
      await takeLock(lock)
    }
    try {
      this.refresh()
      if (this.#damage !== undefined) throw this.#damage
      const next = change(this.#state)
      if (next === undefined) return
      this.#write(next)
      this.#state = next
      this.#stamp = this.#stampNow()
    } finally {
      if (lock !== undefined) rmSync(lock, { force: true })
    }
  }

  #write(state: SecurityState): void {
    const body = Buffer.from(stateToJson(state))
    if (body.length > maxBytes) throw new Error(`the security file would be larger than ${maxBytes} bytes`)
    const header = { format, version, bytes: body.length, sha256: digest(body) }
    const temporary = `${this.path}.tmp`
    this.#files.makeDirectory(dirname(this.path))
    this.#files.write(temporary, [Buffer.from(`${JSON.stringify(header)}\n`), body])
    if (this.#isShared) chmodSync(temporary, 0o600)
    this.#files.rename(temporary, this.path)
    this.#files.syncDirectory(dirname(this.path))
  }

  #read(): SecurityState {
    if (!this.#files.exists(this.path)) return emptyState
    const bytes = Buffer.from(this.#files.read(this.path))
    const end = bytes.indexOf(10)
    const refuse = (what: string) => new SecurityFileDamaged(this.path, what)
    if (end < 0) throw refuse('it has no header')
    let header: Record<string, unknown>
    try {
      header = JSON.parse(bytes.subarray(0, end).toString('utf8')) as Record<string, unknown>
    } catch {
      throw refuse('its header is damaged')
    }
    if (header['format'] !== format) throw refuse('it is no security file')
    if (header['version'] !== version)
      throw refuse(`its format version is ${String(header['version'])}, this program knows ${version}`)
    const body = bytes.subarray(end + 1)
    if (header['bytes'] !== body.length || header['sha256'] !== digest(body))
      throw refuse('its checksum does not fit')
    try {
      return stateFromJson(body.toString('utf8'))
    } catch (error) {
      throw refuse((error as Error).message)
    }
  }

  /** Changes whenever the file is replaced; empty without one. */
  #stampNow(): string {
    if (!this.#isShared) return ''
    const stat = statSync(this.path, { throwIfNoEntry: false, bigint: true })
    return stat === undefined ? '' : `${stat.ino} ${stat.mtimeNs} ${stat.size}`
  }
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function takeLock(path: string): Promise<void> {
  for (let attempt = 0; attempt < lockAttempts; attempt++) {
    try {
      closeSync(openSync(path, 'wx', 0o600))
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const stat = statSync(path, { throwIfNoEntry: false })
      if (stat !== undefined && Date.now() - stat.mtimeMs > staleLockMillis) rmSync(path, { force: true })
      else await new Promise((resolve) => setTimeout(resolve, lockPauseMillis))
    }
  }
  throw new Error(`${path} is held by somebody else`)
}
