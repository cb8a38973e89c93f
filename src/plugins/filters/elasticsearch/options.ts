/** The options of the elasticsearch filter; those of its connections are the ones of the elasticsearch input. */
import { type OptionValues, oldName, option, withAliases } from '../../../plugin/define.ts'
import { elasticsearchOptions } from '../../elasticsearch/options.ts'
import { keystoreOptions, storeTypes } from '../../tls/store-options.ts'

const own = elasticsearchOptions

export const lookupOptions = {
  hosts: own.hosts,
  index: option.string({
    default: '',
    doc: 'Indices to search, separated by commas; all unless given. May contain `%{…}`.',
  }),
  query: option.string({ doc: 'What to search for, as a query string; may contain `%{…}`.' }),
  query_template: option.string({
    doc: 'File with the body of the search in JSON, instead of `query`; may contain `%{…}`.',
  }),
  query_type: option.oneOf(['dsl', 'esql'] as const, {
    default: 'dsl',
    doc: 'Language of `query`: a query string, or ES|QL where the cluster has it.',
  }),
  query_params: option.hash({
    default: new Map(),
    doc: 'Named parameters of an ES|QL query and the fields, or constants, they get their values from.',
  }),
  sort: option.string({
    default: '@timestamp:desc',
    doc: 'Order of the documents, as `field:direction` separated by commas.',
  }),
  enable_sort: option.boolean({ default: true, doc: 'Whether to sort at all.' }),
  result_size: option.number({ default: 1, doc: 'How many documents to ask for.' }),
  fields: option.array({
    default: [],
    doc: 'Paths in the documents found, and the fields that take what they hold.',
  }),
  docinfo_fields: option.hash({
    default: new Map(),
    doc: 'Facts about the documents, such as `_id`, and the fields that take them.',
  }),
  aggregation_fields: option.hash({
    default: new Map(),
    doc: 'Names of aggregations, and the fields that take their results.',
  }),
  target: option.fieldReference({
    doc: 'Field below which results are put, instead of the event itself.',
  }),
  tag_on_failure: option.array({
    default: ['_elasticsearch_lookup_failure'],
    doc: 'Tags for events whose search failed.',
  }),
  retry_on_failure: option.number({
    default: 0,
    doc: 'How often to repeat a request without answer, or with one of `retry_on_status`.',
  }),
  retry_on_status: option.array({ default: [], doc: 'Status codes after which a request is repeated.' }),
  user: own.user,
  password: own.password,
  cloud_id: own.cloud_id,
  cloud_auth: own.cloud_auth,
  api_key: own.api_key,
  proxy: own.proxy,
  custom_headers: own.custom_headers,
  ca_trusted_fingerprint: own.ca_trusted_fingerprint,
  ssl_enabled: own.ssl_enabled,
  ssl_certificate: own.ssl_certificate,
  ssl_key: own.ssl_key,
  ssl_certificate_authorities: own.ssl_certificate_authorities,
  ssl_verification_mode: own.ssl_verification_mode,
  ssl_supported_protocols: own.ssl_supported_protocols,
  ssl_cipher_suites: own.ssl_cipher_suites,
  ...withAliases(keystoreOptions(storeTypes), {
    ssl_keystore_path: 'keystore',
    ssl_keystore_password: 'keystore_password',
  }),
  ssl_truststore_path: own.ssl_truststore_path,
  ssl_truststore_password: own.ssl_truststore_password,
  ssl_truststore_type: own.ssl_truststore_type,
  ssl_certificate_verification: own.ssl_certificate_verification,
  ssl: own.ssl,
  ca_file: own.ca_file,
  keystore: option.path(oldName('ssl_keystore_path', 'Set')),
  keystore_password: option.password(oldName('ssl_keystore_password', 'Set')),
}

export type LookupOptions = OptionValues<typeof lookupOptions>
