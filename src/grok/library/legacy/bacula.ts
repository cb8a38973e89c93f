/** Bacula's job log: time, daemon, job, and one of the messages listed here. */
import { baculaMessages, bacula as shared } from '../shared/bacula.ts'

export const bacula: Record<string, string> = {
  ...shared,
  BACULA_TIMESTAMP: '%{MONTHDAY}-%{MONTH} %{HOUR}:%{MINUTE}',
  BACULA_HOST: '[a-zA-Z0-9-]+',

  BACULA_LOG_MAX_CAPACITY: String.raw`User defined maximum volume capacity %{BACULA_CAPACITY} exceeded on device "%{BACULA_DEVICE:device}" \(%{BACULA_DEVICEPATH}\)`,
  BACULA_LOG_END_VOLUME: String.raw`End of medium on Volume "%{BACULA_VOLUME:volume}" Bytes=%{BACULA_CAPACITY} Blocks=%{BACULA_CAPACITY} at %{MONTHDAY}-%{MONTH}-%{YEAR} %{HOUR}:%{MINUTE}\.`,
  BACULA_LOG_NEW_VOLUME: String.raw`Created new Volume "%{BACULA_VOLUME:volume}" in catalog\.`,
  BACULA_LOG_NEW_LABEL: String.raw`Labeled new Volume "%{BACULA_VOLUME:volume}" on device "%{BACULA_DEVICE:device}" \(%{BACULA_DEVICEPATH}\)\.`,
  BACULA_LOG_WROTE_LABEL: String.raw`Wrote label to prelabeled Volume "%{BACULA_VOLUME:volume}" on device "%{BACULA_DEVICE}" \(%{BACULA_DEVICEPATH}\)`,
  BACULA_LOG_NEW_MOUNT: String.raw`New volume "%{BACULA_VOLUME:volume}" mounted on device "%{BACULA_DEVICE:device}" \(%{BACULA_DEVICEPATH}\) at %{MONTHDAY}-%{MONTH}-%{YEAR} %{HOUR}:%{MINUTE}\.`,
  BACULA_LOG_NOOPEN: String.raw`\s+Cannot open %{DATA}: ERR=%{GREEDYDATA:berror}`,
  BACULA_LOG_NOOPENDIR: String.raw`\s+Could not open directory %{DATA}: ERR=%{GREEDYDATA:berror}`,
  BACULA_LOG_NOSTAT: String.raw`\s+Could not stat %{DATA}: ERR=%{GREEDYDATA:berror}`,
  BACULA_LOG_NOJOBS: String.raw`There are no more Jobs associated with Volume "%{BACULA_VOLUME:volume}"\. Marking it purged\.`,
  BACULA_LOG_ALL_RECORDS_PRUNED:
    'All records pruned from Volume "%{BACULA_VOLUME:volume}"; marking it "Purged"',
  BACULA_LOG_PRUNED_JOBS: String.raw`Pruned %{INT} Jobs? for client %{BACULA_HOST:client} from catalog\.`,
  BACULA_LOG_PRUNED_FILES: String.raw`Pruned Files from %{INT} Jobs? for client %{BACULA_HOST:client} from catalog\.`,
  BACULA_LOG_STARTJOB: 'Start Backup JobId %{INT}, Job=%{BACULA_JOB:job}',
  BACULA_LOG_STARTRESTORE: 'Start Restore Job %{BACULA_JOB:job}',
  BACULA_LOG_USEDEVICE: 'Using Device "%{BACULA_DEVICE:device}"',
  BACULA_LOG_DIFF_FS: String.raw`\s+%{UNIXPATH} is a different filesystem\. Will not descend from %{UNIXPATH} into it\.`,
  BACULA_LOG_JOBEND:
    'Job write elapsed time = %{DATA:elapsed}, Transfer rate = %{NUMBER} [KMG]? Bytes/second',
  BACULA_LOG_VOLUME_PREVWRITTEN: String.raw`Volume "%{BACULA_VOLUME:volume}" previously written, moving to end of data\.`,
  BACULA_LOG_READYAPPEND: 'Ready to append to end of Volume "%{BACULA_VOLUME:volume}" size=%{INT}',
  BACULA_LOG_CANCELLING: String.raw`Cancelling duplicate JobId=%{INT}\.`,
  BACULA_LOG_MARKCANCEL: String.raw`JobId %{INT}, Job %{BACULA_JOB:job} marked to be canceled\.`,
  BACULA_LOG_CLIENT_RBJ: 'shell command: run ClientRunBeforeJob "%{GREEDYDATA:runjob}"',
  BACULA_LOG_DUPLICATE: String.raw`Fatal error: JobId %{INT:duplicate} already running\. Duplicate job not allowed\.`,
  BACULA_LOG_FATAL_CONN: String.raw`Fatal error: bsock\.c:133 Unable to connect to (?:Client: %{BACULA_HOST:client}|Storage daemon) on %{HOSTNAME}:%{POSINT}\. ERR=%{GREEDYDATA:berror}`,
  BACULA_LOG_NO_CONNECT: String.raw`Warning: bsock\.c:127 Could not connect to (?:Client: %{BACULA_HOST:client}|Storage daemon) on %{HOSTNAME}:%{POSINT}\. ERR=%{GREEDYDATA:berror}`,
  BACULA_LOG_NO_AUTH: String.raw`Fatal error: Unable to authenticate with File daemon at %{HOSTNAME}\. Possible causes:`,

  BACULA_LOGLINE: `%{BACULA_TIMESTAMP:bts} %{BACULA_HOST:hostname} JobId %{INT:jobid}: (?:${baculaMessages})`,
}
