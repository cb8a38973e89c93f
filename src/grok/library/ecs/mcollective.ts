/** Logs of the Marionette Collective's daemon, as Ruby's logger writes them. */
import { mcollective as shared } from '../shared/mcollective.ts'

export const mcollective: Record<string, string> = {
  ...shared,
  MCOLLECTIVE: String.raw`., \[%{TIMESTAMP_ISO8601:timestamp} #%{POSINT:[process][pid]:int}\]%{SPACE}%{LOGLEVEL:[log][level]}`,
}
