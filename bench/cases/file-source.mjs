// The input of every case that reads a file once, from beginning to end.
import { join } from 'node:path'

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
