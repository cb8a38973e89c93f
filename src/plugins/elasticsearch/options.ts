/** The options of the elasticsearch input. */
import { type OptionValues, oldName, option, withoutEffect } from '../../plugin/define.ts'
import { basicAuthOptions } from '../http-client/basic-auth.ts'
import { clientTlsOptions, fileList, ownCertificateOptions } from '../tls/client-options.ts'
import { keystoreOptions, storeTypes, truststoreOptions } from '../tls/store-options.ts'

export const elasticsearchOptions = {
  hosts: option.array({
    default: [],
    doc: 'Addresses of the cluster: `host`, `host:port` or URLs; localhost unless given.',
  }),
  cloud_id: option.string({ doc: 'Id of an Elastic Cloud deployment, instead of `hosts`.' }),
  ...basicAuthOptions,
  cloud_auth: option.password({ doc: 'Name and password as `name:password`, instead of the two.' }),
  api_key: option.password({ doc: 'API key as `id:key`, or as the cluster gave it in base64.' }),
  index: option.string({ default: 'logstash-*', doc: 'Index, list or pattern of indices to search.' }),
  query: option.string({
    default: '{ "sort": [ "_doc" ] }',
    doc: 'Body of the search, in JSON; `:last_value` and `:present` stand for the bounds of `tracking_field`.',
  }),
  query_type: option.oneOf(['dsl', 'esql'] as const, {
    default: 'dsl',
    doc: 'Language of `query`; only `dsl` is supported.',
  }),
  response_type: option.oneOf(['hits', 'aggregations'] as const, {
    default: 'hits',
    doc: 'Whether to make events of the documents found, or one event of the aggregations.',
  }),
  size: option.number({ default: 1000, doc: 'Documents per request.' }),
  search_api: option.oneOf(['auto', 'search_after', 'scroll'] as const, {
    default: 'auto',
    doc: 'How to get through many documents: `search_after` with a point in time (Elasticsearch 8 and later) or `scroll`.',
  }),
  scroll: option.string({
    default: '1m',
    doc: 'How long the cluster keeps the search between two requests.',
  }),
  slices: option.number({ doc: 'Into how many parts to divide the search, to read them at the same time.' }),
  retries: option.number({ default: 0, doc: 'How often to repeat a search that failed.' }),
  docinfo: option.boolean({
    default: false,
    doc: 'Whether to add index, type and id of the document to the event.',
  }),
  docinfo_target: option.fieldReference({
    doc: 'Field for these; `@metadata` (ECS: `[@metadata][input][elasticsearch]`) unless given.',
  }),
  docinfo_fields: option.array({
    default: ['_index', '_type', '_id'],
    doc: 'Which of the facts about a document to add.',
  }),
  target: option.fieldReference({
    doc: 'Field that takes the document, instead of its members becoming fields of the event.',
  }),
  schedule: option.string({ doc: 'When to search, as a cron expression; once unless given.' }),
  schedule_overlap: option.boolean(withoutEffect('a search begins when the one before it is over.', true)),
  tracking_field: option.string({ doc: 'Field of the event whose last value the next search begins at.' }),
  tracking_field_seed: option.string({
    default: '1970-01-01T00:00:00.000000000Z',
    doc: 'Value the first search begins at.',
  }),
  last_run_metadata_path: option.string({
    doc: 'File that keeps the last value; below `path.data` unless given.',
  }),
  custom_headers: option.hash({ default: new Map(), doc: 'Further headers of each request.' }),
  proxy: option.uri({ doc: 'HTTP proxy.' }),
  connect_timeout_seconds: option.number({ default: 10, doc: 'Seconds to wait for a connection.' }),
  request_timeout_seconds: option.number({ default: 60, doc: 'Seconds a request may take.' }),
  socket_timeout_seconds: option.number({
    default: 60,
    doc: 'Seconds to wait for the next data of an answer.',
  }),
  ssl_enabled: option.boolean({
    doc: 'Whether to use https for hosts that do not say.',
    aliases: ['ssl'],
  }),
  ...ownCertificateOptions,
  ssl_certificate_authorities: fileList({
    doc: 'Certificates, PEM files, that are trusted.',
    aliases: ['ca_file'],
  }),
  ssl_verification_mode: option.oneOf(['full', 'none'] as const, {
    default: 'full',
    doc: 'Whether to check the certificate of the cluster.',
  }),
  ...clientTlsOptions,
  ...keystoreOptions(storeTypes),
  ...truststoreOptions(storeTypes),
  ca_trusted_fingerprint: option.list(option.sha256Hex({ doc: 'A fingerprint.' }), {
    default: [],
    doc: 'SHA-256 fingerprints of authorities to trust, in hexadecimal digits.',
  }),
  ssl_certificate_verification: option.boolean({
    doc: 'Old form of `ssl_verification_mode`.',
    obsolete: "Set 'ssl_verification_mode' instead.",
    accepted: 'Use `ssl_verification_mode` instead.',
  }),
  scan: option.boolean({
    doc: 'No longer has a meaning.',
    removed: 'It has no effect since the scan type was removed from Elasticsearch.',
  }),
  ssl: option.boolean(oldName('ssl_enabled', 'Set')),
  ca_file: option.path(oldName('ssl_certificate_authorities', 'Set')),
}

export type ElasticsearchOptions = OptionValues<typeof elasticsearchOptions>
