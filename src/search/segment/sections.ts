/**
 * A segment is a set of named runs of bytes, its sections, whether they lie in memory or in a file. Readers
 * ask for the ones they need when they need them.
 */
export interface Sections {
  has(name: string): boolean
  /** Must not be written to. */
  read(name: string): Uint8Array
  /** A part of a section that is not compressed as a whole. */
  readRange(name: string, from: number, to: number): Uint8Array
  readonly bytes: number
  close(): void
}

export class MemorySections implements Sections {
  readonly entries: ReadonlyMap<string, Uint8Array>
  readonly bytes: number

  constructor(entries: ReadonlyMap<string, Uint8Array>) {
    this.entries = entries
    let bytes = 0
    for (const section of entries.values()) bytes += section.length
    this.bytes = bytes
  }

  has(name: string): boolean {
    return this.entries.has(name)
  }

  read(name: string): Uint8Array {
    const section = this.entries.get(name)
    if (section === undefined) throw new Error(`the segment has no section ${name}`)
    return section
  }

  readRange(name: string, from: number, to: number): Uint8Array {
    return this.read(name).subarray(from, to)
  }

  close(): void {}
}

export function bytesOf(array: Uint32Array | Float64Array | BigInt64Array | Uint8Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}
