/** The options of the syslog input, and the names of facilities and severities in Logstash's words. */
import { type OptionValues, option } from '../../../plugin/define.ts'

const facilities = [
  ...['kernel', 'user-level', 'mail', 'system', 'security/authorization', 'syslogd', 'line printer'],
  ...[
    'network news',
    'UUCP',
    'clock',
    'security/authorization',
    'FTP',
    'NTP',
    'log audit',
    'log alert',
    'clock',
  ],
  ...['local0', 'local1', 'local2', 'local3', 'local4', 'local5', 'local6', 'local7'],
]

const severities = ['Emergency', 'Alert', 'Critical', 'Error', 'Warning', 'Notice', 'Informational', 'Debug']

export const syslogOptions = {
  host: option.string({ default: '0.0.0.0', doc: 'Address to listen on.' }),
  port: option.number({
    default: 514,
    doc: 'Port to listen on, both UDP and TCP; ports below 1024 need special rights.',
  }),
  proxy_protocol: option.boolean({
    default: false,
    doc: 'Whether TCP connections begin with a line of the PROXY protocol, version 1.',
  }),
  use_labels: option.boolean({
    default: true,
    doc: 'Whether to add the names of facility and severity.',
  }),
  facility_labels: option.array({ default: facilities, doc: 'Names of facilities, from 0 on.' }),
  severity_labels: option.array({ default: severities, doc: 'Names of severities, from 0 on.' }),
  grok_pattern: option.string({
    doc: 'Grok expression for lines; `<%{POSINT:priority}>%{SYSLOGLINE}` unless given, with ECS the same with the field `[log][syslog][priority]`.',
  }),
  syslog_field: option.string({ default: 'message', doc: 'Field that holds the line.' }),
  timezone: option.string({
    doc: 'Zone of times that do not name one, such as `Europe/Paris`; that of the computer unless given.',
  }),
  locale: option.string({
    doc: 'Language of month names, such as `en` or `de-AT`; that of the computer unless given.',
  }),
  service_type: option.string({
    doc: 'Value of `[service][type]` for events without one; with ECS `system` unless given.',
  }),
}

export type SyslogOptions = OptionValues<typeof syslogOptions>
