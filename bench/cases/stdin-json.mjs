// Lines on standard input to JSON lines on standard output. Both are files here, so that no other process's speed
// comes in.
import { throughputCase } from '../throughput.mjs'

export default throughputCase({
  id: 'stdin-json',
  title: 'syslog lines on stdin to json_lines on stdout',
  events: 2_000_000,
  data: 'syslog',
  feed: 'stdin',
  output: 'stdout',
  digest: { kind: 'json-lines', volatile: ['@timestamp'] },
  config: () => 'input { stdin { } } output { stdout { codec => json_lines } }\n',
  limit: () => ['stdin-lines-json.mjs'],
})
