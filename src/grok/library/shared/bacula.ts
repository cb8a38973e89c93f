/** What the two sets share of Bacula's job log: the names in it and the messages that carry none. */
const signed = String.raw`[+-]?\d+`

/** All messages, in the order in which a log line tries them. */
export const baculaMessages: string = [
  'MAX_CAPACITY',
  'END_VOLUME',
  'NEW_VOLUME',
  'NEW_LABEL',
  'WROTE_LABEL',
  'NEW_MOUNT',
  'NOOPEN',
  'NOOPENDIR',
  'NOSTAT',
  'NOJOBS',
  'ALL_RECORDS_PRUNED',
  'BEGIN_PRUNE_JOBS',
  'BEGIN_PRUNE_FILES',
  'PRUNED_JOBS',
  'PRUNED_FILES',
  'ENDPRUNE',
  'STARTJOB',
  'STARTRESTORE',
  'USEDEVICE',
  'DIFF_FS',
  'JOBEND',
  'NOPRUNE_JOBS',
  'NOPRUNE_FILES',
  'VOLUME_PREVWRITTEN',
  'READYAPPEND',
  'CANCELLING',
  'MARKCANCEL',
  'CLIENT_RBJ',
  'VSS',
  'MAXSTART',
  'DUPLICATE',
  'NOJOBSTAT',
  'FATAL_CONN',
  'NO_CONNECT',
  'NO_AUTH',
  'NOSUIT',
  'JOB',
  'NOPRIOR',
]
  .map((name) => `%{BACULA_LOG_${name}}`)
  .join('|')

export const bacula: Record<string, string> = {
  BACULA_VOLUME: '%{USER}',
  BACULA_DEVICE: '%{USER}',
  BACULA_DEVICEPATH: '%{UNIXPATH}',
  BACULA_VERSION: '%{USER}',
  BACULA_JOB: '%{USER}',
  // One to three integers side by side, so that `2016-11-14` is one too; behind each comma exactly three,
  // and since digits need no sign between them, any three digits will do.
  BACULA_CAPACITY: String.raw`${signed}(?:[+-]\d+){0,2}(?:,(?:${signed}[+-]\d+[+-]\d+|[+-]?\d{2,}[+-]\d+|${signed}[+-]\d{2,}|[+-]?\d{3,}))*`,

  BACULA_LOG_BEGIN_PRUNE_JOBS: String.raw`Begin pruning Jobs older than %{INT} month %{INT} days \.`,
  BACULA_LOG_BEGIN_PRUNE_FILES: String.raw`Begin pruning Files\.`,
  BACULA_LOG_ENDPRUNE: String.raw`End auto prune\.`,
  BACULA_LOG_NOPRUNE_JOBS: String.raw`No Jobs found to prune\.`,
  BACULA_LOG_NOPRUNE_FILES: String.raw`No Files found to prune\.`,
  BACULA_LOG_VSS: '(?:Generate )?VSS (?:Writer)?',
  BACULA_LOG_MAXSTART: String.raw`Fatal error: Job canceled because max start delay time exceeded\.`,
  BACULA_LOG_NOJOBSTAT: String.raw`Fatal error: No Job status returned from FD\.`,
  BACULA_LOG_NOSUIT: String.raw`No prior or suitable Full backup found in catalog\. Doing FULL backup\.`,
  BACULA_LOG_JOB: String.raw`(?:Error: )?Bacula %{BACULA_HOST} %{BACULA_VERSION} \(%{BACULA_VERSION}\):`,
  BACULA_LOG_NOPRIOR: String.raw`No prior Full backup Job record found\.`,
}
