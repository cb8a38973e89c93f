// grok patterns, alone: a whole access line, a syslog line, one small pattern found late, a number, one that fails.
import { combined } from '../limits/apache-line.mjs'

const fields = {
  access:
    '10.1.2.3 - frank [15/Jan/2024:07:13:42 +0000] "GET /images/logo.png HTTP/1.1" 200 2326 "-" "curl/8.5.0"',
  syslog: 'Jan 15 07:13:42 web-01 sshd[4711]: Accepted publickey for deploy from 10.1.2.3 port 51234 ssh2',
  number: '12345',
}
const syslog = /^(\w{3} +\d+ [\d:]{8}) (\S+) (\w+)\[(\d+)\]: (.*)$/
const address = /\b(\d+\.\d+\.\d+\.\d+)\b/

const combinedFields = (found) => ({
  clientip: found[1],
  ident: found[2],
  auth: found[3],
  timestamp: found[4],
  verb: found[5],
  request: found[6],
  httpversion: found[7],
  response: found[8],
  bytes: found[9],
  referrer: found[10],
  agent: found[11],
})
const syslogFields = (found) => ({
  time: found[1],
  node: found[2],
  program: found[3],
  pid: found[4],
  text: found[5],
})
const known = { combined, combinedFields, syslog, syslogFields, address }

export const grokFilters = {
  'grok COMBINEDAPACHELOG': {
    fields,
    config: (n) => `grok { match => { "access" => "%{COMBINEDAPACHELOG}" } target => "t${n}" }`,
    bare: (n) => `event.t${n} = combinedFields(combined.exec(event.access))`,
    known,
  },
  'grok syslog line': {
    fields,
    config: (n) =>
      'grok { match => { "syslog" => "^%{SYSLOGTIMESTAMP:time} %{SYSLOGHOST:node} %{WORD:program}\\[%{POSINT:pid}\\]: ' +
      `%{GREEDYDATA:text}" } target => "t${n}" }`,
    bare: (n) => `event.t${n} = syslogFields(syslog.exec(event.syslog))`,
    known,
  },
  'grok IP found late': {
    fields,
    config: (n) => `grok { match => { "syslog" => "%{IP:ip${n}}" } }`,
    bare: (n) => `event.ip${n} = address.exec(event.syslog)[1]`,
    known,
  },
  'grok NUMBER to int': {
    fields,
    config: (n) => `grok { match => { "number" => "^%{NUMBER:int${n}:int}$" } }`,
    bare: (n) => `event.int${n} = Number(event.number)`,
  },
  'grok no match': {
    fields,
    config: (n) =>
      `grok { match => { "syslog" => "severity=%{WORD:severity${n}}" } tag_on_failure => ["none"] }`,
    bare: () => `if (!event.syslog.includes('severity=')) event.tags ??= ['none']`,
  },
}
