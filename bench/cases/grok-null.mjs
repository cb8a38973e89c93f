// What grok alone costs: access lines, parsed, to `null`. A line that did not match is a dot on standard output, so
// that an empty output says that all of them did.
import { fileCase } from './file-source.mjs'

export default fileCase({
  id: 'grok-null',
  title: 'grok COMBINEDAPACHELOG to null',
  events: 400_000,
  data: 'apache',
  output: 'stdout',
  digest: { kind: 'empty' },
  config: () => `filter {
  grok { match => { "message" => "%{COMBINEDAPACHELOG}" } }
}
output { if [agent] { null { } } else { stdout { codec => dots } } }
`,
  limit: ({ input }) => ['apache-null.mjs', input],
})
