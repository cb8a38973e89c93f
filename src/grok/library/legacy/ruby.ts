/** Lines of Ruby's standard logger. */
import { ruby as shared } from '../shared/ruby.ts'

export const ruby: Record<string, string> = {
  ...shared,
  RUBY_LOGGER: String.raw`[DEFIW], \[%{TIMESTAMP_ISO8601:timestamp} #%{POSINT:pid}\] *%{RUBY_LOGLEVEL:loglevel} -- +(?<progname>(?:[^ ].*?)??): %{GREEDYDATA:message}`,
}
