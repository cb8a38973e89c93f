/**
 * The one door to the disk for everything that must survive a power cut: queues, logs, segments. Small on
 * purpose, so that tests can put a disk behind it that forgets what was not synced, fills up or lies.
 */
import {
  closeSync,
  constants,
  existsSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  writeSync,
  writevSync,
} from 'node:fs'
import { makeDirectorySync } from './make-directory.ts'

export interface Files {
  makeDirectory(path: string): void
  /** Names in a directory, sorted; empty when there is none. */
  list(directory: string): string[]
  exists(path: string): boolean
  read(path: string): Uint8Array
  /**
   * Writes a whole file and syncs it; the name is safe only after `rename` and `syncDirectory`. Pieces are asked for
   * one after the other, so that a large file need not be in memory.
   */
  write(path: string, pieces: Iterable<Uint8Array>): void
  /** A file or a whole directory. */
  rename(from: string, to: string): void
  /** A file, or a directory with everything in it; nothing when there is none. */
  remove(path: string): void
  syncDirectory(path: string): void
  /** Opens at the end, and creates when there is none. */
  openAppend(path: string): AppendFile
  openRead(path: string): ReadFile
  /** For a few bytes that are written again and again at the start of a file; never synced. */
  openInPlace(path: string): InPlaceFile
  /** Opens for writing at any position, and creates when there is none. */
  openRandom(path: string): RandomFile
  /** Tells the size and free space of the file system a path is on. */
  space(path: string): DiskSpace
}

export interface DiskSpace {
  readonly total: number
  /** What this process may still write. */
  readonly available: number
}

export interface InPlaceFile {
  write(bytes: Uint8Array): void
  close(): void
}

/** A file that is written at given positions, so that a write that failed half-way can be done again. */
export interface RandomFile {
  readonly size: number
  write(position: number, pieces: readonly Uint8Array[]): void
  /** Resolves when everything written before the call is on the disk. */
  sync(): Promise<void>
  truncate(size: number): void
  close(): void
}

export interface AppendFile {
  readonly size: number
  append(pieces: readonly Uint8Array[]): void
  /** Resolves when everything appended before the call is on the disk. */
  sync(): Promise<void>
  truncate(size: number): void
  close(): void
}

export interface ReadFile {
  readonly size: number
  /** Returns the bytes, in the memory that is given when it is large enough. */
  read(from: number, to: number, into?: Uint8Array): Uint8Array
  close(): void
}

/** Documents and events are nobody else's business on a shared machine. */
const fileMode = 0o600
const directoryMode = 0o700

export const diskFiles: Files = {
  makeDirectory: (path) => {
    makeDirectorySync(path, directoryMode)
  },
  list: (directory) => (existsSync(directory) ? readdirSync(directory).sort() : []),
  exists: (path) => existsSync(path),
  read: (path) => readFileSync(path),
  write(path, pieces) {
    const file = openSync(path, 'w', fileMode)
    try {
      writeInTurns(file, pieces)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  },
  rename: (from, to) => renameSync(from, to),
  remove: (path) => rmSync(path, { recursive: true, force: true }),
  syncDirectory(path) {
    const directory = openSync(path, 'r')
    try {
      fsyncSync(directory)
    } finally {
      closeSync(directory)
    }
  },
  openAppend: (path) => new DiskAppendFile(path),
  openRead: (path) => new DiskReadFile(path),
  openInPlace: (path) => new DiskInPlaceFile(path),
  openRandom: (path) => new DiskRandomFile(path),
  space(path) {
    const { bsize, blocks, bavail } = statfsSync(path)
    return { total: blocks * bsize, available: bavail * bsize }
  },
}

const writtenAtOnce = 4 * 1024 * 1024

function writeInTurns(file: number, pieces: Iterable<Uint8Array>): void {
  let waiting: Uint8Array[] = []
  let bytes = 0
  for (const piece of pieces) {
    waiting.push(piece)
    bytes += piece.length
    if (bytes < writtenAtOnce) continue
    writeAll(file, waiting)
    waiting = []
    bytes = 0
  }
  writeAll(file, waiting)
}

/** The kernel may take less than it was given. */
function writeAll(file: number, pieces: readonly Uint8Array[], position?: number): void {
  let rest = pieces.filter(({ length }) => length > 0)
  let at = position
  while (rest.length > 0) {
    let written = writevSync(file, rest.slice(0, 1000), at)
    if (at !== undefined) at += written
    let whole = 0
    while (whole < rest.length && written >= rest[whole]!.length) written -= rest[whole++]!.length
    rest = rest.slice(whole)
    if (written > 0) rest[0] = rest[0]!.subarray(written)
  }
}

/** The number of a file that was closed may be that of another one soon: whoever still writes is refused. */
const closed = -1

class DiskAppendFile implements AppendFile {
  #file: number
  size: number

  constructor(path: string) {
    this.#file = openSync(path, 'a', fileMode)
    this.size = fstatSync(this.#file).size
  }

  append(pieces: readonly Uint8Array[]): void {
    writeAll(this.#file, pieces)
    for (const { length } of pieces) this.size += length
  }

  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      fdatasync(this.#file, (error) => (error === null ? resolve() : reject(error)))
    })
  }

  truncate(size: number): void {
    ftruncateSync(this.#file, size)
    this.size = size
  }

  close(): void {
    closeSync(this.#file)
    this.#file = closed
  }
}

/**
 * Closes files whose last reader is gone: searches and points in time hold on to files that the writer has long replaced,
 * and an open file keeps its room on the disk.
 */
const forgotten = new FinalizationRegistry<number>((file) => closeSync(file))

class DiskReadFile implements ReadFile {
  #file: number
  readonly size: number

  constructor(path: string) {
    this.#file = openSync(path, 'r')
    this.size = fstatSync(this.#file).size
    forgotten.register(this, this.#file, this)
  }

  read(from: number, to: number, into?: Uint8Array): Uint8Array {
    const length = to - from
    const bytes =
      into !== undefined && into.length >= length ? into.subarray(0, length) : new Uint8Array(length)
    for (let at = 0; at < bytes.length; ) {
      const got = readSync(this.#file, bytes, at, bytes.length - at, from + at)
      if (got === 0) throw new Error(`the file ends at ${from + at}, before ${to}`)
      at += got
    }
    return bytes
  }

  close(): void {
    if (this.#file < 0) return
    forgotten.unregister(this)
    closeSync(this.#file)
    this.#file = closed
  }
}

class DiskInPlaceFile implements InPlaceFile {
  #file: number

  constructor(path: string) {
    this.#file = openSync(path, constants.O_WRONLY | constants.O_CREAT, fileMode)
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at, bytes.length - at, at)
  }

  close(): void {
    closeSync(this.#file)
    this.#file = closed
  }
}

class DiskRandomFile implements RandomFile {
  #file: number

  constructor(path: string) {
    this.#file = openSync(path, constants.O_WRONLY | constants.O_CREAT, fileMode)
  }

  get size(): number {
    return fstatSync(this.#file).size
  }

  write(position: number, pieces: readonly Uint8Array[]): void {
    writeAll(this.#file, pieces, position)
  }

  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      fdatasync(this.#file, (error) => (error === null ? resolve() : reject(error)))
    })
  }

  truncate(size: number): void {
    ftruncateSync(this.#file, size)
  }

  close(): void {
    closeSync(this.#file)
    this.#file = closed
  }
}
