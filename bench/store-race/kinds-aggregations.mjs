// Counts and aggregations, as dashboards ask for them.
import { range } from './time-window.mjs'

const histogram = { date_histogram: { field: '@timestamp', fixed_interval: '10s', min_doc_count: 0 } }
const duration = { field: 'event.duration_ms' }

export const aggregationKinds = [
  {
    name: 'date-histogram',
    title: 'documents of a span of time, every ten seconds',
    make: (vocabulary, random) => ({
      size: 0,
      query: { bool: { filter: [range(vocabulary, random, 0.4)] } },
      aggs: { times: histogram },
    }),
  },
  {
    name: 'terms-avg',
    title: 'services of a span of time and their average duration',
    make: (vocabulary, random) => ({
      size: 0,
      query: { bool: { filter: [range(vocabulary, random, 0.4)] } },
      aggs: { services: { terms: { field: 'service.name', size: 10 }, aggs: { mean: { avg: duration } } } },
    }),
  },
  {
    name: 'cardinality',
    title: "distinct ids among a service's documents",
    tolerance: 0.05,
    make: (vocabulary, random) => ({
      size: 0,
      query: { term: { 'service.name': random.pick(vocabulary.services) } },
      aggs: { ids: { cardinality: { field: 'trace.id' } } },
    }),
  },
  {
    name: 'percentiles',
    title: "percentiles of a status's durations",
    // Durations span four decades: a rank that is off by one in a hundred is a duration that is off by one in ten.
    tolerance: 0.15,
    make: ({ statuses }, random) => ({
      size: 0,
      query: { term: { 'http.response.status_code': random.pick(statuses) } },
      aggs: { durations: { percentiles: { ...duration, percents: [50, 90, 95 + random.below(4)] } } },
    }),
  },
  {
    name: 'count',
    title: 'how many documents have a word in a span of time',
    endpoint: '_count',
    make: (vocabulary, random) => ({
      query: {
        bool: {
          filter: [{ match: { message: random.pick(vocabulary.words) } }, range(vocabulary, random, 0.5)],
        },
      },
    }),
  },
  {
    name: 'msearch-5',
    title: 'five panels of a dashboard in one request',
    endpoint: '_msearch',
    make: (vocabulary, random) => {
      const filter = [range(vocabulary, random, 0.2)]
      const panel = (aggs, ...more) => ({ size: 0, query: { bool: { filter: [...filter, ...more] } }, aggs })
      return [
        panel({ times: histogram }),
        panel({ levels: { terms: { field: 'level' }, aggs: { times: histogram } } }),
        panel({ hosts: { terms: { field: 'host.name', size: 5 } } }),
        panel({ mean: { avg: duration } }, { term: { 'service.name': random.pick(vocabulary.services) } }),
        { size: 20, query: { bool: { filter } }, sort: [{ '@timestamp': 'desc' }] },
      ]
    },
  },
]
