/**
 * Uploads files, a few at a time. Whoever hands one over waits while too many wait already; that is the back-pressure. An
 * upload that fails is tried again; a file whose upload is given up stays on the disk, where the next start finds it.
 */
import { open, stat } from 'node:fs/promises'
import type { PluginLogger } from '../../../plugin/define.ts'
import { type AwsService, errorFacts } from '../../aws/service.ts'
import { pause } from '../../delivery/pause.ts'

/** What is uploaded in one request is in memory meanwhile. */
const maxWholeBytes = 64 * 1024 * 1024
/** Limits of the service: 5 MiB in a part but the last, 10,000 parts. */
const minPartBytes = 5 * 1024 * 1024
const maxParts = 10_000

interface Upload {
  readonly key: string
  readonly path: string
  /** The service has it. */
  done(): Promise<void>
  /** It stays where it is. */
  left(): Promise<void>
}

interface UploaderSettings {
  readonly service: AwsService
  readonly bucket: string
  /** Parameters of PutObject and CreateMultipartUpload besides bucket and key. */
  readonly parameters: object
  readonly multipartThreshold: number
  readonly workers: number
  readonly queueSize: number
  readonly retryCount: number
  readonly retryMilliseconds: number
  readonly logger: PluginLogger
  readonly abort: AbortSignal
}

export class Uploader {
  readonly #settings: UploaderSettings
  readonly #queue: Upload[] = []
  readonly #waitingForRoom: (() => void)[] = []
  #running = 0
  #isClosing = false
  #idle: (() => void) | undefined

  constructor(settings: UploaderSettings) {
    this.#settings = settings
  }

  /** Resolves when there is room for more. */
  async add(upload: Upload): Promise<void> {
    this.#queue.push(upload)
    this.#start()
    while (this.#queue.length > Math.max(1, this.#settings.queueSize)) {
      await new Promise<void>((resolve) => this.#waitingForRoom.push(resolve))
    }
  }

  /** Uploads what waits. A failure is final now, unless files that are left would be lost. */
  async finish(retries: boolean): Promise<void> {
    this.#isClosing = !retries
    if (this.#running === 0 && this.#queue.length === 0) return
    await new Promise<void>((resolve) => {
      this.#idle = resolve
    })
  }

  #start(): void {
    while (this.#running < Math.max(1, this.#settings.workers) && this.#queue.length > 0) {
      const upload = this.#queue.shift()!
      this.#running += 1
      void this.#run(upload).finally(() => {
        this.#running -= 1
        for (const wake of this.#waitingForRoom.splice(0)) wake()
        this.#start()
        if (this.#running === 0 && this.#queue.length === 0) this.#idle?.()
      })
    }
  }

  async #run(upload: Upload): Promise<void> {
    const { logger, abort, retryCount, retryMilliseconds } = this.#settings
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#upload(upload)
        break
      } catch (error) {
        const facts = { ...errorFacts(error), path: upload.path }
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
          logger.error("File doesn't exist! Unrecoverable error.", facts)
          return
        }
        const limit = Number.isFinite(retryCount) ? retryCount : 'Infinity'
        if (abort.aborted || this.#isClosing || attempt > retryCount) {
          logger.error(`Failed to upload file (retried ${attempt - 1} times).`, { ...facts, kept: true })
          await upload.left()
          return
        }
        logger.warn(`Uploading failed, retrying (#${attempt} of ${limit})`, facts)
        await pause(retryMilliseconds, abort).catch(() => undefined)
      }
    }
    await upload.done().catch((error: Error) => {
      logger.error('A file that was uploaded cannot be removed', {
        path: upload.path,
        message: error.message,
      })
    })
  }

  async #upload({ key, path }: Upload): Promise<void> {
    const { service, bucket, parameters, multipartThreshold } = this.#settings
    const { size } = await stat(path)
    const place = { Bucket: bucket, Key: key }
    if (size > multipartThreshold || size > maxWholeBytes) {
      await this.#uploadParts(path, size, place)
      return
    }
    await service.call('PutObject', { ...parameters, ...place, Body: await bytesOf(path, 0, size) })
  }

  async #uploadParts(path: string, size: number, place: object): Promise<void> {
    const { service, parameters } = this.#settings
    const begun = await service.call<{ UploadId: string }>('CreateMultipartUpload', {
      ...parameters,
      ...place,
    })
    const { UploadId } = begun
    const partBytes = Math.max(minPartBytes, Math.ceil(size / maxParts))
    try {
      const Parts: { PartNumber: number; ETag: string }[] = []
      for (let at = 0; at < size; at += partBytes) {
        const Body = await bytesOf(path, at, Math.min(partBytes, size - at))
        const PartNumber = Parts.length + 1
        const { ETag } = await service.call<{ ETag: string }>('UploadPart', {
          ...place,
          UploadId,
          PartNumber,
          Body,
        })
        Parts.push({ PartNumber, ETag })
      }
      await service.call('CompleteMultipartUpload', { ...place, UploadId, MultipartUpload: { Parts } })
    } catch (error) {
      await service.call('AbortMultipartUpload', { ...place, UploadId }).catch(() => undefined)
      throw error
    }
  }
}

async function bytesOf(path: string, from: number, length: number): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const bytes = Buffer.allocUnsafe(length)
    for (let at = 0; at < length; ) {
      const { bytesRead } = await file.read(bytes, at, length - at, from + at)
      if (bytesRead === 0) throw new Error(`${path} has become shorter`)
      at += bytesRead
    }
    return bytes
  } finally {
    await file.close()
  }
}
