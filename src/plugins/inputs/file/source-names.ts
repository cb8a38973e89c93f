/**
 * Names of files that stay when they are read again after a crash, so that their lines have the same names too. A file
 * is named by the sincedb it belongs to, its inode and device, the time it was made and how often it was truncated. All
 * but the last follow from the file; what does not is on the disk before a line is read under the new name. Beside the
 * sincedb, one line for the sincedb itself and one for each file that was truncated:
 *   <random id>
 *   <inode> <major> <minor> <truncations>
 */
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'

const line = /^(\S+ \d+ \d+) (\d+)$/

export class SourceNames {
  readonly #path: string
  #id: string
  readonly #truncations = new Map<string, number>()

  /** `isNew`: files are read from the beginning on purpose, and their lines are other ones. */
  constructor(sincedbPath: string, isNew: boolean) {
    this.#path = `${sincedbPath}.names`
    const [id, ...lines] = isNew ? [] : readLines(this.#path)
    for (const text of lines) {
      const match = line.exec(text)
      if (match !== null) this.#truncations.set(match[1]!, Number(match[2]))
    }
    this.#id = id ?? ''
    if (this.#id !== '') return
    this.#id = randomBytes(12).toString('base64url')
    this.#write()
  }

  /** Undefined where nobody can tell a file from a later one with its inode. */
  nameOf(key: string, born: number | undefined): string | undefined {
    if (born === undefined) return undefined
    return `file ${this.#id} ${key} ${born} ${this.#truncations.get(key) ?? 0}`
  }

  /** What the file has from now on is not what it had before. */
  truncated(key: string): void {
    this.#truncations.set(key, (this.#truncations.get(key) ?? 0) + 1)
    this.#write()
  }

  #write(): void {
    const lines = [this.#id, ...[...this.#truncations].map(([key, count]) => `${key} ${count}`)]
    const beside = `${this.#path}.tmp`
    const file = openSync(beside, 'w', 0o600)
    try {
      writeSync(file, `${lines.join('\n')}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(beside, this.#path)
  }
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n')
  } catch {
    return []
  }
}
