// What patterns cost that do not match: ten patterns of which the last one does, lines of garbage, lines cut off.
// A dot per event on standard output, written only if it matched, or only if it was tagged as a failure.
import { fileCase } from './file-source.mjs'

const ten = [
  '%{SYSLOGTIMESTAMP:time} %{SYSLOGHOST:node} sshd\\[%{POSINT:pid}\\]: Accepted %{WORD:how} for %{USERNAME:user}',
  'user=%{USERNAME:user} action=%{WORD:action} result=%{WORD:result}',
  '%{WORD:verb} %{URIPATHPARAM:request} took %{NUMBER:took} ms',
  '%{IP:source}:%{POSINT:port} -> %{IP:target}:%{POSINT:target_port} %{WORD:action}',
  '\\[%{TIMESTAMP_ISO8601:time}\\]\\[%{LOGLEVEL:level} *\\]\\[%{NOTSPACE:logger}\\] %{GREEDYDATA:text}',
  '%{SYSLOGHOST:node} CRON\\[%{POSINT:pid}\\]: \\(%{USERNAME:user}\\) CMD \\(%{DATA:command}\\)',
  '%{IPORHOST:node} %{NUMBER:load} cost=%{NUMBER:cost}',
  '%{TIMESTAMP_ISO8601:time} %{WORD:package} status=installed %{GREEDYDATA:text}',
  '%{WORD:queue} queue-id %{BASE16NUM:id} from=<%{EMAILADDRESS:from}>',
  '%{COMBINEDAPACHELOG}',
]

const missCase = ({ id, title, data, patterns, counted, kind }) =>
  fileCase({
    id,
    title,
    events: 200_000,
    data,
    output: 'stdout',
    digest: { kind: 'bytes' },
    config: () => `filter {
  grok { match => { "message" => [${patterns.map((pattern) => `'${pattern}'`).join(', ')}] } }
}
output { if ${counted} { stdout { codec => dots } } }
`,
    limit: ({ input }) => ['grok-miss.mjs', input, kind],
  })

export const grokTenth = missCase({
  id: 'grok-tenth',
  title: 'ten grok patterns, only the last one matches',
  data: 'apache',
  patterns: ten,
  counted: '[agent]',
  kind: 'tenth',
})
/** One pattern, which no line of the file matches. */
const nothingMatches = {
  patterns: ten.slice(-1),
  counted: '"_grokparsefailure" in [tags]',
  kind: 'none',
}
export const grokGarbage = missCase({
  id: 'grok-garbage',
  title: 'grok COMBINEDAPACHELOG on garbage',
  data: 'garbage',
  ...nothingMatches,
})
export const grokTruncated = missCase({
  id: 'grok-truncated',
  title: 'grok COMBINEDAPACHELOG on lines that are cut off',
  data: 'apache-truncated',
  ...nothingMatches,
})
