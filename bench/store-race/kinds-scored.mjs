// Pages by score, and queries over words and names.
import { range } from './time-window.mjs'

const levels = ['INFO', 'DEBUG', 'WARN', 'ERROR']
const two = ({ words }, random) => `${random.pick(words)} ${random.pick(words)}`

export const scoredKinds = [
  {
    name: 'match',
    title: 'one word, first page',
    make: ({ words }, random) => ({ query: { match: { message: random.pick(words) } } }),
  },
  {
    name: 'match-two',
    title: 'either of two words, first page',
    make: (vocabulary, random) => ({ query: { match: { message: two(vocabulary, random) } } }),
  },
  {
    name: 'match-phrase',
    title: 'two words side by side',
    make: ({ pairs }, random) => ({ query: { match_phrase: { message: random.pick(pairs) } } }),
  },
  {
    name: 'query-string',
    title: 'words and a field in the syntax of query_string',
    make: ({ words }, random) => ({
      query: {
        query_string: {
          default_field: 'message',
          query: `(${random.pick(words)} OR ${random.pick(words)}) AND level:${random.pick(levels)}`,
        },
      },
    }),
  },
  {
    name: 'bool-filter',
    title: 'a word, filtered by service and time',
    make: (vocabulary, random) => ({
      query: {
        bool: {
          must: { match: { message: random.pick(vocabulary.words) } },
          filter: [
            { term: { 'service.name': random.pick(vocabulary.services) } },
            range(vocabulary, random, 0.5),
          ],
        },
      },
    }),
  },
  {
    name: 'prefix',
    title: 'words that begin with some letters',
    make: ({ words }, random) => ({ query: { prefix: { message: random.pick(words).slice(0, 4) } } }),
  },
  {
    name: 'wildcard',
    title: 'paths that contain some letters',
    make: ({ paths }, random) => {
      const name = /[a-z]{3,}$|[a-z]{3,}(?=[/?])/.exec(random.pick(paths).slice(4))?.[0] ?? 'con'
      return { query: { wildcard: { 'url.path': `*${name.slice(1, 4)}*` } } }
    },
  },
  {
    name: 'highlight',
    title: 'either of two words, 20 hits with highlights',
    make: (vocabulary, random) => ({
      query: { match: { message: two(vocabulary, random) } },
      size: 20,
      highlight: { fields: { message: {} } },
    }),
  },
  {
    name: 'script-score',
    title: "a script scores one frequent word's matches",
    make: ({ frequent }, random) => ({
      query: {
        script_score: {
          query: { match: { message: random.pick(frequent) } },
          script: {
            source:
              "_score * Math.log(2 + doc['event.duration_ms'].value) + params.weight * doc['http.response.bytes'].value",
            params: { weight: random.below(1000) / 1e6 },
          },
        },
      },
    }),
  },
  {
    name: 'collapse',
    title: "one frequent word, each host's best",
    idField: 'host.name',
    make: ({ frequent }, random) => ({
      query: { match: { message: random.pick(frequent) } },
      collapse: { field: 'host.name' },
    }),
  },
  {
    name: 'random-score',
    title: '20 hits of a service by chance',
    hasRandomOrder: true,
    make: ({ services }, random) => ({
      query: {
        function_score: {
          query: { term: { 'service.name': random.pick(services) } },
          random_score: { seed: random.below(1_000_000), field: '_seq_no' },
          boost_mode: 'replace',
        },
      },
      size: 20,
    }),
  },
  {
    name: 'terms-50',
    title: '50 documents by their ids',
    make: ({ ids }, random) => ({
      query: { terms: { 'trace.id': Array.from({ length: 50 }, () => random.pick(ids)) } },
      size: 100,
    }),
  },
  {
    name: 'page-9900',
    title: "the page at 9,900 of one frequent word's matches",
    make: ({ frequent }, random) => ({
      query: { match: { message: random.pick(frequent) } },
      from: 9900 + random.below(50),
      size: 50,
    }),
  },
]
