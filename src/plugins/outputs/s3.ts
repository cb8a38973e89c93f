/**
 * The s3 output: events are written to files, one for each prefix, which are uploaded when they are large or old enough. An
 * event counts as delivered when its file has it: files survive the process, and are uploaded by the next one.
 */
import { access, constants } from 'node:fs/promises'
import { hostname } from 'node:os'
import { promisify } from 'node:util'
import { gzip as gzipCallback } from 'node:zlib'
import { startConcern } from '../../plugin/concern.ts'
import { defineOutput, type PluginLogger, Undelivered } from '../../plugin/define.ts'
import { encodeBlock, encodeOf, groupByTarget } from '../../plugin/encode-buffer.ts'
import { textOf } from '../../plugin/raw-text.ts'
import { makeDirectory } from '../../storage/make-directory.ts'
import { awsConcerns } from '../aws/options.ts'
import { packageNames } from '../aws/packages.ts'
import { AwsService, errorFacts, isRefusal } from '../aws/service.ts'
import { pause } from '../delivery/pause.ts'
import { writeEach } from '../delivery/undelivered-blocks.ts'
import { clientPackage } from '../packages/peer-package.ts'
import { findLeftovers, readable, removeLeftover } from './s3/leftovers.ts'
import { checkS3Output, normalizePrefix, type S3OutputOptions, s3OutputOptions } from './s3/options.ts'
import { rotationOf } from './s3/rotation.ts'
import { TemporaryFile } from './s3/temporary-file.ts'
import { Uploader } from './s3/uploader.ts'

const compress = promisify(gzipCallback)
const checkMilliseconds = 15_000
const fullDiskMilliseconds = 1000
/** A prefix that was not used for so long counts its parts from 0 again. */
const staleMilliseconds = 15 * 60_000
/** What says that there can be no such file, not that there is no room. */
const pathErrors = new Set(['EILSEQ', 'EINVAL', 'EISDIR', 'ELOOP', 'ENAMETOOLONG', 'ENOTDIR'])

interface Prefixed {
  file: TemporaryFile | undefined
  parts: number
  used: number
}

