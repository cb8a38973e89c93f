/** Apache httpd: the common and combined access logs, the error logs of 2.0 and 2.4. */
import { orDash, spaced } from '../field-list.ts'
import { httpd as shared } from '../shared/httpd.ts'

export const httpd: Record<string, string> = {
  ...shared,
  HTTPD_COMMONLOG: spaced(
    '%{IPORHOST:clientip}',
    '%{HTTPDUSER:ident}',
    '%{HTTPDUSER:auth}',
    String.raw`\[%{HTTPDATE:timestamp}\]`,
    '"(?:%{WORD:verb} %{NOTSPACE:request}(?: HTTP/%{NUMBER:httpversion})?|%{DATA:rawrequest})"',
    orDash('%{NUMBER:response}'),
    orDash('%{NUMBER:bytes}'),
  ),
  HTTPD_COMBINEDLOG: '%{HTTPD_COMMONLOG} %{QS:referrer} %{QS:agent}',
  HTTPD20_ERRORLOG: spaced(
    String.raw`\[%{HTTPDERROR_DATE:timestamp}\]`,
    String.raw`\[%{LOGLEVEL:loglevel}\]`,
    String.raw`(?:\[client %{IPORHOST:clientip}\] )?%{GREEDYDATA:message}`,
  ),
  HTTPD24_ERRORLOG: spaced(
    String.raw`\[%{HTTPDERROR_DATE:timestamp}\]`,
    String.raw`\[(?:%{WORD:module})?:%{LOGLEVEL:loglevel}\]`,
    String.raw`\[pid %{POSINT:pid}(?::tid %{NUMBER:tid})?\]` +
      String.raw`(?: \(%{POSINT:proxy_errorcode}\)%{DATA:proxy_message}:)?` +
      String.raw`(?: \[client %{IPORHOST:clientip}:%{POSINT:clientport}\])?` +
      '(?: %{DATA:errorcode}:)?',
    '%{GREEDYDATA:message}',
  ),
}
