/** Java: stack traces, and the logs of Tomcat and Catalina. */
import { java as shared } from '../shared/java.ts'

export const java: Record<string, string> = {
  ...shared,
  JAVASTACKTRACEPART: String.raw`%{SPACE}at %{JAVACLASS:class}\.%{JAVAMETHOD:method}\(%{JAVAFILE:file}(?::%{NUMBER:line})?\)`,
  CATALINA_DATESTAMP: '%{MONTH} %{MONTHDAY}, 20%{YEAR} %{HOUR}:?%{MINUTE}:?%{SECOND} [AP]M',
  TOMCAT_DATESTAMP: '20%{YEAR}-%{MONTHNUM}-%{MONTHDAY} %{HOUR}:?%{MINUTE}:?%{SECOND} %{ISO8601_TIMEZONE}',
  CATALINALOG: '%{CATALINA_DATESTAMP:timestamp} %{JAVACLASS:class} %{JAVALOGMESSAGE:logmessage}',
  TOMCATLOG: String.raw`%{TOMCAT_DATESTAMP:timestamp} \| %{LOGLEVEL:level} \| %{JAVACLASS:class} - %{JAVALOGMESSAGE:logmessage}`,
}