export default defineOutput({
  name: 's3',
  summary: 'Writes events to files and uploads these to Amazon S3.',
  description: [
    clientPackage(packageNames.s3),
    '',
    'Objects are named `ls.s3.<uuid>.<time>.tag_<tags>.part<n>.txt`, with gzip `.txt.gz`, behind the prefix. An event is',
    'delivered when its file has it. Files that could not be uploaded, because the process was killed or the service was',
    'away, stay in `temporary_directory` and are uploaded by the next start with `restore`; nothing of them is lost with the',
    'process, only with the folder. Outputs with different buckets may share a folder.',
    '',
    'The start fails when the service refuses the credentials or the bucket. It does not when the service cannot be reached:',
    'files wait on the disk until it can.',
  ].join('\n'),
  options: s3OutputOptions,
  codec: 'line',
  concurrency: 'single',
  concerns: (options) => [
    ...startConcern('prefix', () => checkS3Output(options)),
    ...awsConcerns(options, 's3'),
  ],
  create({ options, codec, codecName, compile, logger, abort }) {
    const { bucket, temporary_directory: directory } = options
    const encode = encodeOf(codec, codecName)
    const prefixTemplate = compile.template(options.prefix)
    const isGzip = options.encoding === 'gzip'
    const tags = options.tags.map(textOf)
    const isFull = rotationOf(options)
    const prefixes = new Map<string, Prefixed>()
    let service: AwsService | undefined
    let uploader: Uploader | undefined
    let restorer: Uploader | undefined
    let timer: NodeJS.Timeout | undefined

    const makeUploader = (workers: number, queueSize: number, retryCount: number) =>
      new Uploader({
        service: service!,
        bucket,
        parameters: objectParameters(options),
        multipartThreshold: options.upload_multipart_threshold,
        workers,
        queueSize,
        retryCount,
        retryMilliseconds: Math.max(10, options.retry_delay * 1000),
        logger,
        abort,
      })

    const upload = (file: TemporaryFile) =>
      uploader!.add({
        key: file.key,
        path: file.path,
        done: () => file.remove(),
        left: () => file.leave(),
      })

    const rotate = async (prefixed: Prefixed): Promise<void> => {
      const { file } = prefixed
      if (file === undefined) return
      logger.debug('Rotate file', { key: file.key, path: file.path })
      prefixed.file = undefined
      await upload(file)
    }

    /** Rotates files that nobody writes to, and forgets prefixes that nobody uses. */
    const checkFiles = (): void => {
      const now = Date.now()
      for (const [prefix, prefixed] of prefixes) {
        if (prefixed.file !== undefined && isFull(prefixed.file, now)) void rotate(prefixed)
        else if (prefixed.file === undefined && now - prefixed.used > staleMilliseconds)
          prefixes.delete(prefix)
      }
    }

    const write = async (prefix: string, bytes: Uint8Array): Promise<void> => {
      let prefixed = prefixes.get(prefix)
      if (prefixed === undefined) prefixes.set(prefix, (prefixed = { file: undefined, parts: 0, used: 0 }))
      prefixed.used = Date.now()
      for (;;) {
        prefixed.file ??= new TemporaryFile(directory, bucket, {
          prefix,
          tags,
          isGzip,
          part: prefixed.parts++,
          now: new Date(),
        })
        const { file } = prefixed
        try {
          await file.append(bytes)
          if (prefixed.file === file && isFull(file, Date.now())) await rotate(prefixed)
          return
        } catch (error) {
          const { code = '', message } = error as NodeJS.ErrnoException
          abort.throwIfAborted()
          // Somebody has removed the file or its folder: what was in it is gone, what comes goes on.
          if (code === 'ENOENT') prefixed.file = undefined
          if (pathErrors.has(code)) {
            prefixes.delete(prefix)
            throw new Undelivered(message, [prefix])
          }
          const text =
            code === 'ENOSPC' ? 'S3: No space left in temporary directory' : 'S3: A file cannot be written'
          logger.error(text, { temporary_directory: directory, message })
          await pause(fullDiskMilliseconds, abort)
        }
      }
    }

    const restore = async (): Promise<void> => {
      restorer = makeUploader(2, Number.POSITIVE_INFINITY, options.retry_count ?? Number.POSITIVE_INFINITY)
      const processStart = Date.now() - process.uptime() * 1000
      for (const leftover of await findLeftovers({ directory, bucket, processStart })) {
        const { key } = leftover
        logger.debug('Recovering from crash and uploading', { file: leftover.path })
        const path = await readable(leftover).catch((error: Error) => {
          logger.error('A file of an earlier run cannot be read', {
            file: leftover.path,
            message: error.message,
          })
        })
        if (path === undefined) continue
        await restorer.add({ key, path, done: () => removeLeftover(leftover), left: async () => {} })
      }
    }

    return {
      async register() {
        checkS3Output(options)
        await prepareDirectory(directory)
        service = await AwsService.open({ service: 's3', options, logger, abort })
        if (options.validate_credentials_on_root_bucket) await checkBucket(service, options, logger)
        uploader = makeUploader(
          options.upload_workers_count,
          options.upload_queue_size,
          options.retry_count ?? Number.POSITIVE_INFINITY,
        )
        if (options.restore) {
          restore().catch((error: Error) =>
            logger.error('Files cannot be restored', { message: error.message }),
          )
        }
        timer = setInterval(checkFiles, checkMilliseconds)
        timer.unref()
      },
      encode(events) {
        const groups = groupByTarget(events, (event) => normalizePrefix(prefixTemplate(event)))
        return [...groups].map(([prefix, group]) => encodeBlock(group, encode, prefix))
      },
      async write(blocks) {
        await writeEach(blocks, async ({ target, bytes }) => {
          if (bytes.length > 0) await write(target, isGzip ? await compress(bytes) : bytes)
        })
      },
      async close() {
        clearInterval(timer)
        if (uploader !== undefined) {
          logger.debug('Uploading current workspace')
          for (const prefixed of prefixes.values()) {
            // Not waited for: what does not find room in the queue now does when others are done.
            void rotate(prefixed)
          }
          await Promise.all([uploader.finish(!options.restore), restorer?.finish(false)])
          uploader = undefined
        }
        service?.close()
        service = undefined
      },
    }
  },
})

async function prepareDirectory(directory: string): Promise<void> {
  try {
    await makeDirectory(directory)
    await access(directory, constants.W_OK)
  } catch {
    throw new Error(`Logstash must have the permissions to write to the temporary directory: ${directory}`)
  }
}

/** Parameters of the service for every object. */
function objectParameters(options: S3OutputOptions): Record<string, unknown> {
  const { server_side_encryption_algorithm: algorithm, ssekms_key_id } = options
  return {
    ACL: options.canned_acl,
    StorageClass: options.storage_class,
    ...(options.server_side_encryption && { ServerSideEncryption: algorithm }),
    ...(algorithm === 'aws:kms' && ssekms_key_id !== undefined && { SSEKMSKeyId: ssekms_key_id }),
    ...(options.encoding === 'gzip' && { ContentEncoding: 'gzip' }),
  }
}

/** Puts a small object into the bucket. Taking it away again need not be allowed. */
async function checkBucket(
  service: AwsService,
  options: S3OutputOptions,
  logger: PluginLogger,
): Promise<void> {
  const { bucket: Bucket } = options
  const time = new Date().toISOString()
  const Key = `logstash-programmatic-access-test-object-${time}`
  const Body = `Logstash permission check on ${time}, by ${hostname()}`
  try {
    await service.call('PutObject', { ...objectParameters(options), Bucket, Key, Body })
  } catch (error) {
    logger.error('Error validating bucket write permissions!', errorFacts(error))
    if (!isRefusal(error)) return
    throw new Error(
      `Logstash must have the privileges to write to root bucket \`${Bucket}\`, check your credentials or your permissions.`,
      { cause: error },
    )
  }
  await service.call('DeleteObject', { Bucket, Key }).catch(() => undefined)
}
