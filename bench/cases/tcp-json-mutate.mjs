// JSON lines over TCP, a conditional and a few mutations, JSON lines out: parse, work, stringify. The peer's name is
// not looked up, so `host` is 127.0.0.1 everywhere; its port differs from run to run and is volatile.
import { throughputCase } from '../throughput.mjs'

export default throughputCase({
  id: 'tcp-json-mutate',
  title: 'JSON lines over TCP, conditional and mutate, to a json_lines file',
  events: 800_000,
  data: 'json-logs',
  feed: 'tcp',
  output: 'file',
  digest: { kind: 'json-lines', volatile: ['@timestamp', 'port'] },
  config: ({ port, output }) => `input {
  tcp { host => "127.0.0.1" port => ${port} codec => json_lines dns_reverse_lookup_enabled => false }
}
filter {
  if [level] == "error" { mutate { add_tag => ["alert"] } }
  mutate { rename => { "msg" => "message" } add_field => { "env" => "prod" } }
}
output { file { path => "${output}" codec => json_lines } }
`,
  limit: ({ port, output }) => ['tcp-json-mutate.mjs', port, output],
})
