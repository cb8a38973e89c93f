/** The options of the file input. */
import { option } from '../../../plugin/define.ts'

/** The default of `file_chunk_count`: files are read to their end. */
export const unlimitedChunks = 2 ** 62

export const fileOptions = {
  path: option.list(option.string({ doc: 'A path.' }), {
    required: true,
    doc: 'Files to read: absolute paths, in which `*`, `?`, `[a-z]`, `{a,b}` and `**` (any depth) may stand.',
  }),
  exclude: option.list(option.string({ doc: 'A pattern.' }), {
    default: [],
    doc: 'Patterns for names, not paths, of files that are left out.',
  }),
  mode: option.oneOf(['tail', 'read'] as const, {
    default: 'tail',
    doc: 'Whether files are streams without end, of which what is appended is read, or complete when they are found.',
  }),
  start_position: option.oneOf(['beginning', 'end'] as const, {
    default: 'end',
    doc: 'Where to start in files that were there before the first start, in tail mode.',
  }),
  delimiter: option.string({
    default: '\n',
    doc: 'What stands between two lines; not for compressed files.',
  }),
  stat_interval: option.string({ default: '1 second', doc: 'How often files are looked at for changes.' }),
  discover_interval: option.number({
    default: 15,
    doc: 'How often new files are looked for, as a multiple of `stat_interval`.',
  }),
  ignore_older: option.string({
    doc: 'Leave out files that were last changed longer ago than this, until they change again.',
  }),
  close_older: option.string({
    default: '1 hour',
    doc: 'Close files of which nothing was read for this long; they are opened again when they grow.',
  }),
  max_open_files: option.number({ default: 4095, doc: 'How many files may be open at once.' }),
  sincedb_path: option.string({
    doc: 'File that records how far each file was delivered; one below `path.data` unless given.',
  }),
  sincedb_write_interval: option.string({
    default: '15 seconds',
    doc: 'How often that record is written.',
  }),
  sincedb_clean_after: option.string({
    default: '14 days',
    doc: 'Forget files of which nothing was read for this long; a bare number means days.',
  }),
  file_chunk_size: option.number({ default: 32768, doc: 'Bytes to read at once.' }),
  file_chunk_count: option.number({
    default: unlimitedChunks,
    doc: 'How many chunks to read from one file before the next has its turn; by default each is read to its end.',
  }),
  file_sort_by: option.oneOf(['last_modified', 'path'] as const, {
    default: 'last_modified',
    doc: 'What decides the order in which files are read.',
  }),
  file_sort_direction: option.oneOf(['asc', 'desc'] as const, {
    default: 'asc',
    doc: 'Direction of that order.',
  }),
  file_completed_action: option.oneOf(['delete', 'log', 'log_and_delete'] as const, {
    default: 'delete',
    doc: 'What to do with a file that was read and delivered completely, in read mode.',
  }),
  file_completed_log_path: option.string({
    doc: 'File to which the paths of completed files are appended; needed for `log` and `log_and_delete`.',
  }),
  exit_after_read: option.boolean({
    default: false,
    doc: 'Whether to end when the files that were there at the start are read; only in read mode.',
  }),
  check_archive_validity: option.boolean({
    default: false,
    doc: 'Whether compressed files are checked completely before they are read.',
  }),
}
