// Fluent Bit's own job: its expression for Apache lines, its eight fields, its time thrown away after reading.
// `host` and `path` are also fields of the file input, so grok overwrites them.
import { throughputCase } from '../throughput.mjs'
import { fileSource } from './file-source.mjs'

export const fluentBitApache =
  '^(?<host>[^ ]*) [^ ]* (?<user>[^ ]*) \\[(?<time>[^\\]]*)\\] "(?<method>\\S+)(?: +(?<path>[^ ]*) +\\S*)?" ' +
  '(?<code>[^ ]*) (?<size>[^ ]*)(?: "(?<referer>[^"]*)" "(?<agent>.*)")?$'

export default throughputCase({
  id: 'apache-parity',
  title: "Fluent Bit's apache2 parser and its eight fields, file to file",
  events: 400_000,
  data: 'apache',
  feed: 'file',
  output: 'file',
  digest: { kind: 'json-lines', volatile: [] },
  config: (place) => `${fileSource(place)}filter {
  grok { match => { "message" => '${fluentBitApache}' } overwrite => ["host", "path"] }
  date { match => ["time", "dd/MMM/yyyy:HH:mm:ss Z"] }
  mutate { remove_field => ["message", "time", "@version", "@timestamp"] }
}
output { file { path => "${place.output}" codec => json_lines } }
`,
  limit: ({ input, output }) => ['apache-parity.mjs', input, output],
})
