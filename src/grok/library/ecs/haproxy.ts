/** HAProxy: its HTTP and TCP log lines, the HTTP one also without the syslog header. */
import { orDash, spaced } from '../field-list.ts'

/** A time is -1 when the connection never got that far. */
const milliseconds = (field: string): string => `(?:-1|%{INT:[haproxy]${field}:int})`

const header =
  '(?:%{SYSLOGTIMESTAMP:timestamp}|%{TIMESTAMP_ISO8601:timestamp}) %{IPORHOST:[host][hostname]} %{SYSLOGPROG}:'
const connection = spaced(
  '%{IP:[source][address]}:%{INT:[source][port]:int}',
  String.raw`\[%{HAPROXYDATE:[haproxy][request_date]}\]`,
  '%{NOTSPACE:[haproxy][frontend_name]}',
  '%{NOTSPACE:[haproxy][backend_name]}/(?:<NOSRV>|%{NOTSPACE:[haproxy][server_name]})',
)
const waits = `${milliseconds('[total_waiting_time_ms]')}/${milliseconds('[connection_wait_time_ms]')}`
const load = spaced(
  '%{NOTSPACE:[haproxy][termination_state]}',
  '%{INT:[haproxy][connections][active]:int}/%{INT:[haproxy][connections][frontend]:int}' +
    '/%{INT:[haproxy][connections][backend]:int}/%{INT:[haproxy][connections][server]:int}' +
    '/%{INT:[haproxy][connections][retries]:int}',
  '%{INT:[haproxy][server_queue]:int}/%{INT:[haproxy][backend_queue]:int}',
)

export const haproxy: Record<string, string> = {
  HAPROXYTIME: '%{HOUR}:%{MINUTE}:%{SECOND}(?![0-9])',
  HAPROXYDATE: '%{MONTHDAY}/%{MONTH}/%{YEAR}:%{HAPROXYTIME}.%{INT}',
  HAPROXYCAPTUREDREQUESTHEADERS: '%{DATA:[haproxy][http][request][captured_headers]}',
  HAPROXYCAPTUREDRESPONSEHEADERS: '%{DATA:[haproxy][http][response][captured_headers]}',
  HAPROXYURI:
    '(?:%{URIPROTO:[url][scheme]}://)?(?:%{USER:[url][username]}(?::[^@]*)?@)?' +
    '(?:%{IPORHOST:[url][domain]}(?::%{POSINT:[url][port]:int})?)?' +
    String.raw`(?:%{URIPATH:[url][path]}(?:\?%{URIQUERY:[url][query]})?)?`,
  HAPROXYHTTPREQUESTLINE:
    '(?:<BADREQ>|%{WORD:[http][request][method]} %{HAPROXYURI:[url][original]}(?: HTTP/%{NUMBER:[http][version]})?)',
  // A long request is cut off by syslog, so the closing quote may be missing.
  HAPROXYHTTPBASE: spaced(
    connection,
    `${milliseconds('[http][request][time_wait_ms]')}/${waits}` +
      `/${milliseconds('[http][request][time_wait_without_data_ms]')}/%{NOTSPACE:[haproxy][total_time_ms]}`,
    '%{INT:[http][response][status_code]:int}',
    '%{INT:[source][bytes]:int}',
    orDash('(?<[haproxy][http][request][captured_cookie]>[^ ]*)'),
    orDash('%{DATA:[haproxy][http][response][captured_cookie]}'),
    load,
    String.raw`(?:\{%{HAPROXYCAPTUREDREQUESTHEADERS}\} )?(?:\{%{HAPROXYCAPTUREDRESPONSEHEADERS}\} )?` +
      '"%{HAPROXYHTTPREQUESTLINE}"?',
  ),
  HAPROXYHTTP: `${header} %{HAPROXYHTTPBASE}`,
  HAPROXYTCP: spaced(
    header,
    connection,
    `${waits}/%{NOTSPACE:[haproxy][total_time_ms]}`,
    '%{INT:[source][bytes]:int}',
    load,
  ),
}
