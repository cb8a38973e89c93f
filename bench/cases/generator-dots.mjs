// The classic throughput test of Logstash: one dot per event on standard output.
import { throughputCase } from '../throughput.mjs'

export default throughputCase({
  id: 'generator-dots',
  title: 'generator to one dot per event on stdout',
  events: 5_000_000,
  feed: 'none',
  output: 'stdout',
  digest: { kind: 'bytes' },
  config: ({ events }) => `input { generator { count => ${events} } } output { stdout { codec => dots } }\n`,
  limit: ({ events }) => ['generator-dots.mjs', events],
})
