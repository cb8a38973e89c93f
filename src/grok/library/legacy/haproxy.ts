/** HAProxy: its HTTP and TCP log lines, the HTTP one also without the syslog header. */
import { spaced } from '../field-list.ts'

const header =
  '(?:%{SYSLOGTIMESTAMP:syslog_timestamp}|%{TIMESTAMP_ISO8601:timestamp8601}) %{IPORHOST:syslog_server} %{SYSLOGPROG}:'
const connection = spaced(
  '%{IP:client_ip}:%{INT:client_port}',
  String.raw`\[%{HAPROXYDATE:accept_date}\]`,
  '%{NOTSPACE:frontend_name}',
  '%{NOTSPACE:backend_name}/%{NOTSPACE:server_name}',
)
const load = spaced(
  '%{NOTSPACE:termination_state}',
  '%{INT:actconn}/%{INT:feconn}/%{INT:beconn}/%{INT:srvconn}/%{NOTSPACE:retries}',
  '%{INT:srv_queue}/%{INT:backend_queue}',
)

export const haproxy: Record<string, string> = {
  HAPROXYTIME: '%{HOUR:haproxy_hour}:%{MINUTE:haproxy_minute}:%{SECOND:haproxy_second}(?![0-9])',
  HAPROXYDATE:
    '%{MONTHDAY:haproxy_monthday}/%{MONTH:haproxy_month}/%{YEAR:haproxy_year}:%{HAPROXYTIME:haproxy_time}.%{INT:haproxy_milliseconds}',
  HAPROXYCAPTUREDREQUESTHEADERS: '%{DATA:captured_request_headers}',
  HAPROXYCAPTUREDRESPONSEHEADERS: '%{DATA:captured_response_headers}',
  // A long request is cut off by syslog, so the closing quote may be missing.
  HAPROXYHTTPBASE: spaced(
    connection,
    '%{INT:time_request}/%{INT:time_queue}/%{INT:time_backend_connect}/%{INT:time_backend_response}/%{NOTSPACE:time_duration}',
    '%{INT:http_status_code}',
    '%{NOTSPACE:bytes_read}',
    '(?<captured_request_cookie>[^ ]*)',
    '%{DATA:captured_response_cookie}',
    load,
    String.raw`(?:\{%{HAPROXYCAPTUREDREQUESTHEADERS}\})? ?(?:\{%{HAPROXYCAPTUREDRESPONSEHEADERS}\})? ?` +
      '"(?:<BADREQ>|%{WORD:http_verb} (?:%{URIPROTO:http_proto}://)?(?:%{USER:http_user}(?::[^@]*)?@)?' +
      '(?:%{URIHOST:http_host})?(?:%{URIPATHPARAM:http_request})?(?: HTTP/%{NUMBER:http_version})?)?"?',
  ),
  HAPROXYHTTP: `${header} %{HAPROXYHTTPBASE}`,
  HAPROXYTCP: spaced(
    header,
    connection,
    '%{INT:time_queue}/%{INT:time_backend_connect}/%{NOTSPACE:time_duration}',
    '%{NOTSPACE:bytes_read}',
    load,
  ),
}
