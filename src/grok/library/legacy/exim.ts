/** Exim: the main log's line for an arriving message, and the fields it is made of. */
import { namedFields, exim as shared } from '../shared/exim.ts'

export const exim: Record<string, string> = {
  ...shared,
  EXIM_FLAGS: String.raw`(?:<=|[-=>*]>|\*\*|==)`,
  EXIM_DATE: '%{YEAR:exim_year}-%{MONTHNUM:exim_month}-%{MONTHDAY:exim_day} %{TIME:exim_time}',
  EXIM_PID: String.raw`\[%{POSINT:pid}\]`,
  EXIM_REMOTE_HOST: String.raw`H=(?:%{NOTSPACE:remote_hostname} )?(?:\(%{NOTSPACE:remote_heloname}\) )?\[%{IP:remote_host}\](?::%{POSINT:remote_port})?`,
  EXIM_INTERFACE: String.raw`I=\[%{IP:exim_interface}\]:%{NUMBER:exim_interface_port}`,
  EXIM_PROTOCOL: 'P=%{NOTSPACE:protocol}',
  EXIM_MSG_SIZE: 'S=%{NUMBER:exim_msg_size}',
  EXIM_HEADER_ID: 'id=%{NOTSPACE:exim_header_id}',
  EXIM_SUBJECT: 'T=%{QS:exim_subject}',
  EXIM_UNKNOWN_FIELD: '[A-Za-z0-9]{1,4}=%{NOTSPACE}',
  EXIM_NAMED_FIELDS: namedFields('T=%{QS}', '[A-Za-z0-9]{1,4}=%{NOTSPACE}'),
  EXIM_MESSAGE_ARRIVAL:
    '%{EXIM_DATE:timestamp} (?:%{EXIM_PID} )?%{EXIM_MSGID:exim_msgid} (?<exim_flags><=) (?<status>[a-z:] )?' +
    '%{EMAILADDRESS:exim_sender_email}%{EXIM_NAMED_FIELDS}' +
    '(?:(?: from <?%{DATA:exim_sender_original}>?)? for %{EMAILADDRESS:exim_recipient_email})?',
}
