// The chain of the "complex syslog" case that Logstash was long measured with: grok, syslog_pri, date, four added
// fields, a conditional, a replaced and some removed fields. The lines are of this year, as they have no year.
import { fileCase } from './file-source.mjs'

const pattern =
  '<%{NONNEGINT:syslog_pri}>%{SYSLOGTIMESTAMP:syslog_timestamp} %{SYSLOGHOST:syslog_hostname} ' +
  '%{PROG:syslog_program}(?:\\[%{POSINT:syslog_pid}\\])?: %{GREEDYDATA:syslog_message}'

export default fileCase({
  id: 'syslog-chain',
  title: 'syslog lines through grok, syslog_pri, date and mutate, file to file',
  published:
    'Logstash 2.x: 8 to 18 k events/s with all cores (logstash-performance-testing, elastic/logstash 4481)',
  events: 400_000,
  data: 'syslog',
  output: 'file',
  digest: { kind: 'json-lines', volatile: [] },
  config: (place) => `filter {
  grok {
    match => { "message" => "${pattern}" }
    add_field => { "received_from" => "%{host}" "kind" => "syslog" }
    add_field => { "origin" => "%{syslog_hostname}/%{syslog_program}" "environment" => "bench" }
  }
  syslog_pri { }
  date { match => ["syslog_timestamp", "MMM  d HH:mm:ss", "MMM dd HH:mm:ss"] timezone => "UTC" }
  if "_grokparsefailure" not in [tags] {
    mutate { replace => { "message" => "%{syslog_message}" } }
  }
  mutate { remove_field => ["syslog_message", "syslog_timestamp", "syslog_hostname"] }
}
output { file { path => "${place.output}" codec => json_lines } }
`,
  limit: ({ input, output }) => ['syslog-chain.mjs', input, output],
})
