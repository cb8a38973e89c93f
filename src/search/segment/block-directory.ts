/**
 * Where the blocks of a section lie, so that each can be read alone. It is made by reading the stored section once, which
 * checks the checksum of the section and takes one of each block; a block that is read later is checked against its own.
 * So nothing of it is stored, and damage is found as if the whole section were read each time.
 */
import { crc32 } from 'node:zlib'
import { blockHeadBytes, readHead } from './encoding/section-blocks.ts'

/** The number of entries of a block: its offset among the stored bytes, the first value it has, its CRC-32. */
const perBlock = 3

interface BlockPlace {
  readonly from: number
  readonly to: number
  readonly crc: number
}

export class BlockDirectory {
  /** The first byte (or value) of each block, and the number of all. */
  readonly starts: Uint32Array
  readonly #entries: Uint32Array

  /** Takes what `listBlocks` returned. */
  constructor(entries: Uint32Array) {
    this.#entries = entries
    this.starts = Uint32Array.from(
      { length: entries.length / perBlock },
      (_, block) => entries[perBlock * block + 1]!,
    )
  }

  place(block: number): BlockPlace {
    const at = perBlock * block
    return { from: this.#entries[at]!, to: this.#entries[at + perBlock]!, crc: this.#entries[at + 2]! }
  }
}

/**
 * Reads all blocks of a section. Returns their entries, with one more at the end, or undefined when the checksum of the
 * section is not the one given.
 */
export function listBlocks(
  read: (from: number, to: number) => Uint8Array,
  { stored, crc }: { readonly stored: number; readonly crc: number },
): Uint32Array | undefined {
  const entries: number[] = []
  let start = 0
  let whole = 0
  let at = 0
  while (at < stored) {
    const head = readHead(read(at, at + blockHeadBytes))
    const end = at + blockHeadBytes + head.stored
    const bytes = read(at, end)
    whole = crc32(bytes, whole)
    entries.push(at, start, crc32(bytes))
    start += head.count
    at = end
  }
  entries.push(at, start, 0)
  return whole === crc ? Uint32Array.from(entries) : undefined
}
