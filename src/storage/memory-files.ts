/**
 * A disk in memory, for tests: it knows what was synced and what was not, and `crash` gives the disk a
 * machine would find after a power cut. Writes can be made to fail from a chosen one on.
 */
import type { AppendFile, DiskSpace, Files, InPlaceFile, RandomFile, ReadFile } from './files.ts'
import { listedNames } from './listed-names.ts'

interface Content {
  bytes: Uint8Array
  /** How much of it would survive. */
  synced: number
}

export class MemoryFiles implements Files {
  /** Writes, syncs and renames left before every further one fails; Infinity for a good disk. */
  operationsLeft = Number.POSITIVE_INFINITY
  #files = new Map<string, Content>()
  #directories = new Set<string>()
  /** Names as the disk knows them; the rest of `#files` is in the directory only in memory. */
  #durableNames = new Map<string, Content>()

  #spend(): void {
    if (this.operationsLeft <= 0)
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    this.operationsLeft -= 1
  }

  /** What is there after a power cut; bytes that were not synced may survive in part, at the tail only. */
  crash(keepTail: (unsynced: number) => number = () => 0): MemoryFiles {
    const after = new MemoryFiles()
    for (const [path, { bytes, synced }] of this.#durableNames) {
      const kept = new Uint8Array(bytes.subarray(0, synced + keepTail(bytes.length - synced)))
      after.#files.set(path, { bytes: kept, synced: kept.length })
    }
    after.#durableNames = new Map(after.#files)
    after.#directories = new Set(this.#directories)
    return after
  }

  makeDirectory(path: string): void {
    this.#directories.add(path)
  }

  list(directory: string): string[] {
    return listedNames(directory, [...this.#files.keys(), ...this.#directories])
  }

  exists(path: string): boolean {
    return this.#files.has(path) || this.#directories.has(path)
  }

  read(path: string): Uint8Array {
    return new Uint8Array(this.#content(path).bytes)
  }

  write(path: string, pieces: Iterable<Uint8Array>): void {
    this.#spend()
    const bytes = Buffer.concat([...pieces])
    this.#files.set(path, { bytes, synced: bytes.length })
  }

  rename(from: string, to: string): void {
    this.#spend()
    const moved = this.#below(from)
    if (moved.length === 0) this.#content(from)
    for (const path of moved) {
      this.#files.set(to + path.slice(from.length), this.#content(path))
      this.#files.delete(path)
    }
    for (const path of [...this.#directories]) {
      if (path !== from && !path.startsWith(`${from}/`)) continue
      this.#directories.delete(path)
      this.#directories.add(to + path.slice(from.length))
    }
  }

  #below(path: string): string[] {
    return [...this.#files.keys()].filter((known) => known === path || known.startsWith(`${path}/`))
  }

  remove(path: string): void {
    for (const known of this.#below(path)) this.#files.delete(known)
    for (const known of [...this.#directories]) {
      if (known === path || known.startsWith(`${path}/`)) this.#directories.delete(known)
    }
  }

  syncDirectory(path: string): void {
    this.#spend()
    const prefix = `${path}/`
    const isHere = (name: string) => name.startsWith(prefix) && !name.slice(prefix.length).includes('/')
    for (const name of [...this.#durableNames.keys()]) if (isHere(name)) this.#durableNames.delete(name)
    for (const [name, content] of this.#files) if (isHere(name)) this.#durableNames.set(name, content)
  }

  openAppend(path: string): AppendFile {
    const file = this.openRandom(path)
    return {
      get size() {
        return file.size
      },
      append: (pieces) => file.write(file.size, pieces),
      sync: () => file.sync(),
      truncate: (size) => file.truncate(size),
      close() {},
    }
  }

  openRead(path: string): ReadFile {
    const { bytes } = this.#content(path)
    return {
      size: bytes.length,
      read: (from, to) => {
        if (to > bytes.length) throw new Error(`the file ends at ${bytes.length}, before ${to}`)
        return new Uint8Array(bytes.subarray(from, to))
      },
      close() {},
    }
  }

  openInPlace(path: string): InPlaceFile {
    if (!this.#files.has(path)) this.#files.set(path, { bytes: new Uint8Array(0), synced: 0 })
    return {
      write: (bytes) => {
        const content = this.#content(path)
        content.bytes = Buffer.concat([bytes, content.bytes.subarray(bytes.length)])
      },
      close() {},
    }
  }

  openRandom(path: string): RandomFile {
    let content = this.#files.get(path)
    if (content === undefined) {
      content = { bytes: new Uint8Array(0), synced: 0 }
      this.#files.set(path, content)
    }
    const file = content
    const spend = () => this.#spend()
    return {
      get size() {
        return file.bytes.length
      },
      write(position, pieces) {
        spend()
        const added = Buffer.concat(pieces)
        const bytes = new Uint8Array(Math.max(file.bytes.length, position + added.length))
        bytes.set(file.bytes)
        bytes.set(added, position)
        file.bytes = bytes
        file.synced = Math.min(file.synced, position)
      },
      async sync() {
        spend()
        file.synced = file.bytes.length
      },
      truncate(size) {
        file.bytes = new Uint8Array(file.bytes.subarray(0, size))
        file.synced = Math.min(file.synced, size)
      },
      close() {},
    }
  }

  space(): DiskSpace {
    const total = Number.MAX_SAFE_INTEGER
    return { total, available: this.operationsLeft <= 0 ? 0 : total }
  }

  #content(path: string): Content {
    const content = this.#files.get(path)
    if (content === undefined)
      throw Object.assign(new Error(`ENOENT: no such file ${path}`), { code: 'ENOENT' })
    return content
  }
}
