/** MongoDB's logs: up to 2.x (with slow operations), and 3.0 to 4.2 with level, component and context. */
import { mongodb as shared } from '../shared/mongodb.ts'

export const mongodb: Record<string, string> = {
  ...shared,
  MONGO_LOG: String.raw`%{SYSLOGTIMESTAMP:timestamp} \[%{WORD:[mongodb][component]}\] %{GREEDYDATA:message}`,
  MONGO_SLOWQUERY: [
    String.raw`%{WORD:[mongodb][profile][op]} %{MONGO_WORDDASH:[mongodb][database]}\.%{MONGO_WORDDASH:[mongodb][collection]}`,
    ' %{WORD}: %{MONGO_QUERY:[mongodb][query][original]}',
    ' %{WORD}:%{NONNEGINT:[mongodb][profile][ntoreturn]:int} %{WORD}:%{NONNEGINT:[mongodb][profile][ntoskip]:int}',
    ' %{WORD}:%{NONNEGINT:[mongodb][profile][nscanned]:int}.*?nreturned:%{NONNEGINT:[mongodb][profile][nreturned]:int}',
    '.+? %{INT:[mongodb][profile][duration]:int}ms',
  ].join(''),
  MONGO3_COMPONENT: '%{WORD}',
  MONGO3_LOG: String.raw`%{TIMESTAMP_ISO8601:timestamp} %{MONGO3_SEVERITY:[log][level]} (?:-|%{MONGO3_COMPONENT:[mongodb][component]})%{SPACE}(?:\[%{DATA:[mongodb][context]}\])? %{GREEDYDATA:message}`,
}
