/**
 * Keeps bytes that recovery or a reader could not make sense of, in `quarantine/` beside the pages, so that nothing is
 * tidied away on doubt. It is bounded in files and bytes; what no longer fits is only reported.
 */
import type { Files } from '../../storage/files.ts'

const maxFiles = 64
const maxBytes = 256 * 1024 * 1024

export class Quarantine {
  readonly #files: Files
  readonly directory: string

  constructor(files: Files, queueDirectory: string) {
    this.#files = files
    this.directory = `${queueDirectory}/quarantine`
  }

  /** The path, or undefined when it could not be kept. What is there already under that name is not written again. */
  keep(name: string, bytes: Uint8Array): string | undefined {
    const path = `${this.directory}/${name}`
    try {
      if (this.#files.exists(path)) return path
      if (!this.#hasRoom(bytes.length)) return undefined
      this.#files.makeDirectory(this.directory)
      this.#files.write(path, [bytes])
      this.#files.syncDirectory(this.directory)
      return path
    } catch {
      return undefined
    }
  }

  /** Moves a whole file here; false when it could not. */
  take(path: string, name: string): boolean {
    try {
      if (!this.#hasRoom(0)) return false
      this.#files.makeDirectory(this.directory)
      this.#files.rename(path, `${this.directory}/${name}`)
      this.#files.syncDirectory(this.directory)
      return true
    } catch {
      return false
    }
  }

  #hasRoom(bytes: number): boolean {
    const names = this.#files.list(this.directory)
    if (names.length >= maxFiles) return false
    let used = bytes
    for (const name of names) {
      const file = this.#files.openRead(`${this.directory}/${name}`)
      used += file.size
      file.close()
    }
    return used <= maxBytes
  }
}
