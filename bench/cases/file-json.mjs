// A file read from beginning to end into a JSON lines file: the plain cost of lines, events and JSON.
import { fileCase } from './file-source.mjs'

export default fileCase({
  id: 'file-json',
  title: 'apache lines in a file to a json_lines file',
  events: 2_000_000,
  data: 'apache',
  output: 'file',
  digest: { kind: 'json-lines', volatile: ['@timestamp'] },
  config: (place) => `output { file { path => "${place.output}" codec => json_lines } }\n`,
  limit: ({ input, output }) => ['file-lines-json.mjs', input, output],
})
