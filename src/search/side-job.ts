/**
 * What another thread can do for the store: values in, arrays out, nothing kept. Sections are read from their files
 * there, so that their bytes do not pass through the store's thread; columns are copied on the way.
 */
import { crc32 } from 'node:zlib'
import type { Files, ReadFile } from '../storage/files.ts'
import { type SortedBy, sortedDocs } from './collect/sorted-docs.ts'
import { BitSet } from './segment/bit-set.ts'
import { idTable } from './segment/id-lookup.ts'
import { decodeSection, type SectionForm } from './segment/section-codec.ts'
import type { Section, TextList } from './segment/sections.ts'

/** Where a section lies. */
export interface SectionPlace extends SectionForm {
  readonly offset: number
  readonly stored: number
  readonly crc: number
}

export type SideJob =
  | { readonly kind: 'section'; readonly path: string; readonly place: SectionPlace }
  /** Answers whether the bytes are what they were. */
  | { readonly kind: 'check'; readonly path: string; readonly place: SectionPlace }
  /** Documents by position, as a `Permutation` has them. */
  | ({ readonly kind: 'order'; readonly present: Uint32Array | null } & Omit<SortedBy, 'present'>)
  | { readonly kind: 'ids'; readonly ids: TextList; readonly roots: Uint32Array | null }

const checkedAtOnce = 4 * 1024 * 1024

export function runSideJob(files: Files, job: SideJob): Section | boolean | null {
  switch (job.kind) {
    case 'section':
      return withFile(files, job.path, (file) => {
        const { offset, stored } = job.place
        const bytes = file.read(offset, offset + stored)
        if (crc32(bytes) !== job.place.crc) throw new Error(`${job.path} is damaged`)
        return decodeSection(bytes, job.place)
      })
    case 'check':
      return withFile(files, job.path, (file) => isWhole(file, job.place))
    case 'order':
      return sortedDocs({ ...job, present: bitsOf(job.present, job.size) })
    case 'ids':
      return idTable(job.ids, bitsOf(job.roots, job.ids.ends.length))
  }
}

function bitsOf(words: Uint32Array | null, size: number): BitSet | null {
  return words === null ? null : new BitSet(size, words)
}

function withFile<Result>(files: Files, path: string, use: (file: ReadFile) => Result): Result {
  const file = files.openRead(path)
  try {
    return use(file)
  } finally {
    file.close()
  }
}

/** In pieces: the section may be larger than what one wants in memory. */
export function isWhole(file: ReadFile, { offset, stored, crc }: SectionPlace): boolean {
  let sum = 0
  for (let at = 0; at < stored; at += checkedAtOnce)
    sum = crc32(file.read(offset + at, offset + Math.min(stored, at + checkedAtOnce)), sum)
  return sum === crc
}

/** The arrays of a result with memory of their own, which can be handed over without copying. */
export function ownedArrays(result: ReturnType<typeof runSideJob>): {
  result: typeof result
  buffers: ArrayBuffer[]
} {
  const buffers = new Set<ArrayBuffer>()
  const owned = <A extends Uint8Array | Uint32Array | Float64Array | BigInt64Array>(array: A): A => {
    const isWholeBuffer = array.byteLength === array.buffer.byteLength
    const own = isWholeBuffer && !Buffer.isBuffer(array) ? array : (copyOf(array) as A)
    buffers.add(own.buffer as ArrayBuffer)
    return own
  }
  if (result === null || typeof result === 'boolean') return { result, buffers: [] }
  const ready = 'ends' in result ? { bytes: owned(result.bytes), ends: owned(result.ends) } : owned(result)
  return { result: ready, buffers: [...buffers] }
}

function copyOf(array: Uint8Array | Uint32Array | Float64Array | BigInt64Array) {
  return array instanceof Uint8Array ? new Uint8Array(array) : array.slice()
}
