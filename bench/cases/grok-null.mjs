// What grok alone costs: access lines, parsed, to `null`. A line that did not match is a dot on standard output, so
// that an empty output says that all of them did.
import { throughputCase } from '../throughput.mjs'
import { fileSource } from './file-source.mjs'

export default throughputCase({
  id: 'grok-null',
  title: 'grok COMBINEDAPACHELOG to null',
  events: 400_000,
  data: 'apache',
  feed: 'file',
  output: 'stdout',
  digest: { kind: 'empty' },
  config: (place) => `${fileSource(place)}filter {
  grok { match => { "message" => "%{COMBINEDAPACHELOG}" } }
}
output { if [agent] { null { } } else { stdout { codec => dots } } }
`,
  limit: ({ input }) => ['apache-null.mjs', input],
})
