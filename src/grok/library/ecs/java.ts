/** Java: stack traces, and the logs of Tomcat and Catalina in the forms of versions 7 and 8. */
import { java as shared } from '../shared/java.ts'

const className = '%{JAVACLASS:[java][log][origin][class][name]}'
const method = '%{JAVAMETHOD:[log][origin][function]}'
const level = '%{LOGLEVEL:[log][level]}'
const message = '%{JAVALOGMESSAGE:message}'

export const java: Record<string, string> = {
  ...shared,
  JAVASTACKTRACEPART: String.raw`%{SPACE}at ${className}\.${method}\(%{JAVAFILE:[log][origin][file][name]}(?::%{INT:[log][origin][file][line]:int})?\)`,
  CATALINA7_DATESTAMP: '%{MONTH} %{MONTHDAY}, %{YEAR} %{HOUR}:%{MINUTE}:%{SECOND} [AP]M',
  CATALINA7_LOG: String.raw`%{CATALINA7_DATESTAMP:timestamp} ${className}(?: ${method})?\s*(?:${level}:)? ${message}`,
  CATALINA8_DATESTAMP: '%{MONTHDAY}-%{MONTH}-%{YEAR} %{HOUR}:%{MINUTE}:%{SECOND}',
  CATALINA8_LOG: String.raw`%{CATALINA8_DATESTAMP:timestamp} ${level} \[%{DATA:[java][log][origin][thread][name]}\] ${className}\.(?:${method})? ${message}`,
  CATALINA_DATESTAMP: '(?:%{CATALINA8_DATESTAMP}|%{CATALINA7_DATESTAMP})',
  CATALINALOG: '(?:%{CATALINA8_LOG}|%{CATALINA7_LOG})',
  TOMCAT7_LOG: '%{CATALINA7_LOG}',
  TOMCAT8_LOG: '%{CATALINA8_LOG}',
  TOMCATLEGACY_DATESTAMP:
    '%{YEAR}-%{MONTHNUM}-%{MONTHDAY} %{HOUR}:%{MINUTE}:%{SECOND}(?: %{ISO8601_TIMEZONE})?',
  TOMCATLEGACY_LOG: String.raw`%{TOMCATLEGACY_DATESTAMP:timestamp} \| ${level} \| ${className} - ${message}`,
  TOMCAT_DATESTAMP: '(?:%{CATALINA8_DATESTAMP}|%{CATALINA7_DATESTAMP}|%{TOMCATLEGACY_DATESTAMP})',
  TOMCATLOG: '(?:%{TOMCAT8_LOG}|%{TOMCAT7_LOG}|%{TOMCATLEGACY_LOG})',
}
