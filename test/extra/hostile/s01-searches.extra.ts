/** Table S: searches made to hurt. Each is answered or refused in time while a simple query keeps its pace. */
import { type RequestOptions, request } from 'node:http'
import { all, attack, type Seen, slack } from './support/attack.ts'
import { pause } from './support/sockets.ts'
import type { Victim } from './support/victim.ts'

const documents = 100_000
const words = ['tea', 'kettle', 'basket', 'checkout', 'oolong', 'sencha', 'error', 'warning']

async function fill(victim: Victim): Promise<void> {
  for (let n = 0; n < documents; n += 5000) {
    let body = ''
    for (let i = n; i < n + 5000; i++) {
      const text = `${words[i % 8]} ${words[(i * 7) % 8]} number ${i}`
      body += `{"index":{}}\n{"n":${i},"text":"${text}","kind":"k${i % 1000}","at":${1_700_000_000_000 + i * 1000},"inner":[{"a":${i}},{"a":${i + 1}}]}\n`
    }
    const { status } = await victim.ask('POST', '/docs/_bulk', body, 60_000)
    if (status !== 200) throw new Error(`_bulk answered ${status}`)
  }
  await victim.ask('POST', '/docs/_refresh')
}

const simple = { query: { term: { kind: 'k7' } }, size: 5 }

interface Bomb {
  id: string
  what: string
  path?: string
  body: () => string
  /** Expected statuses. */
  statuses: readonly number[]
  error?: RegExp
  times?: number
}

const nested = (depth: number, inner: unknown, wrap: (inner: unknown) => unknown) => {
  let body = inner
  for (let n = 0; n < depth; n++) body = wrap(body)
  return body
}
const json = (value: unknown) => () => JSON.stringify(value)
/** Text, because `JSON.stringify` itself gives up at such a depth. */
const deepBool = (depth: number) => () =>
  `{"query":${'{"bool":{"must":['.repeat(depth)}{"match_all":{}}${']}}'.repeat(depth)}}`
const range = (count: number, of: (i: number) => unknown) => Array.from({ length: count }, (_, i) => of(i))

const bombs: Bomb[] = [
  { id: 'S1', what: 'from = 1e9', body: json({ from: 1_000_000_000, size: 10 }), statuses: [200, 400] },
  {
    id: 'S2',
    what: 'bool of 100,000 clauses',
    body: () =>
      JSON.stringify({ query: { bool: { should: range(100_000, (i) => ({ term: { kind: `k${i}` } })) } } }),
    statuses: [400],
    error: /too_many|maxClauseCount|clauses/i,
  },
  {
    id: 'S3',
    what: 'bool and aggregations nested 50 deep',
    body: json({
      query: nested(50, { match_all: {} }, (inner) => ({ bool: { must: [inner] } })),
      size: 0,
      aggs: nested(50, {}, (aggs) => ({
        a: {
          terms: { field: 'kind.keyword', size: 1 },
          ...(Object.keys(aggs as object).length > 0 && { aggs }),
        },
      })),
    }),
    statuses: [200, 400],
  },
  {
    id: 'S3',
    what: 'bool nested 10,000 deep',
    body: deepBool(10_000),
    statuses: [400],
    error: /depth|nest/i,
  },
  {
    id: 'S4',
    what: 'date_histogram of 1 ms over 10 years',
    body: json({
      size: 0,
      aggs: {
        a: {
          date_histogram: {
            field: 'at',
            fixed_interval: '1ms',
            min_doc_count: 0,
            extended_bounds: { min: 1_500_000_000_000, max: 1_815_000_000_000 },
          },
        },
      },
    }),
    statuses: [400, 503],
    error: /too_many_buckets/,
  },
  {
    id: 'S5',
    what: 'terms aggregation of size 2^31 - 1',
    body: json({ size: 0, aggs: { a: { terms: { field: 'n', size: 2_147_483_647 } } } }),
    statuses: [200, 400, 503],
  },
  {
    id: 'S6',
    what: 'leading wildcard',
    body: json({ query: { wildcard: { 'text.keyword': '*9*9*9*x' } } }),
    statuses: [200],
  },
  {
    id: 'S6',
    what: 'regexp .*.*.*x',
    body: json({ query: { regexp: { 'text.keyword': '.*.*.*x' } } }),
    statuses: [200],
  },
  {
    id: 'S7',
    what: 'sort by an unmapped field and by text',
    body: json({ sort: ['nowhere', 'text'] }),
    statuses: [400],
  },
  {
    id: 'S8',
    what: '_source filtered by 10,000 patterns',
    body: () => JSON.stringify({ size: 1000, _source: range(10_000, (i) => `*a${i}*.b*`) }),
    statuses: [200, 400],
  },
  {
    id: 'S11',
    what: 'terms query of 10^6 values',
    body: () => JSON.stringify({ query: { terms: { kind: range(1_000_000, (i) => `k${i}`) } } }),
    statuses: [400],
    error: /max_terms_count|65,?536/,
  },
  {
    id: 'S12',
    what: '10,000 sibling aggregations',
    body: () =>
      JSON.stringify({
        size: 0,
        aggs: Object.fromEntries(
          range(10_000, (i) => [`a${i}`, { terms: { field: 'kind.keyword', size: 1000 } }]) as [
            string,
            unknown,
          ][],
        ),
      }),
    statuses: [200, 400, 429, 503],
  },
  {
    id: 'S13',
    what: '_analyze of 30 MB',
    path: '/_analyze',
    body: () => JSON.stringify({ analyzer: 'standard', text: 'word '.repeat(6_000_000) }),
    statuses: [200, 400, 413, 429],
  },
  {
    id: 'S14',
    what: 'a document with one unbroken word of 2 MB',
    path: '/words/_doc',
    body: () => JSON.stringify({ text: 'x'.repeat(2_000_000) }),
    statuses: [200, 201, 400],
  },
  {
    id: 'S15',
    what: 'a document of 30 MB',
    path: '/words/_doc',
    body: () => JSON.stringify({ text: 'some words '.repeat(2_700_000) }),
    statuses: [200, 201, 400, 413, 429],
  },
  {
    id: 'S16',
    what: 'four bulk requests of 90 MB at once',
    path: '/words/_bulk',
    body: () => `{"index":{}}\n{"t":"${'some words '.repeat(900)}"}\n`.repeat(9000),
    statuses: [200, 413, 429],
    times: 4,
  },
  {
    id: 'S17',
    what: '300 parallel sorted searches of 1,000 hits',
    body: json({ size: 1000, sort: [{ n: 'desc' }], query: { match: { text: 'tea' } } }),
    statuses: [200, 429],
    times: 300,
  },
]

