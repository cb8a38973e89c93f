/**
 * Settings of the search store and its API.
 * Part of the table in definitions.ts.
 */
import { standardLimit } from '../memory/memory-limit.ts'
import type { Definition } from './definition.ts'

/** Below this memory a thread more would take too much of it. */
const enoughForReaders = 1024 ** 3
const maxReaders = 4

export const searchDefinitions = {
  'search.enabled': {
    kind: 'boolean',
    default: true,
    doc: 'Keep a search store and serve the API of Elasticsearch and OpenSearch.',
    flag: {},
  },
  'search.http.host': {
    kind: 'string',
    default: '127.0.0.1',
    doc: 'Address of the search API.',
    flag: { argument: 'HOST' },
  },
  'search.http.port': {
    kind: 'port_range',
    default: '9200-9300',
    doc: 'Port of the search API, or a range of which the first free one is taken.',
    flag: { argument: 'PORT' },
  },
  'search.backend': {
    kind: 'enum',
    options: ['embedded', 'opensearch', 'elasticsearch'],
    default: 'embedded',
    doc: 'Who keeps the documents: this process, or the cluster at search.cluster.hosts.',
    flag: { argument: 'BACKEND' },
  },
  'search.path': {
    kind: 'path',
    default: ({ pathData }) => `${pathData}/search`,
    doc: 'Directory of the search store.',
    flag: { argument: 'PATH' },
  },
  'search.threads': {
    kind: 'integer',
    default: ({ cores }) => (standardLimit() < enoughForReaders ? 0 : Math.min(maxReaders, cores - 1)),
    doc: 'Threads that search while the thread of the store is busy with writing or other searches. 0: it does everything itself. Without it, one less than there are processors, at most 4. With a memory.limit below 1 GB there are none.',
    flag: { argument: 'COUNT' },
  },
  'search.compat.flavor': {
    kind: 'enum',
    options: ['elasticsearch8', 'elasticsearch7', 'opensearch'],
    default: 'elasticsearch8',
    doc: 'Which product, and which major version, the search API says it is.',
    flag: { argument: 'FLAVOR' },
  },
  'search.reindex.remote.allowlist': {
    kind: 'string_list',
    default: [],
    doc: 'Hosts a reindex may read from, as `host:port`; `*` stands for anything. Without it, none.',
    flag: { argument: 'HOST' },
  },
  'search.cluster.name': {
    kind: 'string',
    default: 'millrace',
    doc: 'Name of the cluster in the search API.',
    flag: { argument: 'NAME' },
  },
} as const satisfies Record<string, Definition>
