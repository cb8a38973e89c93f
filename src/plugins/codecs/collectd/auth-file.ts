/** collectd's AuthFile: `user: password` per line, read again when it has changed. */
import { readFileSync, statSync } from 'node:fs'

/** Milliseconds between two looks at the file. */
const pause = 1000

export class AuthFile {
  readonly #path: string
  #keys = new Map<string, string>()
  #time = Number.NaN
  #lookedAt = 0

  constructor(path: string) {
    this.#path = path
    this.#read()
  }

  keyOf(user: string): string | undefined {
    if (Date.now() - this.#lookedAt >= pause) {
      try {
        this.#read()
      } catch {
        // What was read before stays good while the file is replaced.
      }
    }
    return this.#keys.get(user)
  }

  #read(): void {
    this.#lookedAt = Date.now()
    const { mtimeMs } = statSync(this.#path)
    if (mtimeMs === this.#time) return
    const keys = new Map<string, string>()
    for (const line of readFileSync(this.#path, 'utf8').split(/\r?\n/)) {
      const [, user, key] = /^([^:]+): (.+)$/.exec(line) ?? []
      if (user !== undefined && key !== undefined) keys.set(user, key)
    }
    this.#keys = keys
    this.#time = mtimeMs
  }
}
