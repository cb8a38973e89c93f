/** The options of the s3 output. */
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OptionValues, option } from '../../../plugin/define.ts'
import { additionalSettings, awsOptions } from '../../aws/options.ts'

/** What a prefix must not contain, as in Logstash. */
const invalidInPrefix = '^`><'

export const s3OutputOptions = {
  ...awsOptions,
  ...additionalSettings,
  bucket: option.string({ required: true, doc: 'Bucket to upload to.' }),
  prefix: option.string({
    default: '',
    doc: 'What the names of objects begin with, e.g. a folder; may contain `%{…}`, which makes a file for each value.',
  }),
  size_file: option.number({ default: 5 * 1024 * 1024, doc: 'Bytes after which a file is uploaded.' }),
  time_file: option.number({ default: 15, doc: 'Minutes after which a file is uploaded.' }),
  rotation_strategy: option.oneOf(['size_and_time', 'size', 'time'] as const, {
    default: 'size_and_time',
    doc: 'Whether a file is uploaded for its size, its age, or whichever comes first.',
  }),
  temporary_directory: option.string({
    default: join(tmpdir(), 'logstash'),
    doc: 'Folder where files grow until they are uploaded.',
  }),
  restore: option.boolean({
    default: true,
    doc: 'Whether files that an earlier run left in `temporary_directory` are uploaded at the start.',
  }),
  encoding: option.oneOf(['none', 'gzip'] as const, {
    default: 'none',
    doc: 'Whether files are compressed.',
  }),
  tags: option.array({ default: [], doc: 'Words that are put into the names of objects.' }),
  canned_acl: option.oneOf(
    [
      'private',
      'public-read',
      'public-read-write',
      'authenticated-read',
      'aws-exec-read',
      'bucket-owner-read',
      'bucket-owner-full-control',
      'log-delivery-write',
    ] as const,
    { default: 'private', doc: 'Who may read and write the objects.' },
  ),
  server_side_encryption: option.boolean({
    default: false,
    doc: 'Whether the service encrypts the objects.',
  }),
  server_side_encryption_algorithm: option.oneOf(['AES256', 'aws:kms'] as const, {
    default: 'AES256',
    doc: 'How the service encrypts.',
  }),
  ssekms_key_id: option.string({ doc: 'Key to encrypt with, for `aws:kms`; its default key unless given.' }),
  storage_class: option.oneOf(
    [
      'STANDARD',
      'REDUCED_REDUNDANCY',
      'STANDARD_IA',
      'ONEZONE_IA',
      'INTELLIGENT_TIERING',
      'GLACIER',
      'DEEP_ARCHIVE',
      'OUTPOSTS',
      'GLACIER_IR',
      'SNOW',
      'EXPRESS_ONEZONE',
    ] as const,
    { default: 'STANDARD', doc: 'Storage class of the objects.' },
  ),
  upload_workers_count: option.number({
    default: Math.ceil(availableParallelism() * 0.5),
    doc: 'How many files are uploaded at the same time; half of the processors unless given.',
  }),
  upload_queue_size: option.number({
    default: 2 * Math.ceil(availableParallelism() * 0.25),
    doc: 'How many files may wait for their upload before events wait too.',
  }),
  upload_multipart_threshold: option.number({
    default: 15 * 1024 * 1024,
    doc: 'Files of more bytes, and all beyond 64 MiB, are uploaded in parts.',
  }),
  retry_count: option.number({
    doc: 'How often a failed upload is tried again before its file is left for the next start; for ever unless given.',
  }),
  retry_delay: option.number({ default: 1, doc: 'Seconds before a failed upload is tried again.' }),
  validate_credentials_on_root_bucket: option.boolean({
    default: true,
    doc: 'Whether to put a small object into the bucket at the start, and to take it away again, to see that this is allowed.',
  }),
  signature_version: option.oneOf(['v2', 'v4'] as const, {
    doc: 'Accepted for compatibility; requests are always signed with version 4.',
  }),
}

export type S3OutputOptions = OptionValues<typeof s3OutputOptions>

/** Throws what Logstash says of options that contradict each other. */
export function checkS3Output({ prefix, size_file, time_file, rotation_strategy }: S3OutputOptions): void {
  if (hasInvalid(prefix)) throw new Error(`Prefix must not contains: ${invalidInPrefix}`)
  if (size_file === 0 && time_file === 0) {
    throw new Error(
      'The S3 plugin must have at least one of time_file or size_file set to a value greater than 0',
    )
  }
  if (rotation_strategy !== 'time' && size_file <= 0)
    throw new Error('`size_file` need to be greather than 0')
  if (rotation_strategy !== 'size' && time_file <= 0)
    throw new Error('`time_file` need to be greather than 0')
}

function hasInvalid(text: string): boolean {
  return [...invalidInPrefix].some((sign) => text.includes(sign))
}

/**
 * The prefix of an event as it may stand in a path: signs that Logstash replaces, and parts that would lead out of the
 * folder of the file.
 */
export function normalizePrefix(prefix: string): string {
  return prefix
    .replace(/[\^`><\0]/g, '_')
    .split('/')
    .map((part) => (part === '.' || part === '..' ? '_'.repeat(part.length) : part))
    .join('/')
}
