/** BIND 9: the query log. */
import { bind as shared } from '../shared/bind.ts'

/** Where one type begins like another the shorter comes first; what follows decides for the longer. */
const dnsTypes = [
  'A',
  'AAAA',
  'CAA',
  'CDNSKEY',
  'CDS',
  'CERT',
  'CNAME',
  'CSYNC',
  'DLV',
  'DNAME',
  'DNSKEY',
  'DS',
  'HINFO',
  'LOC',
  'MX',
  'NAPTR',
  'NS',
  'NSEC',
  'NSEC3',
  'OPENPGPKEY',
  'PTR',
  'RP',
  'RRSIG',
  'SIG',
  'SMIMEA',
  'SOA',
  'SRV',
  'TSIG',
  'TXT',
  'URI',
]

export const bind: Record<string, string> = {
  ...shared,
  BIND9_DNSTYPE: `(?:${dnsTypes.join('|')})`,
  BIND9_CATEGORY: 'queries',
  BIND9_QUERYLOGBASE:
    'client(?::? @0x[0-9A-Fa-f]+)? %{IP:[client][ip]}#%{POSINT:[client][port]:int} ' +
    String.raw`\(%{GREEDYDATA:[bind][log][question][name]}\): query: %{GREEDYDATA:[dns][question][name]} ` +
    '(?<[dns][question][class]>IN) %{BIND9_DNSTYPE:[dns][question][type]}' +
    String.raw`(?::? %{DATA:[bind][log][question][flags]})? \(%{IP:[server][ip]}\)`,
  BIND9_QUERYLOG:
    '%{BIND9_TIMESTAMP:timestamp} %{BIND9_CATEGORY:[bind][log][category]}: %{LOGLEVEL:[log][level]}: %{BIND9_QUERYLOGBASE}',
  BIND9: '%{BIND9_QUERYLOG}',
}
