// Fluent Bit's own job: its expression for Apache lines, its eight fields, its time thrown away after reading.
// `host` and `path` are also fields of the file input, so grok overwrites them.
import { fluentBitApache } from '../peers/fluent-bit-apache.mjs'
import { fileCase } from './file-source.mjs'

export default fileCase({
  id: 'apache-parity',
  title: "Fluent Bit's apache2 parser and its eight fields, file to file",
  events: 400_000,
  data: 'apache',
  output: 'file',
  digest: { kind: 'json-lines', volatile: [] },
  config: (place) => `filter {
  grok { match => { "message" => '${fluentBitApache}' } overwrite => ["host", "path"] }
  date { match => ["time", "dd/MMM/yyyy:HH:mm:ss Z"] }
  mutate { remove_field => ["message", "time", "@version", "@timestamp"] }
}
output { file { path => "${place.output}" codec => json_lines } }
`,
  limit: ({ input, output }) => ['apache-parity.mjs', input, output],
})
