// JSON lines over TCP, a conditional and a few mutations, JSON lines out: parse, work, stringify.
import { throughputCase } from '../throughput.mjs'
import { jsonOverTcp, tcpSource } from './json-over-tcp.mjs'

export default throughputCase({
  id: 'tcp-json-mutate',
  title: 'JSON lines over TCP, conditional and mutate, to a json_lines file',
  events: 800_000,
  ...jsonOverTcp,
  output: 'file',
  config: (place) => `${tcpSource(place)}filter {
  if [level] == "error" { mutate { add_tag => ["alert"] } }
  mutate { rename => { "msg" => "message" } add_field => { "env" => "prod" } }
}
output { file { path => "${place.output}" codec => json_lines } }
`,
  limit: ({ port, output }) => ['tcp-json-mutate.mjs', port, output],
})
