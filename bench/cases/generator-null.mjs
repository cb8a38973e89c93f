// What an event costs that nobody looks at: input, queue, worker and counters alone. The output is empty, so this
// digest proves little; generator-dots proves the same path.
import { throughputCase } from '../throughput.mjs'

export default throughputCase({
  id: 'generator-null',
  title: 'generator to null',
  events: 5_000_000,
  feed: 'none',
  output: 'stdout',
  digest: { kind: 'empty' },
  config: ({ events }) => `input { generator { count => ${events} } } output { null { } }\n`,
  limit: ({ events }) => ['generator-null.mjs', events],
})
