/** Data streams: a name over hidden backing indices, of which the newest is the write index. */
import { illegalArgument } from '../../request/errors.ts'
import { indexNotFound } from '../../request/index-errors.ts'
import { own } from '../../request/json-object.ts'
import { SearchError } from '../../request/search-error.ts'
import { simpleMatch } from '../../request/simple-match.ts'
import type { Cluster } from '../cluster.ts'
import { type DataStream, memberOf, withMember, withoutMembers } from '../cluster-state.ts'
import { sortedByName } from '../index-expressions.ts'
import type { IndexMetadata } from '../index-metadata.ts'
import { checkDataStreamName } from '../index-names.ts'
import { checkFree } from './create-index.ts'
import { composed, type FoundTemplate, matchingTemplate } from './templates.ts'

export const timestampField = '@timestamp'

/** `.ds-logs-2024.05.01-000001`; OpenSearch omits the date. */
function backingName(cluster: Cluster, stream: string, generation: number): string {
  const day = new Date(cluster.now()).toISOString().slice(0, 10).replaceAll('-', '.')
  const number = String(generation).padStart(6, '0')
  return cluster.compat.isOpenSearch ? `.ds-${stream}-${number}` : `.ds-${stream}-${day}-${number}`
}

export function streamTemplate(cluster: Cluster, name: string): FoundTemplate | undefined {
  const found = matchingTemplate(cluster.state, name)
  return found?.template.data_stream === undefined ? undefined : found
}

export function createDataStream(cluster: Cluster, name: string): DataStream {
  checkDataStreamName(name)
  if (memberOf(cluster.state.dataStreams, name) !== undefined)
    throw new SearchError('resource_already_exists_exception', `data_stream [${name}] already exists`)
  const found = streamTemplate(cluster, name)
  if (found === undefined) {
    const any = matchingTemplate(cluster.state, name)
    throw illegalArgument(
      any === undefined
        ? `no matching index template found for data stream [${name}]`
        : `matching index template [${any.name}] for data stream [${name}] has no data stream template`,
    )
  }
  checkFree(cluster.state, name)
  const backing = backingName(cluster, name, 1)
  const stream: DataStream = {
    name,
    indices: [backing],
    generation: 1,
    hidden: own(found.template.data_stream ?? {}, 'hidden') === true,
  }
  cluster.createIndex(
    backing,
    {},
    {
      template: composed(cluster.state, found.template),
      isBacking: true,
      also: (state) => ({ ...state, dataStreams: withMember(state.dataStreams, name, stream) }),
    },
  )
  return stream
}

/** Adds a backing index, which becomes the write index. */
export function rollDataStream(
  cluster: Cluster,
  stream: DataStream,
  isDryRun: boolean,
): [old: string, fresh: string] {
  const found = streamTemplate(cluster, stream.name)
  if (found === undefined)
    throw illegalArgument(`no matching index template found for data stream [${stream.name}]`)
  const old = stream.indices.at(-1) ?? ''
  const generation = stream.generation + 1
  const fresh = backingName(cluster, stream.name, generation)
  if (!isDryRun)
    cluster.createIndex(
      fresh,
      {},
      {
        template: composed(cluster.state, found.template),
        isBacking: true,
        also: (state) => ({
          ...state,
          dataStreams: withMember(state.dataStreams, stream.name, {
            ...stream,
            generation,
            indices: [...stream.indices, fresh],
          }),
        }),
      },
    )
  return [old, fresh]
}

/** Returns data streams by name, for names and patterns; an unknown name is an error, unless they are deleted. */
export function findDataStreams(
  cluster: Cluster,
  patterns: readonly string[],
  isDeletion = false,
): DataStream[] {
  const all = sortedByName(cluster.state.dataStreams)
  if (patterns.length === 0) return all
  const mayMiss = isDeletion && cluster.compat.isOpenSearch
  for (const pattern of mayMiss ? [] : patterns) {
    if (!pattern.includes('*') && pattern !== '_all' && !all.some(({ name }) => name === pattern))
      throw indexNotFound(pattern)
  }
  return all.filter(({ name }) =>
    patterns.some((pattern) => pattern === '_all' || simpleMatch(pattern, name)),
  )
}

export async function deleteDataStreams(cluster: Cluster, streams: readonly DataStream[]): Promise<void> {
  const names = streams.map(({ name }) => name)
  const indices = streams
    .flatMap((stream) => stream.indices)
    .map((name) => cluster.index(name))
    .filter((index): index is IndexMetadata => index !== undefined)
  await cluster.removeIndices(indices, (state) => ({
    ...state,
    dataStreams: withoutMembers(state.dataStreams, names),
  }))
}

/** Returns the data stream an index belongs to. */
export function streamOf(cluster: Cluster, index: string): DataStream | undefined {
  if (!index.startsWith('.')) return undefined
  return Object.values(cluster.state.dataStreams).find(({ indices }) => indices.includes(index))
}
