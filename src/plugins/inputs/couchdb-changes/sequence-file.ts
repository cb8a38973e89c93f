/** The last sequence of a feed of changes, in a file as Logstash keeps it: its text and nothing else. */
import { readFile } from 'node:fs/promises'
import { replaceFile } from '../../../storage/replace-file.ts'

export class SequenceFile {
  readonly #path: string
  #writing: Promise<void> = Promise.resolve()
  #pending: string | undefined

  constructor(path: string) {
    this.#path = path
  }

  async read(): Promise<string> {
    const text = await readFile(this.#path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return ''
      throw error
    })
    return text.trim() === '' ? '0' : text.trim()
  }

  /** Written soon; of several sequences the last one. */
  write(sequence: string, failed: (error: Error) => void): void {
    const isPlanned = this.#pending !== undefined
    this.#pending = sequence
    if (isPlanned) return
    this.#writing = this.#writing.then(async () => {
      const next = this.#pending
      this.#pending = undefined
      if (next === undefined) return
      try {
        await replaceFile(this.#path, next)
      } catch (error) {
        failed(error as Error)
      }
    })
  }

  /** Resolves when everything is written. */
  async settled(): Promise<void> {
    await this.#writing
  }
}
