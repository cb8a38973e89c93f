/**
 * How many bytes of a log file are known to be synced, in a small file beside it (`wal-N.ckp`), overwritten in place
 * after every fsync of the log and never synced itself. It is exact after a killed process, and may be behind but
 * never ahead after a power cut. Bad bytes below that length are damaged acknowledged operations; bad bytes behind
 * it are the torn tail of a write that was never acknowledged. Layout: magic (u32), format version (u32), length
 * (double), CRC-32 (u32). (Elasticsearch's translog.ckp has the same purpose.)
 */
import { crc32 } from 'node:zlib'
import type { Files, InPlaceFile } from '../../storage/files.ts'

const bytes = 20
const magic = 0x4b_43_4c_4d
const version = 1

export class LogCheckpoint {
  readonly #file: InPlaceFile
  readonly #slot = Buffer.alloc(bytes)

  constructor(files: Files, path: string) {
    this.#file = files.openInPlace(path)
    this.#slot.writeUInt32LE(magic, 0)
    this.#slot.writeUInt32LE(version, 4)
  }

  write(syncedLength: number): void {
    this.#slot.writeDoubleLE(syncedLength, 8)
    this.#slot.writeUInt32LE(crc32(this.#slot.subarray(0, 16)), 16)
    this.#file.write(this.#slot)
  }

  close(): void {
    this.#file.close()
  }
}

/** Undefined when the file is absent or was never written whole. */
export function readCheckpoint(files: Files, path: string): number | undefined {
  if (!files.exists(path)) return undefined
  const slot = Buffer.from(files.read(path))
  if (slot.length !== bytes || slot.readUInt32LE(0) !== magic || slot.readUInt32LE(4) !== version)
    return undefined
  return crc32(slot.subarray(0, 16)) === slot.readUInt32LE(16) ? slot.readDoubleLE(8) : undefined
}
