/** What Logstash calls the facilities and severities of syslog, by their numbers (RFC 5424, 6.2.1). */
export const syslogFacilities = [
  ...['kernel', 'user-level', 'mail', 'daemon', 'security/authorization', 'syslogd', 'line printer'],
  ...['network news', 'uucp', 'clock', 'security/authorization', 'ftp', 'ntp', 'log audit', 'log alert'],
  ...['clock', 'local0', 'local1', 'local2', 'local3', 'local4', 'local5', 'local6', 'local7'],
]

export const syslogSeverities = [
  ...['emergency', 'alert', 'critical', 'error', 'warning', 'notice', 'informational', 'debug'],
]
