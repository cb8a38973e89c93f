/**
 * Levels set while the process runs, in memory that all its threads see. One thread writes; the others notice a
 * new version at their next log call, even in the middle of a long piece of work. Layout: version (odd while it
 * is being written), length, then `{"logger":"LEVEL",…}` in UTF-8.
 */

/** Version and length. */
const headBytes = 2 * Int32Array.BYTES_PER_ELEMENT
const maxAttempts = 4

export class SharedLevels {
  readonly #head: Int32Array
  readonly #text: Uint8Array
  /** The version this thread has read. */
  #seen = 0

  constructor(buffer: SharedArrayBuffer, offset: number, length: number) {
    this.#head = new Int32Array(buffer, offset, headBytes / 4)
    this.#text = new Uint8Array(buffer, offset + headBytes, length - headBytes)
  }

  isChanged(): boolean {
    return Atomics.load(this.#head, 0) !== this.#seen
  }

  /** Undefined while another thread is writing; it is asked again at the next log call then. */
  read(): Map<string, string> | undefined {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const version = Atomics.load(this.#head, 0)
      const copy = this.#text.slice(0, Atomics.load(this.#head, 1))
      if (version % 2 !== 0 || Atomics.load(this.#head, 0) !== version) continue
      this.#seen = version
      const text = Buffer.from(copy).toString()
      return new Map(text === '' ? [] : Object.entries(JSON.parse(text) as Record<string, string>))
    }
    return undefined
  }

  /** Throws when there are more than the memory holds. */
  write(levels: ReadonlyMap<string, string>): void {
    const bytes = Buffer.from(levels.size === 0 ? '' : JSON.stringify(Object.fromEntries(levels)))
    if (bytes.length > this.#text.length) throw new RangeError('too many loggers have levels of their own')
    const version = Atomics.load(this.#head, 0)
    Atomics.store(this.#head, 0, version + 1)
    this.#text.set(bytes)
    Atomics.store(this.#head, 1, bytes.length)
    Atomics.store(this.#head, 0, version + 2)
  }
}
