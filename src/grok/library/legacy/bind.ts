/** BIND 9: the query log. */
import { bind as shared } from '../shared/bind.ts'

export const bind: Record<string, string> = {
  ...shared,
  BIND9:
    '%{BIND9_TIMESTAMP:timestamp} queries: %{LOGLEVEL:loglevel}: client(?::? @0x[0-9A-Fa-f]+)? ' +
    String.raw`%{IP:clientip}#%{POSINT:clientport} \(%{GREEDYDATA:query}\): query: %{GREEDYDATA:query} IN ` +
    String.raw`%{GREEDYDATA:querytype} \(%{IP:dns}\)`,
}
