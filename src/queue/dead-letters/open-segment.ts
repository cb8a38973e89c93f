/**
 * The segment that is being written, `N.log.tmp`. Entries count as written after the fsync of their group. When an
 * append fails the file is cut back to what was synced; after a failed fsync the file is never written again, because
 * the kernel may have dropped the bytes and forgotten about it.
 */
import type { AppendFile, Files } from '../../storage/files.ts'
import { openPath, sealedPath } from './segment-files.ts'
import { framed, segmentVersion, versionBytes } from './segment-format.ts'

export class OpenSegment {
  readonly id: number
  /** False after a failure that leaves no more trust in the file; what was synced in it is recovered later. */
  isUsable = true
  readonly #files: Files
  readonly #directory: string
  readonly #file: AppendFile
  #synced = versionBytes

  /** Under its name for good when this resolves. */
  static async create(files: Files, directory: string, id: number): Promise<OpenSegment> {
    const path = openPath(directory, id)
    const file = files.openAppend(path)
    try {
      file.append([Buffer.of(segmentVersion)])
      await file.sync()
      files.syncDirectory(directory)
    } catch (error) {
      file.close()
      files.remove(path)
      throw error
    }
    return new OpenSegment(files, directory, id, file)
  }

  private constructor(files: Files, directory: string, id: number, file: AppendFile) {
    this.#files = files
    this.#directory = directory
    this.id = id
    this.#file = file
  }

  get size(): number {
    return this.#synced
  }

  get hasEntries(): boolean {
    return this.#synced > versionBytes
  }

  /** Resolves when all entries are on the disk; none of them counts as written when it rejects. */
  async append(entries: readonly Uint8Array[]): Promise<void> {
    const pieces: Buffer[] = []
    let position = this.#synced
    for (const entry of entries) {
      const bytes = framed(entry, position)
      pieces.push(bytes)
      position += bytes.length
    }
    try {
      this.#file.append(pieces)
    } catch (error) {
      this.#cutBack()
      throw error
    }
    try {
      await this.#file.sync()
    } catch (error) {
      this.#cutBack()
      this.isUsable = false
      throw error
    }
    this.#synced = position
  }

  #cutBack(): void {
    try {
      this.#file.truncate(this.#synced)
    } catch {
      this.isUsable = false
    }
  }

  /** Closes the file and gives it the name of a sealed segment. */
  seal(): void {
    this.#file.close()
    this.#files.rename(openPath(this.#directory, this.id), sealedPath(this.#directory, this.id))
    this.#files.syncDirectory(this.#directory)
  }

  /** Removes a segment that has no entries. */
  discard(): void {
    this.#file.close()
    this.#files.remove(openPath(this.#directory, this.id))
  }

  /** Leaves the file to recovery. */
  abandon(): void {
    this.#file.close()
  }
}
