/**
 * What a shard consists of: its segments with their sizes, the files of their deletions, and the generation of the
 * write-ahead log that goes on from there. Whatever it names has to be there; it is replaced as a whole, so that a crash
 * leaves the old one or the new one.
 */
import { DamagedFile, type FileKind, readChecked, writeChecked } from '../../storage/checked-file.ts'
import type { Files } from '../../storage/files.ts'

export interface Manifest {
  readonly segments: readonly SegmentRecord[]
  /** The first log whose operations are not in the segments. */
  readonly logGeneration: number
  readonly nextSegment: number
  readonly maxSeqNo: number
}

export interface SegmentRecord {
  readonly name: string
  /** Documents in it, nested and deleted ones included. */
  readonly docs: number
  /** Length of its file. */
  readonly bytes: number
  /** File with the bits of documents that are not deleted; absent when none is. */
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