for (const { id, what, path = '/docs/_search', body, statuses, error, times = 1 } of bombs) {
  attack(
    {
      id,
      attack: what,
      wanted: `${statuses.join(' or ')} within 2 s${times > 1 ? ' each, or 429' : ''}, growth <= 128 MB, simple query p99 <= 250 ms`,
    },
    async ({ start }) => {
      const victim = await start()
      await fill(victim)
      await victim.ask('POST', '/docs/_search', JSON.stringify(simple))
      victim.mark()
      const pings = victim.ping(`${victim.search}/docs/_search`, simple)
      await pause(500)
      const text = body()
      const began = performance.now()
      const answers = (await Promise.all(range(times, () => victim.ask('POST', path, text, 90_000)))) as {
        status: number
        text: string
      }[]
      const milliseconds = performance.now() - began
      await pause(500)
      const { p99 } = await pings.stop()
      const isRight = answers.every(
        ({ status, text }) => statuses.includes(status) && (error === undefined || error.test(text)),
      )
      const kinds = [
        ...new Set(
          answers.map(
            ({ status, text }) =>
              `${status}${status === 200 || status === 201 ? '' : ` ${/"type":"(\w+)"/.exec(text)?.[1] ?? text.slice(0, 40)}`}`,
          ),
        ),
      ]
      return outcome(victim, kinds.join(', '), isRight, milliseconds, times > 1 ? 60_000 : 2000, p99)
    },
  )
}

function outcome(
  victim: Victim,
  answers: string,
  isRight: boolean,
  milliseconds: number,
  limit: number,
  p99: number,
): Seen {
  return all({
    answers: [answers, isRight],
    ms: [milliseconds, milliseconds <= limit * slack],
    'growth MB': [victim.growth, victim.growth <= 128],
    'RSS MB': [victim.peak, true],
    'simple p99 ms': [p99, p99 <= 250 * slack],
  })
}

attack(
  {
    id: 'S9',
    attack: '500 parallel heavy searches',
    wanted: '200 or 429 each, growth <= 128 MB, simple query p99 <= 250 ms',
  },
  async ({ start }) => {
    const victim = await start()
    await fill(victim)
    await victim.ask('POST', '/docs/_search', JSON.stringify(simple))
    victim.mark()
    const pings = victim.ping(`${victim.search}/docs/_search`, simple)
    const heavy = JSON.stringify({
      size: 0,
      aggs: {
        a: {
          terms: { field: 'kind.keyword', size: 1000 },
          aggs: { b: { date_histogram: { field: 'at', fixed_interval: '1h' } } },
        },
      },
    })
    const answers = (await Promise.all(
      range(500, () => victim.ask('POST', '/docs/_search', heavy, 120_000)),
    )) as { status: number }[]
    const { p99 } = await pings.stop()
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    return all({
      '200': [count(200), true],
      '429': [count(429), count(200) + count(429) === 500],
      'growth MB': [victim.growth, victim.growth <= 128],
      'simple p99 ms': [p99, p99 <= 250 * slack],
    })
  },
)

attack(
  {
    id: 'S10',
    attack: 'a client that hangs up during a long search',
    wanted: 'the work stops <= 500 ms later',
  },
  async ({ start }) => {
    const victim = await start()
    await fill(victim)
    const body = JSON.stringify({
      size: 0,
      aggs: {
        a: {
          terms: { field: 'n', size: 50_000 },
          aggs: { b: { terms: { field: 'text.keyword', size: 100 } } },
        },
      },
    })
    const options: RequestOptions = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const calls = range(20, () => {
      const call = request(`${victim.search}/docs/_search`, options, (response) => response.resume())
      call.on('error', () => {})
      call.end(body)
      return call
    }) as ReturnType<typeof request>[]
    await pause(600)
    for (const call of calls) call.destroy()
    await pause(500 * slack)
    const before = victim.processorSeconds
    await pause(2000)
    const busy = (victim.processorSeconds - before) / 2
    return all({ 'processor share after it': [busy, busy <= 0.2] })
  },
)
