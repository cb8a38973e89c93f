/**
 * A request in the log of Rails 3 and later, several lines joined by a multiline codec: the start, the
 * controller, whatever the application wrote, and the result with its times.
 */
import { rails as shared } from '../shared/rails.ts'

export const rails: Record<string, string> = {
  ...shared,
  RCONTROLLER: String.raw`(?<controller>[^#]+)#(?<action>\w+)`,
  RAILS3HEAD:
    'Started %{WORD:verb} "%{URIPATHPARAM:request}" for %{IPORHOST:clientip} at (?<timestamp>%{YEAR}-%{MONTHNUM}-%{MONTHDAY} %{HOUR}:%{MINUTE}:%{SECOND} %{ISO8601_TIMEZONE})',
  RPROCESSING: String.raw`\W*Processing by %{RCONTROLLER} as (?<format>\S+)(?:\W*Parameters: \{%{DATA:params}\}\W*)?`,
  RAILS3PROFILE: String.raw`(?:\(Views: %{NUMBER:viewms}ms \| ActiveRecord: %{NUMBER:activerecordms}ms|\(ActiveRecord: %{NUMBER:activerecordms}ms)?`,
  RAILS3FOOT: 'Completed %{NUMBER:response}%{DATA} in %{NUMBER:totalms}ms %{RAILS3PROFILE}%{GREEDYDATA}',
  RAILS3: String.raw`%{RAILS3HEAD}(?:%{RPROCESSING})?(?<context>(?:[^\n]*\n)*)(?:%{RAILS3FOOT})?`,
}
