/** The options of the s3 input. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OptionValues, option } from '../../../plugin/define.ts'
import { additionalSettings, awsOptions } from '../../aws/options.ts'

export const s3InputOptions = {
  ...awsOptions,
  ...additionalSettings,
  bucket: option.string({ required: true, doc: 'Bucket to read.' }),
  prefix: option.string({ doc: 'What the names of objects have to begin with; no pattern.' }),
  exclude_pattern: option.string({ doc: 'Regular expression of names to leave out.' }),
  interval: option.number({ default: 60, doc: 'Seconds between two looks at the bucket.' }),
  watch_for_new_files: option.boolean({
    default: true,
    doc: 'Whether to look again; otherwise the bucket is read once.',
  }),
  cutoff_second: option.number({
    default: 3,
    doc: 'Objects that were changed less than so many seconds ago are left for the next look.',
  }),
  sincedb_path: option.string({
    doc: 'File that remembers the time of the last object that was read; below `path.data` unless given.',
  }),
  gzip_pattern: option.string({
    default: '\\.gz(ip)?$',
    doc: 'Regular expression of names of objects that are gzip files.',
  }),
  include_object_properties: option.boolean({
    default: false,
    doc: 'Whether what the service says of an object goes into `[@metadata][s3]`, besides its `key`.',
  }),
  delete: option.boolean({ default: false, doc: 'Whether objects are deleted when they have been read.' }),
  backup_to_bucket: option.string({ doc: 'Bucket that objects are copied to when they have been read.' }),
  backup_add_prefix: option.string({ doc: 'What is put before the names of these copies.' }),
  backup_to_dir: option.string({ doc: 'Folder that objects are copied to when they have been read.' }),
  temporary_directory: option.string({
    default: join(tmpdir(), 'logstash'),
    doc: 'Folder where objects lie while they are read.',
  }),
}

export type S3InputOptions = OptionValues<typeof s3InputOptions>
