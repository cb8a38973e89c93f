/**
 * Background work on segments that another thread can do: plain data in, arrays out. Sections are read from their
 * files in that thread, so that their bytes do not pass through the store's thread. Columns are copied on the way;
 * buffered documents are in shared memory.
 */
import type { Files } from '../../storage/files.ts'
import { BitSet } from './encoding/bit-set.ts'
import type { Ordinals } from './encoding/ordinals.ts'
import type { Section, TextList } from './encoding/sections.ts'
import { idTable } from './id-lookup.ts'
import { FileSections } from './segment-file.ts'
import { type SortedBy, sortedDocs } from './sort-order.ts'
import type { FieldRows } from './writer/field-rows.ts'
import { type FieldParts, fieldParts } from './writer/field-sections.ts'

export type SegmentTask =
  | { readonly kind: 'section'; readonly path: string; readonly name: string }
  | { readonly kind: 'ordinals'; readonly path: string; readonly name: string; readonly max: number }
  /** The entries of a `BlockDirectory`. */
  | { readonly kind: 'blocks'; readonly path: string; readonly name: string }
  /** Documents by position, as a `SortPermutation` has them. */
  | ({ readonly kind: 'order'; readonly present: Uint32Array | null } & Omit<SortedBy, 'present'>)
  | { readonly kind: 'ids'; readonly ids: TextList; readonly roots: Uint32Array | null }
  | { readonly kind: 'field'; readonly rows: FieldRows; readonly docCount: number }

type SegmentTaskResult = Section | Ordinals | FieldParts | null

export function runSegmentTask(files: Files, job: SegmentTask): SegmentTaskResult {
  switch (job.kind) {
    case 'section':
      return withSections(files, job.path, (sections) => sections.read(job.name))
    case 'ordinals':
      return withSections(files, job.path, (sections) => sections.readOrdinals(job.name, job.max))
    case 'blocks':
      return withSections(files, job.path, (sections) => sections.listBlocks(job.name))
    case 'order':
      return sortedDocs({ ...job, present: bitsOf(job.present, job.size) })
    case 'ids':
      return idTable(job.ids, bitsOf(job.roots, job.ids.ends.length))
    case 'field':
      return fieldParts(job.rows, job.docCount)
  }
}

function bitsOf(words: Uint32Array | null, size: number): BitSet | null {
  return words === null ? null : new BitSet(size, words)
}

function withSections<Result>(files: Files, path: string, read: (sections: FileSections) => Result): Result {
  const sections = new FileSections(files, path)
  try {
    return read(sections)
  } finally {
    sections.close()
  }
}

/**
 * Returns the arrays of a result as transferable memory. Arrays in a builder's shared memory are copied: only the
 * views of the store's own thread keep that memory from being reused.
 */
export function ownedArrays(result: SegmentTaskResult): {
  result: SegmentTaskResult
  buffers: ArrayBuffer[]
} {
  const buffers = new Set<ArrayBuffer>()
  const owned = <A extends Exclude<Section | Ordinals, TextList>>(array: A): A => {
    const isWholeBuffer = array.byteLength === array.buffer.byteLength
    const isOwned = isWholeBuffer && !Buffer.isBuffer(array) && array.buffer instanceof ArrayBuffer
    const own = isOwned ? array : (copyOf(array) as A)
    buffers.add(own.buffer as ArrayBuffer)
    return own
  }
  const ownedSection = (section: Section): Section =>
    'ends' in section ? { bytes: owned(section.bytes), ends: owned(section.ends) } : owned(section)
  const ownedResult = (): SegmentTaskResult => {
    if (result === null) return null
    if (result instanceof Uint16Array) return owned(result)
    if (!('entry' in result)) return ownedSection(result)
    const { entry, sections } = result
    return { entry, sections: new Map([...sections].map(([name, section]) => [name, ownedSection(section)])) }
  }
  return { result: ownedResult(), buffers: [...buffers] }
}

function copyOf(array: Exclude<Section | Ordinals, TextList>) {
  // Both create an ArrayBuffer, whatever the memory of the original is.
  return array instanceof Uint8Array ? new Uint8Array(array) : array.slice()
}
