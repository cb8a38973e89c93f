/** Linux syslog: BSD and RFC 5424 lines, cron and PAM sessions. */
import { linuxSyslog as shared } from '../shared/linux-syslog.ts'

export const linuxSyslog: Record<string, string> = {
  ...shared,
  SYSLOGBASE2:
    '(?:%{SYSLOGTIMESTAMP:timestamp}|%{TIMESTAMP_ISO8601:timestamp8601}) (?:%{SYSLOGFACILITY} )?' +
    '%{SYSLOGHOST:logsource}(?: %{SYSLOGPROG}:)?',
  SYSLOGPAMSESSION:
    String.raw`%{SYSLOGBASE} (?=%{GREEDYDATA:message})%{WORD:pam_module}\(%{DATA:pam_caller}\): ` +
    'session %{WORD:pam_session_state} for user %{USERNAME:username}(?: by %{GREEDYDATA:pam_by})?',
  CRONLOG: String.raw`%{SYSLOGBASE} \(%{USER:user}\) %{CRON_ACTION:action} \(%{DATA:message}\)`,
  SYSLOG5424PRI: '<%{NONNEGINT:syslog5424_pri}>',
  SYSLOG5424BASE: [
    '%{SYSLOG5424PRI}%{NONNEGINT:syslog5424_ver}',
    '(?:-|%{TIMESTAMP_ISO8601:syslog5424_ts})',
    '(?:-|%{IPORHOST:syslog5424_host})',
    '(?:-|%{SYSLOG5424PRINTASCII:syslog5424_app})',
    '(?:-|%{SYSLOG5424PRINTASCII:syslog5424_proc})',
    '(?:-|%{SYSLOG5424PRINTASCII:syslog5424_msgid})',
    '(?:-|%{SYSLOG5424SD:syslog5424_sd})?',
  ].join(' +'),
  SYSLOG5424LINE: '%{SYSLOG5424BASE} +%{GREEDYDATA:syslog5424_msg}',
}
