/**
 * A request in the log of Rails 3 and later, several lines joined by a multiline codec: the start, the
 * controller, whatever the application wrote, and the result with its times.
 */
import { rails as shared } from '../shared/rails.ts'

export const rails: Record<string, string> = {
  ...shared,
  RCONTROLLER: String.raw`(?<[rails][controller][class]>[^#]+)#(?<[rails][controller][action]>\w+)`,
  RAILS3HEAD:
    'Started %{WORD:[http][request][method]} "%{URIPATHPARAM:[url][original]}" for %{IPORHOST:[source][address]} at (?<timestamp>%{YEAR}-%{MONTHNUM}-%{MONTHDAY} %{HOUR}:%{MINUTE}:%{SECOND} %{ISO8601_TIMEZONE})',
  RPROCESSING: String.raw`\W*Processing by %{RCONTROLLER} as (?<[rails][request][format]>\S+)(?:\W*Parameters: \{%{DATA:[rails][request][params]}\}\W*)?`,
  RAILS3PROFILE: [
    String.raw`(?:\(Views: %{NUMBER:[rails][request][duration][view]:float}ms`,
    String.raw` \| ActiveRecord: %{NUMBER:[rails][request][duration][active_record]:float}ms`,
    String.raw`|\(ActiveRecord: %{NUMBER:[rails][request][duration][active_record]:float}ms)?`,
  ].join(''),
  RAILS3FOOT:
    'Completed %{POSINT:[http][response][status_code]:int}%{DATA} in %{NUMBER:[rails][request][duration][total]:float}ms %{RAILS3PROFILE}%{GREEDYDATA}',
  RAILS3: String.raw`%{RAILS3HEAD}(?:%{RPROCESSING})?(?<[rails][request][explain][original]>(?:[^\n]*\n)*)(?:%{RAILS3FOOT})?`,
}
