/** One node of the fleet as a row, whatever program it is: what its readings have in common. */
type Kind = 'Millrace' | 'Logstash' | 'Elasticsearch' | 'OpenSearch' | 'unknown'

export interface FleetFigures {
  readonly kind: Kind
  readonly name: string
  readonly version: string
  readonly state: string
  /** Events a second. */
  readonly rate: number | undefined
  /** Events that wait in queues. */
  readonly queued: number | undefined
  readonly documents: number | undefined
  readonly storage: number | undefined
  readonly heap: number | undefined
}

type Json = Readonly<Record<string, unknown>>

const part = (value: unknown, ...path: readonly string[]): unknown => {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Json)[name]
  }
  return found
}
const number = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)
const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** `root` is the answer to `GET /`. */
export function kindOf(root: unknown): Kind {
  if (part(root, 'distribution') === 'millrace') return 'Millrace'
  if (part(root, 'version', 'distribution') === 'opensearch') return 'OpenSearch'
  if (part(root, 'cluster_name') !== undefined && part(root, 'version', 'number') !== undefined)
    return 'Elasticsearch'
  if (text(part(root, 'version')) !== undefined && part(root, 'http_address') !== undefined) return 'Logstash'
  return 'unknown'
}

export function readingsOf(kind: Kind): readonly string[] {
  return kind === 'Elasticsearch' || kind === 'OpenSearch' ? ['cluster', 'cluster_stats'] : ['stats']
}

export function figuresOf(root: unknown, readings: Readonly<Record<string, unknown>>): FleetFigures {
  const kind = kindOf(root)
  const { stats, cluster, cluster_stats } = readings
  if (cluster !== undefined || cluster_stats !== undefined)
    return {
      kind,
      name: text(part(root, 'cluster_name')) ?? '',
      version: text(part(root, 'version', 'number')) ?? '',
      state: text(part(cluster, 'status')) ?? 'unknown',
      rate: undefined,
      queued: number(part(cluster, 'number_of_pending_tasks')),
      documents: number(part(cluster_stats, 'indices', 'docs', 'count')),
      storage: number(part(cluster_stats, 'indices', 'store', 'size_in_bytes')),
      heap: number(part(cluster_stats, 'nodes', 'jvm', 'mem', 'heap_used_in_bytes')),
    }
  return {
    kind,
    name: text(part(root, 'name')) ?? '',
    version: text(part(root, 'distribution_version')) ?? text(part(root, 'version')) ?? '',
    state: text(part(root, 'status')) ?? 'unknown',
    rate: number(part(stats, 'flow', 'input_throughput', 'current')),
    queued: number(part(stats, 'queue', 'events_count')),
    documents: undefined,
    storage: undefined,
    heap: number(part(stats, 'jvm', 'mem', 'heap_used_in_bytes')),
  }
}
