// A file read from beginning to end into a JSON lines file: the plain cost of lines, events and JSON.
import { join } from 'node:path'
import { throughputCase } from '../throughput.mjs'

export default throughputCase({
  id: 'file-json',
  title: 'apache lines in a file to a json_lines file',
  events: 2_000_000,
  data: 'apache',
  feed: 'file',
  output: 'file',
  digest: { kind: 'json-lines', volatile: ['@timestamp'] },
  config: ({ directory, input, output }) => `input {
  file {
    path => "${input}"
    mode => "read"
    exit_after_read => true
    sincedb_path => "/dev/null"
    file_completed_action => "log"
    file_completed_log_path => "${join(directory, 'completed.log')}"
  }
}
output { file { path => "${output}" codec => json_lines } }
`,
  limit: ({ input, output }) => ['file-lines-json.mjs', input, output],
})
