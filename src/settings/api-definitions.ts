/**
 * Settings of the monitoring API and of metrics that are sent elsewhere.
 * Part of the table in definitions.ts.
 */
import type { Definition } from './definition.ts'

const policy = ['REQUIRED', 'OPTIONAL'] as const

export const apiDefinitions = {
  'api.enabled': {
    kind: 'boolean',
    default: true,
    doc: 'Serve the monitoring API.',
    flag: {},
    aliases: ['http.enabled'],
  },
  'api.http.host': {
    kind: 'string',
    default: ({ hasSecureApi }) => (hasSecureApi ? '0.0.0.0' : '127.0.0.1'),
    doc: 'Address of the monitoring API; all interfaces when TLS and basic authentication are on.',
    flag: { argument: 'HOST' },
    aliases: ['http.host'],
  },
  'api.http.port': {
    kind: 'port_range',
    default: '9600-9700',
    doc: 'Port of the monitoring API, or a range of which the first free one is taken.',
    flag: { argument: 'PORT' },
    aliases: ['http.port'],
  },
  'api.ui.enabled': {
    kind: 'boolean',
    default: true,
    doc: 'Serve the dashboard at /ui of the monitoring API, and send browsers there.',
    flag: {},
  },
  'api.ui.fleet': {
    kind: 'string_list',
    default: [],
    doc: 'Addresses of other nodes that the dashboard shows, read-only: Millrace, Logstash, Elasticsearch, OpenSearch; http://user:password@host:port where they ask for a password.',
  },
  'api.environment': {
    kind: 'string',
    default: 'production',
    doc: 'Environment name of the monitoring API.',
    aliases: ['http.environment'],
  },
  'api.auth.type': {
    kind: 'enum',
    options: ['none', 'basic'],
    default: 'none',
    doc: 'Authentication of the monitoring API.',
  },
  'api.auth.basic.username': {
    kind: 'nullable_string',
    default: null,
    doc: 'User name for api.auth.type: basic.',
  },
  'api.auth.basic.password': { kind: 'password', default: null, doc: 'Password for api.auth.type: basic.' },
  'api.auth.basic.password_policy.mode': {
    kind: 'enum',
    options: ['WARN', 'ERROR'],
    default: 'WARN',
    doc: 'Whether a weak API password is a warning or stops the start.',
  },
  'api.auth.basic.password_policy.length.minimum': {
    kind: 'integer',
    default: 8,
    doc: 'Shortest API password, 8 to 1024 characters.',
  },
  'api.auth.basic.password_policy.include.upper': {
    kind: 'enum',
    options: policy,
    default: 'REQUIRED',
    doc: 'Whether the API password needs an upper case letter.',
  },
  'api.auth.basic.password_policy.include.lower': {
    kind: 'enum',
    options: policy,
    default: 'REQUIRED',
    doc: 'Whether the API password needs a lower case letter.',
  },
  'api.auth.basic.password_policy.include.digit': {
    kind: 'enum',
    options: policy,
    default: 'REQUIRED',
    doc: 'Whether the API password needs a digit.',
  },
  'api.auth.basic.password_policy.include.symbol': {
    kind: 'enum',
    options: policy,
    default: 'OPTIONAL',
    doc: 'Whether the API password needs a special character.',
  },
  'api.ssl.enabled': { kind: 'boolean', default: false, doc: 'Serve the monitoring API over TLS.' },
  'api.ssl.keystore.path': {
    kind: 'nullable_path',
    default: null,
    doc: 'Key and certificate of the API as a PKCS#12 or JKS file.',
  },
  'api.ssl.keystore.password': { kind: 'password', default: null, doc: 'Password of api.ssl.keystore.path.' },
  'api.ssl.certificate': {
    kind: 'nullable_path',
    default: null,
    doc: 'Certificate of the API as a PEM file.',
  },
  'api.ssl.key': { kind: 'nullable_path', default: null, doc: 'Private key of the API as a PEM file.' },
  'api.ssl.supported_protocols': {
    kind: 'string_list',
    options: ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'],
    default: [],
    doc: 'TLS versions of the API; empty is what Node.js allows.',
  },
  'api.compat.version': {
    kind: 'string',
    default: '9.5.2',
    doc: 'Version of Logstash whose API is served; below 6.0 the old shapes.',
    flag: { argument: 'VERSION' },
  },
  'monitoring.cluster_uuid': {
    kind: 'nullable_string',
    default: null,
    doc: 'Id of the cluster to which the monitoring data of this node belongs.',
  },
  'otel.metrics.enabled': {
    kind: 'boolean',
    default: false,
    doc: 'Push metrics with the OpenTelemetry protocol.',
  },
  'otel.metrics.endpoint': {
    kind: 'string',
    default: 'http://localhost:4317',
    doc: 'Where to push metrics to.',
  },
  'otel.metrics.interval': { kind: 'time', default: '10s', doc: 'How often to push metrics.' },
  'otel.metrics.protocol': {
    kind: 'enum',
    options: ['grpc', 'http'],
    default: 'grpc',
    doc: 'Transport of pushed metrics.',
  },
  'otel.metrics.authorization_header': {
    kind: 'password',
    default: null,
    doc: 'Authorization header of pushed metrics.',
  },
  'otel.service.name': { kind: 'nullable_string', default: null, doc: 'Service name of pushed metrics.' },
  'otel.resource.attributes': {
    kind: 'nullable_string',
    default: null,
    doc: 'Attributes of pushed metrics as key=value,key2=value2.',
  },
} as const satisfies Record<string, Definition>
