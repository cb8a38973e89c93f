/**
 * The commit point of a shard (Lucene's segments_N): its segments with their sizes, their live-docs files, and the
 * generation of the write-ahead log that continues from there. Every file it names must exist. It is replaced
 * atomically, so that a crash leaves the old or the new one.
 */
import { DamagedFile, type FileKind, readChecked, writeChecked } from '../../storage/checked-file.ts'
import type { Files } from '../../storage/files.ts'

export interface Manifest {
  readonly segments: readonly SegmentRecord[]
  /** The first log generation whose operations are not all in the segments. */
  readonly logGeneration: number
  readonly nextSegment: number
  readonly maxSeqNo: number
}

export interface SegmentRecord {
  readonly name: string
  /** The number of documents, including nested and deleted ones. */
  readonly docs: number
  /** The length of the segment file. */
  readonly bytes: number
  /** The live-docs file and its number of live documents; absent when nothing is deleted. */
  readonly live?: { readonly name: string; readonly docs: number }
}

export const manifestName = 'MANIFEST'
const kind: FileKind = { name: 'manifest', version: 2, firstRead: 2 }

export function readManifest(files: Files, directory: string): Manifest {
  const path = `${directory}/${manifestName}`
  const body = Buffer.from(readChecked(files, path, kind)).toString()
  try {
    return JSON.parse(body) as Manifest
  } catch (error) {
    throw new DamagedFile(path, `cannot be read: ${(error as Error).message}`)
  }
}

export function writeManifest(files: Files, directory: string, manifest: Manifest): void {
  writeChecked(files, `${directory}/${manifestName}`, kind, Buffer.from(JSON.stringify(manifest)))
}
