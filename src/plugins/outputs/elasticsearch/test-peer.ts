/**
 * A cluster for the tables of the bulk outputs. CLUSTER in options stands for one of version 8 without template management,
 * CLUSTER7 and so on for older ones, HOSTS and HOSTSOS for ones that are only named. Gives back items as `{"index":{…},"document":{…}}`,
 * and what else was written as `{"put":path,"body":{…}}`. Takes `{"items":[status or item, …]}` or `{"whole":status}` for the
 * next bulk request; later ones succeed.
 */
import { testTime } from '../../../plugin/testing.ts'
import type { Peer } from '../../test-peers.ts'
import { type BulkSink, bulkSink } from './test-bulk-sink.ts'

type GivenItem = number | { status: number; error?: Record<string, unknown> }

interface Given {
  items?: GivenItem[]
  whole?: number | { status: number; body: unknown }
}

/** Leaves out of answers what nobody needs. */
const usualQuery = 'filter_path=errors,items.*.error,items.*.status'

const versions: readonly (readonly [word: string, version: string, distribution?: string])[] = [
  ['CLUSTER8', '8.15.0'],
  ['CLUSTER7', '7.17.0'],
  ['CLUSTER6', '6.8.0'],
  ['CLUSTER5', '5.6.0'],
  ['OPENSEARCH', '2.11.0', 'opensearch'],
]

export async function clusterPeer(): Promise<Peer> {
  const given: Given[] = []
  const clusters = await Promise.all(
    versions.map(([, version, distribution]) =>
      bulkSink({
        version,
        ...(distribution !== undefined && { distribution }),
        answer: (items) => answerOf(given.shift(), items),
      }),
    ),
  )
  const quick = 'retry_initial_interval => 0 resurrect_delay => 0'
  const words = versions.map(([word], i) => {
    const hosts = `hosts => ["${clusters[i]!.url}"]`
    return [word, `${hosts} ${quick} manage_template => false`] as const
  })
  return {
    words: {
      ...Object.fromEntries(words),
      CLUSTER: words[0]![1],
      HOSTSOS: `hosts => ["${clusters[4]!.url}"] ${quick}`,
      HOSTS7: `hosts => ["${clusters[1]!.url}"] ${quick}`,
      HOSTS: `hosts => ["${clusters[0]!.url}"] ${quick}`,
    },
    give(what) {
      given.push(what as Given)
    },
    sent: () => clusters.flatMap(written),
    settle: async () => {},
    close: async () => void (await Promise.all(clusters.map((cluster) => cluster.close()))),
  }
}

/** Puts and bulk items in their order; what was asked before they were is not told. */
function written(cluster: BulkSink): Record<string, unknown>[] {
  return cluster.requests.splice(0).flatMap(({ method, path, query, body }): Record<string, unknown>[] => {
    if (method === 'PUT') return [{ put: decodeURIComponent(path), body: JSON.parse(body) }]
    if (method !== 'POST') return []
    return itemsOf(body).map(([action, document]) => ({
      ...action,
      ...(document !== undefined && { document: withoutUsual(document) }),
      ...(path !== '/_bulk' && { path }),
      ...(query !== usualQuery && { query: decodeURIComponent(query) }),
    }))
  })
}

type Line = Record<string, unknown>

function itemsOf(body: string): [action: Line, document: Line | undefined][] {
  const lines = body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  const items: [Line, Line | undefined][] = []
  while (lines.length > 0) {
    const action = lines.shift()!
    items.push([action, 'delete' in action ? undefined : lines.shift()])
  }
  return items
}

/** Without the time and version that every event of a table has, wherever the event stands. */
function withoutUsual(document: Line): Line {
  const { '@timestamp': time, '@version': version, ...others } = document
  const kept: Line = { ...others }
  if (time !== undefined && time !== testTime.toString()) kept['@timestamp'] = time
  if (version !== undefined && version !== '1') kept['@version'] = version
  for (const [name, value] of Object.entries(kept))
    if (value !== null && typeof value === 'object' && !Array.isArray(value))
      kept[name] = withoutUsual(value as Line)
  return kept
}

function answerOf(given: Given | undefined, actions: readonly string[]): { status: number; body: unknown } {
  const { whole, items = [] } = given ?? {}
  if (typeof whole === 'number') return { status: whole, body: { error: 'no', status: whole } }
  if (whole !== undefined) return whole
  const results = actions.map((action, i) => {
    const one = items[i] ?? 201
    const item = typeof one === 'number' ? { status: one, ...(one >= 300 && { error: errorOf(one) }) } : one
    return { [action]: item }
  })
  return {
    status: 200,
    body: { took: 1, errors: results.some((item) => 'error' in Object.values(item)[0]!), items: results },
  }
}

function errorOf(status: number): Record<string, unknown> {
  return { type: `type_${status}`, reason: 'because' }
}
