/**
 * A disk for tests that behaves as badly as real ones do, from a seed. It keeps apart what was synced and what was
 * only written; `powerCut` gives a disk on which any of the unsynced sectors and directory entries may be missing.
 * Any call can be made to fail. After a failed fsync the kernel may take the pages for clean: a later fsync that
 * succeeds says nothing about them, and neither does this disk.
 */
import type { AppendFile, DiskSpace, Files, InPlaceFile, RandomFile, ReadFile } from './files.ts'
import { listedNames } from './listed-names.ts'

const sectorBytes = 512

interface Inode {
  bytes: Uint8Array
  /** What a power cut leaves for certain. */
  synced: Uint8Array
  /** Sectors a failed fsync dropped, with what the disk has there: readable, taken for clean, never written. */
  dropped: readonly Dropped[]
}

interface Dropped {
  readonly from: number
  readonly onDisk: Uint8Array
}

/** One change of a directory; a rename is one, because file systems do it in one step. */
interface Entry {
  readonly directory: string
  readonly removed: readonly string[]
  readonly added: readonly (readonly [path: string, inode: Inode])[]
}

export type DiskCallKind =
  | 'write'
  | 'append'
  | 'overwrite'
  | 'writeAt'
  | 'sync'
  | 'syncDirectory'
  | 'rename'
  | 'remove'
  | 'open'
  | 'truncate'
  | 'read'

export interface DiskCall {
  /** Counted from 0 over the life of the disk. */
  readonly number: number
  readonly kind: DiskCallKind
  readonly path: string
}

export type DiskError = 'ENOSPC' | 'EIO' | 'EROFS' | 'EMFILE' | 'EACCES'

/** A source of numbers from 0 up to 1; see `seededRandom`. */
export type Random = () => number

