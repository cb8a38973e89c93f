/**
 * Settings of the cluster that keeps the documents when `search.backend` is not `embedded`.
 * Part of the table in definitions.ts.
 */
import type { Definition } from './definition.ts'

export const clusterDefinitions = {
  'search.cluster.hosts': {
    kind: 'string_list',
    default: ['http://localhost:9200'],
    doc: 'Hosts of the cluster, as `host`, `host:port` or an address of http or https.',
    flag: { argument: 'HOST' },
  },
  'search.cluster.username': {
    kind: 'nullable_string',
    default: null,
    doc: 'User of the cluster; without it, and without an API key, clients send credentials of their own.',
  },
  'search.cluster.password': {
    kind: 'password',
    default: null,
    doc: 'Password of search.cluster.username.',
  },
  'search.cluster.api_key': {
    kind: 'password',
    default: null,
    doc: 'API key of the cluster, as `id:key` or in base64, instead of user and password.',
  },
  'search.cluster.ssl.certificate_authorities': {
    kind: 'string_list',
    default: [],
    doc: 'PEM files of the authorities that vouch for hosts of the cluster; those of the system when empty.',
  },
  'search.cluster.ssl.verification_mode': {
    kind: 'enum',
    options: ['full', 'certificate', 'none'],
    default: 'full',
    doc: 'What of a certificate of the cluster is checked: all, all but the host name, or nothing.',
  },
  'search.cluster.ssl.certificate': {
    kind: 'nullable_path',
    default: null,
    doc: 'Certificate this node shows to the cluster, as a PEM file.',
  },
  'search.cluster.ssl.key': {
    kind: 'nullable_path',
    default: null,
    doc: 'Private key of search.cluster.ssl.certificate as a PEM file.',
  },
  'search.cluster.sniffing': {
    kind: 'boolean',
    default: false,
    doc: 'Ask the cluster for its hosts, at the start, after a failure and from time to time.',
  },
  'search.cluster.sniffing_interval': {
    kind: 'time',
    default: '5m',
    doc: 'How often the cluster is asked for its hosts.',
  },
  'search.cluster.connect_timeout': {
    kind: 'time',
    default: '5s',
    doc: 'How long a connection to a host of the cluster may take to come about.',
  },
  'search.cluster.request_timeout': {
    kind: 'time',
    default: '90s',
    doc: 'How long nothing may come from a host of the cluster that works on a request.',
  },
  'search.cluster.retries': {
    kind: 'integer',
    default: 3,
    doc: 'How often a request is sent again where that cannot do anything twice.',
  },
  'search.cluster.max_connections': {
    kind: 'positive_integer',
    default: 64,
    doc: 'Connections to one host of the cluster; further requests wait for one.',
  },
} as const satisfies Record<string, Definition>
