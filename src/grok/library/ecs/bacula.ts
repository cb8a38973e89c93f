/** Bacula's job log: time, daemon, job, and one of the messages listed here. */
import { baculaMessages, bacula as shared } from '../shared/bacula.ts'

const device = String.raw`"%{BACULA_DEVICE:[bacula][volume][device]}" \(%{BACULA_DEVICEPATH:[bacula][volume][path]}\)`
const volume = '"%{BACULA_VOLUME:[bacula][volume][name]}"'
const daemon = String.raw`(?:Client: %{BACULA_HOST:[bacula][client][name]}|Storage daemon) on %{IPORHOST:[client][address]}:%{POSINT:[client][port]:int}\. ERR=%{GREEDYDATA:[error][message]}`

export const bacula: Record<string, string> = {
  ...shared,
  BACULA_TIMESTAMP: '%{MONTHDAY}-%{MONTH}(?:-%{YEAR})? %{HOUR}:%{MINUTE}',
  BACULA_HOST: '%{HOSTNAME}',

  BACULA_LOG_MAX_CAPACITY: String.raw`User defined maximum volume capacity %{BACULA_CAPACITY:[bacula][volume][max_capacity]} exceeded on device ${device}\.?`,
  BACULA_LOG_END_VOLUME: String.raw`End of medium on Volume ${volume} Bytes=%{BACULA_CAPACITY:[bacula][volume][bytes]} Blocks=%{BACULA_CAPACITY:[bacula][volume][blocks]} at %{BACULA_TIMESTAMP:[bacula][timestamp]}\.`,
  BACULA_LOG_NEW_VOLUME: String.raw`Created new Volume ${volume} in catalog\.`,
  BACULA_LOG_NEW_LABEL: String.raw`Labeled new Volume ${volume} on (?:file )?device ${device}\.`,
  BACULA_LOG_WROTE_LABEL: String.raw`Wrote label to prelabeled Volume ${volume} on (?:file )?device ${device}\.?`,
  BACULA_LOG_NEW_MOUNT: String.raw`New volume ${volume} mounted on (?:file )?device ${device} at %{BACULA_TIMESTAMP:[bacula][timestamp]}\.`,
  BACULA_LOG_NOOPEN: String.raw`\s*Cannot open %{DATA}: ERR=%{GREEDYDATA:[error][message]}`,
  BACULA_LOG_NOOPENDIR: String.raw`\s*Could not open directory "?%{DATA:[file][path]}"?: ERR=%{GREEDYDATA:[error][message]}`,
  BACULA_LOG_NOSTAT: String.raw`\s*Could not stat "?%{DATA:[file][path]}"?: ERR=%{GREEDYDATA:[error][message]}`,
  BACULA_LOG_NOJOBS: String.raw`There are no more Jobs associated with Volume ${volume}\. Marking it purged\.`,
  BACULA_LOG_ALL_RECORDS_PRUNED: `All records pruned from Volume ${volume}; marking it "Purged"`,
  BACULA_LOG_PRUNED_JOBS: String.raw`Pruned %{INT} Jobs? for client %{BACULA_HOST:[bacula][client][name]} from catalog\.`,
  BACULA_LOG_PRUNED_FILES: String.raw`Pruned Files from %{INT} Jobs? for client %{BACULA_HOST:[bacula][client][name]} from catalog\.`,
  BACULA_LOG_STARTJOB: 'Start Backup JobId %{INT}, Job=%{BACULA_JOB:[bacula][job][name]}',
  BACULA_LOG_STARTRESTORE: 'Start Restore Job %{BACULA_JOB:[bacula][job][name]}',
  BACULA_LOG_USEDEVICE: 'Using Device "%{BACULA_DEVICE:[bacula][volume][device]}"',
  BACULA_LOG_DIFF_FS: String.raw`\s*%{UNIXPATH} is a different filesystem\. Will not descend from %{UNIXPATH} into it\.`,
  BACULA_LOG_JOBEND:
    'Job write elapsed time = %{DATA:[bacula][job][elapsed_time]}, Transfer rate = %{NUMBER} [KMG]? Bytes/second',
  BACULA_LOG_VOLUME_PREVWRITTEN: String.raw`Volume ${volume} previously written, moving to end of data\.`,
  BACULA_LOG_READYAPPEND: `Ready to append to end of Volume ${volume} size=%{INT:[bacula][volume][size]:int}`,
  BACULA_LOG_CANCELLING: String.raw`Cancelling duplicate JobId=%{INT:[bacula][job][other_id]}\.`,
  BACULA_LOG_MARKCANCEL: String.raw`JobId %{INT}, Job %{BACULA_JOB:[bacula][job][name]} marked to be canceled\.`,
  BACULA_LOG_CLIENT_RBJ:
    'shell command: run ClientRunBeforeJob "%{GREEDYDATA:[bacula][job][client_run_before_command]}"',
  BACULA_LOG_DUPLICATE: String.raw`Fatal error: JobId %{INT:[bacula][job][other_id]} already running\. Duplicate job not allowed\.`,
  BACULA_LOG_FATAL_CONN: String.raw`Fatal error: (?:bsock\.c:\d+ )?Unable to connect to ${daemon}`,
  BACULA_LOG_NO_CONNECT: String.raw`Warning: (?:bsock\.c:\d+ )?Could not connect to ${daemon}`,
  BACULA_LOG_NO_AUTH: String.raw`Fatal error: Unable to authenticate with File daemon at "?%{IPORHOST:[client][address]}(?::%{POSINT:[client][port]:int})?"?\. Possible causes:`,

  BACULA_LOG: `%{BACULA_TIMESTAMP:timestamp} %{BACULA_HOST:[host][hostname]}(?: JobId %{INT:[bacula][job][id]})?:? (?:${baculaMessages})`,
  // The old name.
  BACULA_LOGLINE: '%{BACULA_LOG}',
}
