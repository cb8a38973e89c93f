/**
 * Reads a file piece by piece through a window, so that going through it takes few system calls and a bounded amount
 * of memory. Blocks the disk cannot read are filled with FF, which no checksum takes for good.
 */
import type { ReadFile } from '../storage/files.ts'

const windowBytes = 256 * 1024
const diskBlockBytes = 4096

export class FileWindow {
  readonly #file: ReadFile
  #bytes: Uint8Array = new Uint8Array(0)
  #from = 0
  /** Whether the disk could not read all of the present window. */
  isUnreadable = false

  constructor(file: ReadFile) {
    this.#file = file
  }

  /** Nothing from `limit` on is read. The bytes stay as they are when the window moves on. */
  read(from: number, to: number, limit: number): Uint8Array {
    if (from < this.#from || to > this.#from + this.#bytes.length) {
      this.isUnreadable = false
      this.#bytes = readBestEffort(
        this.#file,
        from,
        Math.max(to, Math.min(limit, from + windowBytes)),
        () => {
          this.isUnreadable = true
        },
      )
      this.#from = from
    }
    return this.#bytes.subarray(from - this.#from, to - this.#from)
  }

  close(): void {
    this.#file.close()
  }
}

export function readBestEffort(
  file: ReadFile,
  from: number,
  to: number,
  onUnreadable: () => void = () => {},
): Uint8Array {
  try {
    return file.read(from, to)
  } catch {
    const bytes = new Uint8Array(to - from).fill(0xff)
    for (let at = from; at < to; ) {
      const end = Math.min(to, at - (at % diskBlockBytes) + diskBlockBytes)
      try {
        bytes.set(file.read(at, end), at - from)
      } catch {
        onUnreadable()
      }
      at = end
    }
    return bytes
  }
}
