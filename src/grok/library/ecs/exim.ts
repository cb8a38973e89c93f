/** Exim: the main log's line for an arriving message, and the fields it is made of. */
import { namedFields, exim as shared } from '../shared/exim.ts'

export const exim: Record<string, string> = {
  ...shared,
  EXIM_FLAGS: String.raw`(?:<[=>]|[-=>*]>|\*\*|==)`,
  EXIM_DATE: ':?%{YEAR}-%{MONTHNUM}-%{MONTHDAY} %{TIME}',
  EXIM_PID: String.raw`\[%{POSINT:[process][pid]:int}\]`,
  EXIM_REMOTE_HOST: String.raw`H=(?:%{NOTSPACE:[source][address]} )?(?:\(%{NOTSPACE:[exim][log][remote_address]}\) )?\[%{IP:[source][ip]}\](?::%{POSINT:[source][port]:int})?`,
  EXIM_INTERFACE: String.raw`I=\[%{IP:[destination][ip]}\]:%{NUMBER:[destination][port]:int}`,
  EXIM_PROTOCOL: 'P=%{NOTSPACE:[network][protocol]}',
  EXIM_MSG_SIZE: 'S=%{NUMBER:[exim][log][message][size]:int}',
  EXIM_HEADER_ID: 'id=%{NOTSPACE:[exim][log][header_id]}',
  EXIM_QUOTED_CONTENT: String.raw`[^"\\]*(?:\\.[^"\\]*)*`,
  EXIM_SUBJECT: 'T="%{EXIM_QUOTED_CONTENT:[exim][log][message][subject]}"',
  EXIM_UNKNOWN_FIELD: '[A-Za-z0-9]{1,4}=(?:%{QUOTEDSTRING}|%{NOTSPACE})',
  EXIM_NAMED_FIELDS: namedFields(
    'T="%{EXIM_QUOTED_CONTENT}"',
    '[A-Za-z0-9]{1,4}=(?:%{QUOTEDSTRING}|%{NOTSPACE})',
  ),
  EXIM_MESSAGE_ARRIVAL:
    '%{EXIM_DATE:timestamp} (?:%{EXIM_PID} )?%{EXIM_MSGID:[exim][log][message][id]} (?<[exim][log][flags]><=) ' +
    '(?<[exim][log][status]>[a-z:] )?%{EMAILADDRESS:[exim][log][sender][email]}%{EXIM_NAMED_FIELDS}' +
    '(?:(?: from <?%{DATA:[exim][log][sender][original]}>?)? for %{EMAILADDRESS:[exim][log][recipient][email]})?',
}
