/** Which segments a shard consists of; replaced as a whole, so that a crash leaves the old one or the new one. */
import { crc32 } from 'node:zlib'
import type { Files } from '../../storage/files.ts'

export interface Manifest {
  readonly version: 1
  readonly segments: readonly SegmentRecord[]
  /** The first log whose operations are not in the segments. */
  readonly logGeneration: number
  readonly nextSegment: number
  readonly maxSeqNo: number
}

export interface SegmentRecord {
  readonly name: string
  /** File with the bits of documents that are not deleted; absent when none is. */
  readonly live?: string
}

const name = 'MANIFEST'

export function readManifest(files: Files, directory: string): Manifest | undefined {
  const path = `${directory}/${name}`
  if (!files.exists(path)) return undefined
  const text = Buffer.from(files.read(path)).toString()
  const split = text.indexOf('\n')
  const body = text.slice(split + 1)
  if (Number(text.slice(0, split)) !== crc32(body)) throw new Error(`${path} is damaged`)
  return JSON.parse(body) as Manifest
}

export function writeManifest(files: Files, directory: string, manifest: Manifest): void {
  const body = JSON.stringify(manifest)
  const path = `${directory}/${name}`
  files.write(`${path}.tmp`, [Buffer.from(`${crc32(body)}\n${body}`)])
  files.rename(`${path}.tmp`, path)
  files.syncDirectory(directory)
}
