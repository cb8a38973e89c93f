/** Apache httpd: the common and combined access logs, the error logs of 2.0 and 2.4. */
import { orDash, spaced } from '../field-list.ts'
import { httpd as shared } from '../shared/httpd.ts'

export const httpd: Record<string, string> = {
  ...shared,
  HTTPD_COMMONLOG: spaced(
    '%{IPORHOST:[source][address]}',
    orDash('%{HTTPDUSER:[apache][access][user][identity]}'),
    orDash('%{HTTPDUSER:[user][name]}'),
    String.raw`\[%{HTTPDATE:timestamp}\]`,
    '"(?:%{WORD:[http][request][method]} %{NOTSPACE:[url][original]}(?: HTTP/%{NUMBER:[http][version]})?|%{DATA})"',
    orDash('%{INT:[http][response][status_code]:int}'),
    orDash('%{INT:[http][response][body][bytes]:int}'),
  ),
  HTTPD_COMBINEDLOG: spaced(
    '%{HTTPD_COMMONLOG}',
    `"${orDash('%{DATA:[http][request][referrer]}')}"`,
    `"${orDash('%{DATA:[user_agent][original]}')}"`,
  ),
  HTTPD20_ERRORLOG: spaced(
    String.raw`\[%{HTTPDERROR_DATE:timestamp}\]`,
    String.raw`\[%{LOGLEVEL:[log][level]}\]`,
    String.raw`(?:\[client %{IPORHOST:[source][address]}\] )?%{GREEDYDATA:message}`,
  ),
  HTTPD24_ERRORLOG: spaced(
    String.raw`\[%{HTTPDERROR_DATE:timestamp}\]`,
    String.raw`\[(?:%{WORD:[apache][error][module]})?:%{LOGLEVEL:[log][level]}\]`,
    String.raw`\[pid %{POSINT:[process][pid]:int}(?::tid %{INT:[process][thread][id]:int})?\]` +
      String.raw`(?: \(%{POSINT:[apache][error][proxy][error][code]}\)%{DATA:[apache][error][proxy][error][message]}:)?` +
      String.raw`(?: \[client %{IPORHOST:[source][address]}(?::%{POSINT:[source][port]:int})?\])?` +
      '(?: %{DATA:[error][code]}:)?',
    '%{GREEDYDATA:message}',
  ),
}
