/** The core patterns of the set without the Elastic Common Schema. */
import { grokPatterns as shared } from '../shared/grok-patterns.ts'

export const grokPatterns: Record<string, string> = {
  ...shared,
  EMAILLOCALPART: '[A-Za-z][A-Za-z_+-=]+',
  URIHOST: '%{IPORHOST}(?::%{POSINT:port})?',
  URIPARAM: String.raw`\?[A-Za-z0-9$.+!*'|(){},~@#%&/=:;_?\-\[\]<>]*`,
  URIPATHPARAM: '%{URIPATH}(?:%{URIPARAM})?',
  URI: '%{URIPROTO}://(?:%{USER}(?::[^@]*)?@)?(?:%{URIHOST})?(?:%{URIPATHPARAM})?',
  SYSLOGPROG: String.raw`%{PROG:program}(?:\[%{POSINT:pid}\])?`,
  SYSLOGFACILITY: '<%{NONNEGINT:facility}.%{NONNEGINT:priority}>',
  SYSLOGBASE: '%{SYSLOGTIMESTAMP:timestamp} (?:%{SYSLOGFACILITY} )?%{SYSLOGHOST:logsource} %{SYSLOGPROG}:',
}
