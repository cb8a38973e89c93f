// The headline: access lines through grok, date, mutate and a conditional to a JSON lines file. Once with ASCII
// lines, once with 1 % and once with 100 % of lines that are not.
import { fileCase } from './file-source.mjs'

/** A million for the headline: the start of the process, which counts, is to be less than a tenth. */
const apacheCase = (id, data, title, events = 400_000) =>
  fileCase({
    id,
    title,
    events,
    data,
    output: 'file',
    digest: { kind: 'json-lines', volatile: [] },
    config: (place) => `filter {
  grok { match => { "message" => "%{COMBINEDAPACHELOG}" } }
  date { match => ["timestamp", "dd/MMM/yyyy:HH:mm:ss Z"] }
  mutate { convert => { "response" => "integer" "bytes" => "integer" } remove_field => ["timestamp"] }
  if [response] >= 500 { mutate { add_tag => ["error"] } }
}
output { file { path => "${place.output}" codec => json_lines } }
`,
    limit: ({ input, output }) => ['apache-full.mjs', input, output],
  })

export const apacheFull = apacheCase(
  'apache-full',
  'apache',
  'grok, date, mutate, conditional, file to file',
  1_000_000,
)
export const apacheUtf8Some = apacheCase('apache-utf8-1', 'apache-utf8-1', 'the same, 1 % not ASCII')
export const apacheUtf8All = apacheCase('apache-utf8-100', 'apache-utf8-100', 'the same, 100 % not ASCII')
