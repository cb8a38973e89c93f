/** MongoDB's logs: up to 2.x (with slow operations), and 3.0 to 4.2 with level, component and context. */
import { mongodb as shared } from '../shared/mongodb.ts'

export const mongodb: Record<string, string> = {
  ...shared,
  MONGO_LOG: String.raw`%{SYSLOGTIMESTAMP:timestamp} \[%{WORD:component}\] %{GREEDYDATA:message}`,
  MONGO_SLOWQUERY: [
    String.raw`%{WORD} %{MONGO_WORDDASH:database}\.%{MONGO_WORDDASH:collection} %{WORD}: %{MONGO_QUERY:query}`,
    ' %{WORD}:%{NONNEGINT:ntoreturn} %{WORD}:%{NONNEGINT:ntoskip} %{WORD}:%{NONNEGINT:nscanned}',
    '.*nreturned:%{NONNEGINT:nreturned}.{2,} (?<duration>[0-9]+)ms',
  ].join(''),
  MONGO3_COMPONENT: '%{WORD}|-',
  MONGO3_LOG: String.raw`%{TIMESTAMP_ISO8601:timestamp} %{MONGO3_SEVERITY:severity} %{MONGO3_COMPONENT:component}%{SPACE}(?:\[%{DATA:context}\])? %{GREEDYDATA:message}`,
}
