/**
 * A file that grows until it is uploaded. It lies where Logstash puts it, `<temporary_directory>/<uuid>/<prefix>/<name>`,
 * so that the name of the object can be read from the path after a crash; behind the uuid we add the bucket, so that
 * outputs with different buckets may share a folder. With gzip every write is a member of its own (RFC 1952, 2.2): the file
 * can be read whatever became of the last one.
 */
import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeDirectory } from '../../../storage/make-directory.ts'
import { percentDecoded } from '../../values/percent-decoding.ts'

const folderName = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:@(.*?))?(\.left)?$/i
const leftMark = '.left'

interface NameParts {
  readonly prefix: string
  readonly tags: readonly string[]
  readonly isGzip: boolean
  /** How many files of this prefix there were before. */
  readonly part: number
  readonly now: Date
}

/** `ls.s3.<uuid>.2013-04-18T10.00.tag_hello.part0.txt`; the time is that of the machine's zone. */
function objectName({ tags, isGzip, part, now }: NameParts): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-')
  const time = `${day}T${two(now.getHours())}.${two(now.getMinutes())}`
  const tagged = tags.length === 0 ? '' : `.tag_${tags.join('.')}`
  return `ls.s3.${randomUUID()}.${time}${tagged}.part${part}.${isGzip ? 'txt.gz' : 'txt'}`
}

export class TemporaryFile {
  /** Name of the object. */
  readonly key: string
  readonly path: string
  /** Everything of this file, removed with it. */
  readonly folder: string
  readonly created: number
  #size = 0

  constructor(directory: string, bucket: string, parts: NameParts) {
    const name = objectName(parts)
    this.folder = join(directory, `${randomUUID()}@${encodeURIComponent(bucket)}`)
    this.path = join(this.folder, parts.prefix, name)
    this.key = keyOf(join(parts.prefix, name))
    this.created = parts.now.getTime()
  }

  get size(): number {
    return this.#size
  }

  /** All of it or nothing: what a write that failed has left behind is cut off. */
  async append(bytes: Uint8Array): Promise<void> {
    if (this.#size === 0) await makeDirectory(dirname(this.path), 0o700)
    const file = await open(this.path, 'a', 0o600)
    try {
      for (let at = 0; at < bytes.length; ) {
        at += (await file.write(bytes, at)).bytesWritten
      }
      this.#size += bytes.length
    } catch (error) {
      await file.truncate(this.#size).catch(() => undefined)
      throw error
    } finally {
      await file.close()
    }
  }

  /** Nobody writes here any more: whoever restores next may take it, in this process too. */
  async leave(): Promise<void> {
    await rename(this.folder, this.folder + leftMark).catch(() => undefined)
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }
}

export function keyOf(path: string): string {
  return path.replace(/^\/+/, '')
}

interface FolderFacts {
  /** Undefined in folders of Logstash. */
  readonly bucket: string | undefined
  readonly isLeft: boolean
}

/** Undefined for folders that are not of temporary files. */
export function folderFacts(name: string): FolderFacts | undefined {
  const match = folderName.exec(name)
  if (match === null) return undefined
  return {
    bucket: match[1] === undefined ? undefined : percentDecoded(match[1]),
    isLeft: match[2] !== undefined,
  }
}
