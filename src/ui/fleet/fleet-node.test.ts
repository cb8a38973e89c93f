import { expect, it } from 'vitest'
import { figuresOf, kindOf, readingsOf } from './fleet-node.ts'

const logstash = { host: 'h', version: '8.19.0', http_address: '0.0.0.0:9600', name: 'ls', status: 'green' }
const cluster = {
  name: 'n',
  cluster_name: 'logs',
  version: { number: '8.19.0' },
  tagline: 'You Know, for Search',
}

it.each([
  ['Millrace', { ...logstash, distribution: 'millrace', distribution_version: '0.1.0' }],
  ['Logstash', logstash],
  ['Elasticsearch', cluster],
  ['OpenSearch', { ...cluster, version: { distribution: 'opensearch', number: '3.1.0' } }],
  ['unknown', { hello: 'world' }],
  ['unknown', null],
])('knows a %s by its root', (kind, root) => expect(kindOf(root)).toBe(kind))

it('reads the figures of a node', () => {
  const stats = {
    flow: { input_throughput: { current: 12.5 } },
    queue: { events_count: 7 },
    jvm: { mem: { heap_used_in_bytes: 99 } },
  }
  expect(figuresOf(logstash, { stats })).toMatchObject({
    kind: 'Logstash',
    version: '8.19.0',
    state: 'green',
    rate: 12.5,
    queued: 7,
    heap: 99,
  })
})

it('reads the figures of a cluster', () => {
  expect(readingsOf('OpenSearch')).toEqual(['cluster', 'cluster_stats'])
  const readings = {
    cluster: { status: 'yellow', number_of_pending_tasks: 0 },
    cluster_stats: { indices: { docs: { count: 5 }, store: { size_in_bytes: 6 } } },
  }
  expect(figuresOf(cluster, readings)).toMatchObject({
    state: 'yellow',
    documents: 5,
    storage: 6,
    name: 'logs',
  })
})

it('shows nothing that is not there', () => {
  expect(
    figuresOf(logstash, { stats: { flow: { input_throughput: { current: 'Infinity' } } } }).rate,
  ).toBeUndefined()
})
