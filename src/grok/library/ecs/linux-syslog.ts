/** Linux syslog: BSD and RFC 5424 lines, cron and PAM sessions. */
import { linuxSyslog as shared } from '../shared/linux-syslog.ts'

export const linuxSyslog: Record<string, string> = {
  ...shared,
  SYSLOGBASE2:
    '(?:%{SYSLOGTIMESTAMP:timestamp}|%{TIMESTAMP_ISO8601:timestamp})(?: %{SYSLOGFACILITY})?' +
    '(?: %{SYSLOGHOST:[host][hostname]})?(?: %{SYSLOGPROG}:)?',
  SYSLOGPAMSESSION:
    String.raw`%{SYSLOGBASE} (?=%{GREEDYDATA:message})%{WORD:[system][auth][pam][module]}\(%{DATA:[system][auth][pam][origin]}\): ` +
    'session %{WORD:[system][auth][pam][session_state]} for user %{USERNAME:[user][name]}(?: by %{GREEDYDATA})?',
  CRONLOG: String.raw`%{SYSLOGBASE} \(%{USER:[user][name]}\) %{CRON_ACTION:[system][cron][action]} \(%{DATA:message}\)`,
  SYSLOG5424PRI: '<%{NONNEGINT:[log][syslog][priority]:int}>',
  SYSLOG5424BASE: [
    '%{SYSLOG5424PRI}%{NONNEGINT:[system][syslog][version]}',
    '(?:-|%{TIMESTAMP_ISO8601:timestamp})',
    '(?:-|%{IPORHOST:[host][hostname]})',
    '(?:-|%{SYSLOG5424PRINTASCII:[process][name]})',
    '(?:-|%{POSINT:[process][pid]:int})',
    '(?:-|%{SYSLOG5424PRINTASCII:[event][code]})',
    '(?:-|%{SYSLOG5424SD:[system][syslog][structured_data]})?',
  ].join(' +'),
  SYSLOG5424LINE: '%{SYSLOG5424BASE} +%{GREEDYDATA:message}',
}
