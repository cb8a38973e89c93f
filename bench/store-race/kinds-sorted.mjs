// Pages sorted by time, as viewers of logs ask for them, and by ids that lie in random order on the disk.
import { range } from './time-window.mjs'

const newest = [{ '@timestamp': 'desc' }]
/** An id sorts like a hash: documents side by side on the page are anywhere in the index. */
const randomPage = (random) => ({
  query: { match_all: {} },
  sort: [{ 'trace.id': 'asc' }],
  search_after: [random.hex(32)],
  size: 500,
})

export const sortedKinds = [
  {
    name: 'newest-50',
    title: 'the newest 50 of a service',
    make: ({ services }, random) => ({
      query: { term: { 'service.name': random.pick(services) } },
      sort: newest,
      size: 50,
    }),
  },
  {
    name: 'latest-500',
    title: 'the latest 500 of a span of time',
    make: (vocabulary, random) => ({
      query: { bool: { filter: [range(vocabulary, random, 0.3)] } },
      sort: newest,
      size: 500,
    }),
  },
  {
    name: 'random-500',
    title: '500 documents in random order',
    make: (_vocabulary, random) => randomPage(random),
  },
  {
    name: 'random-500-bare',
    title: 'the same without _source',
    make: (_vocabulary, random) => ({ ...randomPage(random), _source: false }),
  },
]