/** Returns a generator (mulberry32) that gives the same numbers for the same seed on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export class SimulatedDisk implements Files {
  /** Answers the error a call ends with, if any. */
  fault: ((call: DiskCall) => DiskError | undefined) | undefined
  /** Bytes all files may take together. */
  capacity = Number.POSITIVE_INFINITY
  calls = 0
  #files = new Map<string, Inode>()
  #directories = new Set<string>()
  #durableFiles = new Map<string, Inode>()
  #pending: Entry[] = []

  #call(kind: DiskCallKind, path: string): void {
    const error = this.fault?.({ number: this.calls++, kind, path })
    if (error !== undefined) throw diskError(error, kind, path)
  }

  get used(): number {
    let used = 0
    for (const { bytes } of this.#files.values()) used += bytes.length
    return used
  }

  #change(directory: string, removed: readonly string[], added: Entry['added']): void {
    for (const path of removed) this.#files.delete(path)
    for (const [path, inode] of added) this.#files.set(path, inode)
    this.#pending.push({ directory, removed, added })
  }

  makeDirectory(path: string): void {
    const names = path.split('/')
    for (let i = 1; i <= names.length; i++) this.#directories.add(names.slice(0, i).join('/'))
  }

  list(directory: string): string[] {
    return listedNames(directory, [...this.#files.keys(), ...this.#directories])
  }

  exists(path: string): boolean {
    return this.#files.has(path) || this.#directories.has(path)
  }

  read(path: string): Uint8Array {
    this.#call('read', path)
    return new Uint8Array(this.#inode(path).bytes)
  }

  write(path: string, pieces: Iterable<Uint8Array>): void {
    this.#call('open', path)
    const inode = emptyInode()
    this.#change(parentOf(path), [], [[path, inode]])
    for (const piece of pieces) this.#append(inode, [piece], 'write', path)
    this.#sync(inode, path)
  }

  /** What fits is written before the call fails, as the kernel does it. */
  #append(inode: Inode, pieces: readonly Uint8Array[], kind: 'write' | 'append', path: string): void {
    const added = Buffer.concat(pieces)
    let failure: Error | undefined
    let taken = Math.min(added.length, this.capacity - this.used)
    if (taken < added.length) failure = diskError('ENOSPC', kind, path)
    try {
      this.#call(kind, path)
    } catch (error) {
      failure = error as Error
      taken = Math.floor(taken / 2)
    }
    inode.bytes = Buffer.concat([inode.bytes, added.subarray(0, taken)])
    if (failure !== undefined) throw failure
  }

  #sync(inode: Inode, path: string): void {
    try {
      this.#call('sync', path)
    } catch (error) {
      inode.dropped = [...inode.dropped, ...dirtySectors(inode)]
      throw error
    }
    inode.synced = new Uint8Array(inode.bytes)
    for (const { from, onDisk } of inode.dropped)
      inode.synced.set(onDisk.subarray(0, inode.synced.length - from), from)
  }

  rename(from: string, to: string): void {
    this.#call('rename', to)
    const moved = this.#below(from)
    if (moved.length === 0 && !this.#directories.has(from)) this.#inode(from)
    const added = moved.map((path) => [to + path.slice(from.length), this.#inode(path)] as const)
    this.#change(parentOf(to), moved, added)
    for (const path of [...this.#directories]) {
      if (path !== from && !path.startsWith(`${from}/`)) continue
      this.#directories.delete(path)
      this.#directories.add(to + path.slice(from.length))
    }
  }

  remove(path: string): void {
    this.#call('remove', path)
    this.#change(parentOf(path), this.#below(path), [])
    for (const known of [...this.#directories]) {
      if (known === path || known.startsWith(`${path}/`)) this.#directories.delete(known)
    }
  }

  syncDirectory(path: string): void {
    this.#call('syncDirectory', path)
    const [done, left]: [Entry[], Entry[]] = [[], []]
    for (const entry of this.#pending) (entry.directory === path ? done : left).push(entry)
    apply(this.#durableFiles, done)
    this.#pending = left
  }

  openAppend(path: string): AppendFile {
    const inode = this.#opened(path)
    return {
      get size() {
        return inode.bytes.length
      },
      append: (pieces) => this.#append(inode, pieces, 'append', path),
      sync: async () => this.#sync(inode, path),
      truncate: (size) => this.#truncate(inode, size, path),
      close() {},
    }
  }

  openRead(path: string): ReadFile {
    this.#call('open', path)
    const inode = this.#inode(path)
    return {
      get size() {
        return inode.bytes.length
      },
      read: (from, to) => {
        this.#call('read', path)
        if (to > inode.bytes.length) throw new Error(`the file ends at ${inode.bytes.length}, before ${to}`)
        return new Uint8Array(inode.bytes.subarray(from, to))
      },
      close() {},
    }
  }

  openInPlace(path: string): InPlaceFile {
    const inode = this.#opened(path)
    return {
      write: (bytes) => {
        this.#call('overwrite', path)
        if (this.used + bytes.length - inode.bytes.length > this.capacity)
          throw diskError('ENOSPC', 'overwrite', path)
        inode.bytes = Buffer.concat([bytes, inode.bytes.subarray(bytes.length)])
      },
      close() {},
    }
  }

  openRandom(path: string): RandomFile {
    const inode = this.#opened(path)
    return {
      get size() {
        return inode.bytes.length
      },
      write: (position, pieces) => this.#writeAt(inode, position, Buffer.concat(pieces), path),
      sync: async () => this.#sync(inode, path),
      truncate: (size) => this.#truncate(inode, size, path),
      close() {},
    }
  }

  /** What fits is written before the call fails, as the kernel does it. */
  #writeAt(inode: Inode, position: number, added: Uint8Array, path: string): void {
    let failure: Error | undefined
    const free = this.capacity - this.used + Math.max(0, inode.bytes.length - position)
    let taken = Math.max(0, Math.min(added.length, free))
    if (taken < added.length) failure = diskError('ENOSPC', 'writeAt', path)
    try {
      this.#call('writeAt', path)
    } catch (error) {
      failure = error as Error
      taken = Math.floor(taken / 2)
    }
    if (taken > 0) {
      const bytes = new Uint8Array(Math.max(inode.bytes.length, position + taken))
      bytes.set(inode.bytes)
      bytes.set(added.subarray(0, taken), position)
      inode.bytes = bytes
    }
    if (failure !== undefined) throw failure
  }

  #truncate(inode: Inode, size: number, path: string): void {
    this.#call('truncate', path)
    inode.bytes = new Uint8Array(inode.bytes.subarray(0, size))
    if (inode.synced.length > size) inode.synced = new Uint8Array(inode.synced.subarray(0, size))
    inode.dropped = inode.dropped.filter(({ from }) => from < size)
  }

  space(): DiskSpace {
    const total = Math.min(this.capacity, Number.MAX_SAFE_INTEGER)
    return { total, available: Math.max(0, total - this.used) }
  }

  /** Opens a file for writing, and creates it when there is none. */
  #opened(path: string): Inode {
    this.#call('open', path)
    if (!this.#files.has(path)) this.#create(path)
    return this.#inode(path)
  }

  #create(path: string): void {
    this.#change(parentOf(path), [], [[path, emptyInode()]])
  }

  #inode(path: string): Inode {
    const inode = this.#files.get(path)
    if (inode === undefined)
      throw Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: 'ENOENT' })
    return inode
  }

  #below(path: string): string[] {
    return [...this.#files.keys()].filter((known) => known === path || known.startsWith(`${path}/`))
  }

  // ------------------------------------------------------------------------------------ what tests do to it

  /** The disk that the machine finds when the power is back. The one it was taken from stays as it is. */
  powerCut(random: Random): SimulatedDisk {
    const after = new SimulatedDisk()
    const names = new Map(this.#durableFiles)
    apply(names, surviving(this.#pending, random))
    for (const [path, inode] of names) {
      const bytes = tornBytes(inode, random)
      after.#files.set(path, { bytes, synced: bytes, dropped: [] })
    }
    return after.#settled(this)
  }

  /** As after `kill -9`: everything that was written is there, synced or not. */
  copy(): SimulatedDisk {
    const after = new SimulatedDisk()
    for (const [path, { bytes }] of this.#files) {
      const own = new Uint8Array(bytes)
      after.#files.set(path, { bytes: own, synced: own, dropped: [] })
    }
    return after.#settled(this)
  }

  #settled(before: SimulatedDisk): SimulatedDisk {
    this.#durableFiles = new Map(this.#files)
    this.#directories = new Set(before.#directories)
    return this
  }

  paths(): string[] {
    return [...this.#files.keys()].sort()
  }

  sizeOf(path: string): number {
    return this.#inode(path).bytes.length
  }

  flipBit(path: string, bit: number): void {
    const inode = this.#inode(path)
    const bytes = new Uint8Array(inode.bytes)
    bytes[bit >>> 3]! ^= 1 << (bit & 7)
    inode.bytes = bytes
    inode.synced = bytes
  }

  cutTo(path: string, size: number): void {
    const inode = this.#inode(path)
    inode.bytes = new Uint8Array(inode.bytes.subarray(0, size))
    inode.synced = inode.bytes
  }

  lose(path: string): void {
    for (const known of this.#below(path)) {
      this.#files.delete(known)
      this.#durableFiles.delete(known)
    }
    for (const known of [...this.#directories]) {
      if (known === path || known.startsWith(`${path}/`)) this.#directories.delete(known)
    }
  }
}

function emptyInode(): Inode {
  return { bytes: new Uint8Array(0), synced: new Uint8Array(0), dropped: [] }
}

/** Where the file differs from what is on the disk, in pieces of a sector or less. */
function dirtySectors({ bytes, synced }: Inode): Dropped[] {
  const dirty: Dropped[] = []
  const kept = Math.min(bytes.length, synced.length)
  for (let from = 0; from < bytes.length; from = Math.min(from + sectorBytes, nextCut(from, kept))) {
    const to = Math.min(bytes.length, from + sectorBytes, nextCut(from, kept))
    const onDisk = new Uint8Array(to - from)
    if (from < kept) onDisk.set(synced.subarray(from, to))
    if (from >= kept || Buffer.compare(onDisk, bytes.subarray(from, to)) !== 0) dirty.push({ from, onDisk })
  }
  return dirty
}

/** A piece ends where the bytes that were ever on the disk end. */
function nextCut(from: number, kept: number): number {
  return from < kept ? kept : Number.POSITIVE_INFINITY
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function apply(files: Map<string, Inode>, entries: readonly Entry[]): void {
  for (const { removed, added } of entries) {
    for (const path of removed) files.delete(path)
    for (const [path, inode] of added) files.set(path, inode)
  }
}

/** The journal of a file system keeps the order of changes: of each directory, or of all, the first ones survive. */
function surviving(pending: readonly Entry[], random: Random): Entry[] {
  if (random() < 0.5) return pending.slice(0, Math.floor(random() * (pending.length + 1)))
  const left = new Map<string, number>()
  for (const { directory } of pending) left.set(directory, (left.get(directory) ?? 0) + 1)
  for (const [directory, count] of left) left.set(directory, Math.floor(random() * (count + 1)))
  return pending.filter(({ directory }) => {
    const more = left.get(directory)!
    left.set(directory, more - 1)
    return more > 0
  })
}

/** Any of the sectors that were not synced may be as they were before, and the file any length between. */
function tornBytes({ bytes, synced }: Inode, random: Random): Uint8Array {
  const mode = random()
  if (mode < 0.3) return new Uint8Array(synced)
  if (mode < 0.5) return new Uint8Array(bytes)
  const shorter = Math.min(bytes.length, synced.length)
  const size = shorter + Math.floor(random() * (Math.max(bytes.length, synced.length) - shorter + 1))
  const torn = new Uint8Array(size)
  for (let from = 0; from < size; from += sectorBytes) {
    const to = Math.min(size, from + sectorBytes)
    const source = random() < 0.5 ? bytes : synced
    torn.set(source.subarray(Math.min(from, source.length), Math.min(to, source.length)), from)
  }
  return torn
}

function diskError(code: DiskError, kind: DiskCallKind, path: string): Error {
  return Object.assign(new Error(`${code}: ${texts[code]}, ${kind} '${path}'`), { code })
}

const texts: Record<DiskError, string> = {
  ENOSPC: 'no space left on device',
  EIO: 'i/o error',
  EROFS: 'read-only file system',
  EMFILE: 'too many open files',
  EACCES: 'permission denied',
}
