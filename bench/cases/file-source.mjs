// The cases that read a file once, from beginning to end; their `config` is what follows the input. And that input.
import { join } from 'node:path'
import { throughputCase } from '../throughput.mjs'

export const fileSource = ({ directory, input }) => `input {
  file {
    path => "${input}"
    mode => "read"
    exit_after_read => true
    sincedb_path => "/dev/null"
    file_completed_action => "log"
    file_completed_log_path => "${join(directory, 'completed.log')}"
  }
}
`

export function fileCase({ config, ...definition }) {
  const wholeConfig = (place) => `${fileSource(place)}${config(place)}`
  return throughputCase({ ...definition, feed: 'file', config: wholeConfig })
}
