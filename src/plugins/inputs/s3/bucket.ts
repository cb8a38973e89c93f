/** A bucket: which objects are to be read, and what is done with an object before and after. */
import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PluginLogger } from '../../../plugin/define.ts'
import type { Pattern } from '../../../regex/pattern.ts'
import { type AwsService, errorFacts } from '../../aws/service.ts'
import type { S3InputOptions } from './options.ts'

export interface ListedObject {
  readonly key: string
  /** Milliseconds since 1970. */
  readonly modified: number
}

interface Listing {
  readonly Contents?: {
    readonly Key?: string
    readonly LastModified?: Date
    readonly Size?: number
    readonly StorageClass?: string
  }[]
  readonly NextContinuationToken?: string
}

export class Bucket {
  readonly #service: AwsService
  readonly #options: S3InputOptions
  readonly #exclude: Pattern | undefined
  readonly #logger: PluginLogger

  constructor(
    service: AwsService,
    options: S3InputOptions,
    exclude: Pattern | undefined,
    logger: PluginLogger,
  ) {
    this.#service = service
    this.#options = options
    this.#exclude = exclude
    this.#logger = logger
  }

  /** Objects that were changed after `since`, the oldest first. */
  async newObjects(since: number): Promise<ListedObject[]> {
    const { bucket, prefix, cutoff_second } = this.#options
    const cutoff = Date.now() - cutoff_second * 1000
    const objects: ListedObject[] = []
    let isEmpty = true
    let token: string | undefined
    do {
      const page: Listing = await this.#service.call<Listing>('ListObjectsV2', {
        Bucket: bucket,
        ...(prefix !== undefined && { Prefix: prefix }),
        ...(token !== undefined && { ContinuationToken: token }),
      })
      for (const { Key: key, LastModified, Size = 0, StorageClass } of page.Contents ?? []) {
        if (key === undefined || LastModified === undefined) continue
        isEmpty = false
        const modified = LastModified.getTime()
        if (this.#isIgnored(key)) this.#logger.debug('Ignoring', { key })
        else if (Size <= 0) this.#logger.debug('Object Zero Length', { key })
        else if (modified <= since) this.#logger.debug('Object Not Modified', { key })
        else if (modified > cutoff) this.#logger.debug('Object Modified After Cutoff Time', { key })
        else if (isArchived(StorageClass) && !(await this.#isRestored(key)))
          this.#logger.debug('Object Archived to Glacier', { key })
        else objects.push({ key, modified })
      }
      token = page.NextContinuationToken
    } while (token !== undefined)
    if (isEmpty) this.#logger.info('No files found in bucket', { prefix })
    return objects.sort((a, b) => a.modified - b.modified)
  }

  /** Puts the object into a file; gives what the service says of it. */
  async download(key: string, path: string): Promise<Record<string, unknown>> {
    const answer = await this.#service.call<Record<string, unknown>>('GetObject', {
      Bucket: this.#options.bucket,
      Key: key,
    })
    await pipeline(answer['Body'] as Readable, createWriteStream(path, { mode: 0o600 }))
    return answer
  }

  /** Undefined when it is gone. */
  async modified(key: string): Promise<number | undefined> {
    try {
      const head = await this.#service.call<{ LastModified?: Date }>('HeadObject', {
        Bucket: this.#options.bucket,
        Key: key,
      })
      return head.LastModified?.getTime()
    } catch (error) {
      if ((error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === 404)
        return undefined
      throw error
    }
  }

  /** Copies and deletes, as the options say. */
  async putAway(key: string): Promise<void> {
    const { bucket, backup_to_bucket, backup_add_prefix, delete: deletes } = this.#options
    if (backup_to_bucket !== undefined) {
      await this.#service.call('CopyObject', {
        Bucket: backup_to_bucket,
        Key: `${backup_add_prefix ?? ''}${key}`,
        CopySource: `${bucket}/${key}`.split('/').map(encodeURIComponent).join('/'),
      })
    }
    if (deletes) await this.#service.call('DeleteObject', { Bucket: bucket, Key: key })
  }

  /** The bucket for copies is made when there is none. */
  async prepareBackup(): Promise<void> {
    const { backup_to_bucket: Bucket } = this.#options
    if (Bucket === undefined) return
    try {
      await this.#service.call('HeadBucket', { Bucket })
    } catch (error) {
      const { httpStatusCode } = (error as { $metadata?: { httpStatusCode?: number } }).$metadata ?? {}
      if (httpStatusCode === 404) await this.#service.call('CreateBucket', { Bucket })
      else
        this.#logger.warn('The bucket for copies cannot be looked at', {
          bucket: Bucket,
          ...errorFacts(error),
        })
    }
  }

  #isIgnored(key: string): boolean {
    const { prefix, bucket, backup_add_prefix, backup_to_bucket } = this.#options
    if (key === prefix || key.endsWith('/')) return true
    if (backup_add_prefix && backup_to_bucket === bucket && key.startsWith(backup_add_prefix)) return true
    return this.#exclude?.test(key) ?? false
  }

  async #isRestored(key: string): Promise<boolean> {
    try {
      const { Restore = '' } = await this.#service.call<{ Restore?: string }>('HeadObject', {
        Bucket: this.#options.bucket,
        Key: key,
      })
      return isRestored(Restore, Date.now())
    } catch (error) {
      this.#logger.debug('Could not determine Glacier restore status', errorFacts(error))
      return false
    }
  }
}

function isArchived(storageClass: string | undefined): boolean {
  return storageClass === 'GLACIER' || storageClass === 'DEEP_ARCHIVE'
}

/** `ongoing-request="false", expiry-date="Fri, 21 Dec 2012 00:00:00 GMT"` */
export function isRestored(restore: string, now: number): boolean {
  if (!/ongoing-request\s?=\s?["']false["']/.test(restore)) return false
  const [, expiry] = /expiry-date\s?=\s?["'](.*?)["']/.exec(restore) ?? []
  return expiry !== undefined && now < Date.parse(expiry)
}
