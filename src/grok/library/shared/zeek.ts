/** Columns of Zeek's tab-separated logs that its versions, and Bro before it, have in common. */
import { orDash, tabbed } from '../field-list.ts'

export const connectionColumns = tabbed(
  '%{NUMBER:timestamp}',
  '%{NOTSPACE:[zeek][session_id]}',
  '%{IP:[source][ip]}',
  '%{INT:[source][port]:int}',
  '%{IP:[destination][ip]}',
  '%{INT:[destination][port]:int}',
)

export const httpResultColumns = tabbed(
  orDash('%{NUMBER:[http][request][body][bytes]:int}'),
  orDash('%{NUMBER:[http][response][body][bytes]:int}'),
  orDash('%{POSINT:[http][response][status_code]:int}'),
  orDash('%{DATA:[zeek][http][status_msg]}'),
  orDash('%{POSINT:[zeek][http][info_code]:int}'),
  orDash('%{DATA:[zeek][http][info_msg]}'),
)

export const trafficColumns = tabbed(
  orDash('%{INT:[source][packets]:int}'),
  orDash('%{INT:[source][bytes]:int}'),
  orDash('%{INT:[destination][packets]:int}'),
  orDash('%{INT:[destination][bytes]:int}'),
)
