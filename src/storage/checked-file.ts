/**
 * A small file that is replaced as a whole and never believed without its checksum. The first line, in ASCII, says
 * what it is: `millrace KIND VERSION LENGTH CRC32`; the body follows. The CRC-32 covers the line up to itself and the
 * body. A crash leaves the old file or the new one. The form of the first line never changes, so that every version can
 * tell a newer file from a damaged one.
 */
import { crc32 } from 'node:zlib'
import type { Files } from './files.ts'

class FileProblem extends Error {
  readonly path: string

  constructor(path: string, what: string) {
    super(`${path} ${what}`)
    this.path = path
  }
}

/** The bytes of a file are not those that were written, or it is not there although it has to be. */
export class DamagedFile extends FileProblem {
  override readonly name = 'DamagedFile'
}

/** A version of the program that does not know the form of a file leaves it alone. */
export class UnknownFormat extends FileProblem {
  override readonly name = 'UnknownFormat'
}

/** Whether a file itself is at fault, also when the error comes from another thread and lost its class. */
export function isDamage(error: unknown): error is Error {
  const { name } = (error ?? {}) as { name?: unknown }
  return name === 'DamagedFile' || name === 'UnknownFormat'
}

/** Whether another version of the program wrote a file: nothing is wrong with it, and nobody here may change it. */
export function isUnknownFormat(error: unknown): boolean {
  return ((error ?? {}) as { name?: unknown }).name === 'UnknownFormat'
}

export interface FileKind {
  readonly name: string
  readonly version: number
  /** Older ones are refused. */
  readonly firstRead: number
}

const maxHeadBytes = 128

export function checkedBytes({ name, version }: FileKind, body: Uint8Array): Uint8Array[] {
  const start = `millrace ${name} ${version} ${body.length} `
  const crc = crc32(body, crc32(start))
  return [Buffer.from(`${start}${crc.toString(16).padStart(8, '0')}\n`), body]
}

/** Written, synced and under its name for good when this returns. */
export function writeChecked(files: Files, path: string, kind: FileKind, body: Uint8Array): void {
  const temporary = `${path}.tmp`
  try {
    files.write(temporary, checkedBytes(kind, body))
    files.rename(temporary, path)
  } catch (error) {
    removeQuietly(files, temporary)
    throw error
  }
  files.syncDirectory(path.slice(0, path.lastIndexOf('/')))
}

/** Half a file takes room that a full disk does not have; whoever failed to write it has another error to tell. */
export function removeQuietly(files: Files, path: string): void {
  try {
    files.remove(path)
  } catch {
    // The next start finds it and takes it away.
  }
}

export function readChecked(files: Files, path: string, kind: FileKind): Uint8Array {
  if (!files.exists(path)) throw new DamagedFile(path, 'is missing')
  return checkedBody(path, files.read(path), kind)
}

export function checkedBody(
  path: string,
  bytes: Uint8Array,
  { name, version, firstRead }: FileKind,
): Uint8Array {
  const split = bytes.subarray(0, maxHeadBytes).indexOf(0x0a)
  const line = Buffer.from(bytes.subarray(0, Math.max(0, split))).toString('latin1')
  const found = /^(millrace ([a-z-]+) (\d+) (\d+) )([0-9a-f]{8})$/.exec(line)
  if (found === null) throw new DamagedFile(path, `is damaged: it does not begin as a ${name} file does`)
  const [, start = '', kind, written, length, crc = ''] = found
  const body = bytes.subarray(split + 1)
  if (body.length !== Number(length))
    throw new DamagedFile(path, `is damaged: it has ${body.length} bytes where ${length} were written`)
  if (crc32(body, crc32(start)) !== Number.parseInt(crc, 16))
    throw new DamagedFile(path, 'is damaged: its checksum is wrong')
  if (kind !== name) throw new DamagedFile(path, `is a ${kind} file where a ${name} file belongs`)
  if (Number(written) > version)
    throw new UnknownFormat(
      path,
      `was written by a newer version of the program (format ${written}; this one knows ${version}); it was left untouched`,
    )
  if (Number(written) < firstRead)
    throw new UnknownFormat(path, `has format ${written}, which this version no longer reads`)
  return body
}
