/** The core patterns with the field names of the Elastic Common Schema. */
import { grokPatterns as shared } from '../shared/grok-patterns.ts'

export const grokPatterns: Record<string, string> = {
  ...shared,
  EMAILLOCALPART: String.raw`[A-Za-z0-9_!#$%&'*+/=?^\x60{|}~-]{1,64}(?:\.[A-Za-z0-9_!#$%&'*+/=?^\x60{|}~-]{1,62}){0,63}`,
  URIHOST: '%{IPORHOST}(?::%{POSINT})?',
  URIQUERY: String.raw`[A-Za-z0-9$.+!*'|(){},~@#%&/=:;_?\-\[\]<>]*`,
  URIPARAM: String.raw`\?%{URIQUERY}`,
  URIPATHPARAM: String.raw`%{URIPATH}(?:\?%{URIQUERY})?`,
  URI: String.raw`%{URIPROTO}://(?:%{USER}(?::[^@]*)?@)?(?:%{URIHOST})?(?:%{URIPATH}(?:\?%{URIQUERY})?)?`,
  SYSLOGPROG: String.raw`%{PROG:[process][name]}(?:\[%{POSINT:[process][pid]:int}\])?`,
  SYSLOGFACILITY: '<%{NONNEGINT:[log][syslog][facility][code]:int}.%{NONNEGINT:[log][syslog][priority]:int}>',
  SYSLOGBASE:
    '%{SYSLOGTIMESTAMP:timestamp} (?:%{SYSLOGFACILITY} )?%{SYSLOGHOST:[host][hostname]} %{SYSLOGPROG}:',
}
