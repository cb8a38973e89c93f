/**
 * Options of the elasticsearch and opensearch outputs that say how to reach the cluster. They never decide
 * between indices and data streams, unlike those of `indexing-options.ts`.
 */
import { oldName, option, withAliases, withoutEffect } from '../../../plugin/define.ts'
import { basicAuthOptions } from '../../http-client/basic-auth.ts'
import { clientTlsOptions, fileList, ownCertificateOptions } from '../../tls/client-options.ts'
import { keystoreOptions, storeTypesInAnyCase, truststoreOptions } from '../../tls/store-options.ts'

export const connectionOptions = {
  hosts: option.list(option.uri({ doc: 'A host.' }), {
    aliases: ['host'],
    doc: 'Hosts of the cluster: names, `name:port` or URLs, by default `//127.0.0.1`. Port 9200 unless given.',
  }),
  port: option.string({
    removed: 'Write it behind the host name in `hosts` instead.',
    doc: 'Port of hosts that are given without one.',
  }),
  cloud_id: option.string({ doc: 'Cloud ID of a hosted cluster, instead of `hosts`.' }),
  cloud_auth: option.password({ doc: 'User and password, `user:password`, instead of those options.' }),
  ...basicAuthOptions,
  api_key: option.password({ doc: 'API key, `id:key` or as the cluster encodes it; needs TLS.' }),
  default_server_major_version: option.number({
    doc: 'Version of the cluster to assume when it does not tell.',
  }),
  auth_type: option.hash({ doc: 'Kind of authentication: `type` is `basic`, with `user` and `password`.' }),
  path: option.string({ doc: 'What paths of requests begin with, for a cluster behind a proxy.' }),
  bulk_path: option.string({ doc: 'Path of bulk requests; `_bulk` below `path` unless given.' }),
  healthcheck_path: option.string({ doc: 'Path that tells whether a host is up; `path` unless given.' }),
  parameters: option.hash({ default: new Map(), doc: 'Parameters for the URL of every request.' }),
  custom_headers: option.hash({ default: new Map(), doc: 'Headers for every request.' }),
  proxy: option.array({ doc: 'URL of an HTTP proxy.' }),
  timeout: option.number({ default: 60, doc: 'Seconds a request may take.' }),
  pool_max: option.number({ default: 1000, doc: 'Connections of a worker at the same time.' }),
  pool_max_per_route: option.number({ default: 100, doc: 'Connections of a worker to one host.' }),
  resurrect_delay: option.number({
    default: 5,
    doc: 'Seconds between two looks at a host that could not be reached.',
  }),
  validate_after_inactivity: option.number(
    withoutEffect('connections the cluster has closed are noticed without it.', 10000),
  ),
  sniffing: option.boolean(withoutEffect('only the given `hosts` are used.', false)),
  sniffing_delay: option.number(withoutEffect('the hosts given are the hosts used.', 5)),
  sniffing_path: option.string(withoutEffect('the hosts given are the hosts used.')),
  http_compression: option.boolean({
    deprecated: "Set 'compression_level' instead.",
    doc: 'Whether to compress requests, at level 1.',
  }),
  compression_level: option.number({
    doc: 'How hard to compress requests, 0 (not at all) to 9. Unless given 1, or 0 when all hosts are this machine.',
  }),
  retry_initial_interval: option.number({
    default: 2,
    doc: 'Seconds to wait before the first retry; doubled for every further one.',
  }),
  retry_max_interval: option.number({ default: 64, doc: 'Most seconds to wait between two tries.' }),
  silence_errors_in_log: option.array({
    default: [],
    aliases: ['failure_type_logging_whitelist'],
    doc: 'Types of errors (`document_already_exists_exception`) that are not logged.',
  }),
  failure_type_logging_whitelist: option.array({
    deprecated: 'Use `silence_errors_in_log` instead.',
    doc: 'Old name of `silence_errors_in_log`.',
  }),
  drop_error_types: option.array({
    default: [],
    doc: 'Types of errors after which an event is dropped instead of tried again.',
  }),
  dlq_custom_codes: option.list(option.number({ doc: 'A status.' }), {
    default: [],
    doc: 'Further statuses, besides 400 and 404, of events that are not tried again.',
  }),
  dlq_on_failed_indexname_interpolation: option.boolean({
    default: true,
    doc: 'Whether events whose index name still has a placeholder are turned away.',
  }),
  ssl_enabled: option.boolean({ doc: 'Whether to use TLS; follows from the URLs in `hosts` unless given.' }),
  ssl: option.boolean({
    obsolete: "Set 'ssl_enabled' instead.",
    accepted: 'Use `ssl_enabled` instead.',
    doc: 'Whether to use TLS; follows from the URLs in `hosts` unless given.',
  }),
  ssl_certificate_authorities: fileList({
    doc: 'Certificates, PEM files, that are trusted instead of those of the system.',
  }),
  cacert: option.path({
    obsolete: "Set 'ssl_certificate_authorities' instead.",
    accepted: 'Use `ssl_certificate_authorities` instead.',
    doc: 'Certificate, a PEM file, that is trusted instead of those of the system.',
  }),
  ...withAliases(ownCertificateOptions, { ssl_certificate: 'tls_certificate', ssl_key: 'tls_key' }),
  ssl_verification_mode: option.oneOf(['full', 'none'], {
    doc: 'Whether to check certificate and name of the cluster; `full` unless given.',
  }),
  ssl_certificate_verification: option.boolean({
    obsolete: "Set 'ssl_verification_mode' instead.",
    accepted: 'Use `ssl_verification_mode` instead.',
    doc: 'Whether to check certificate and name of the cluster.',
  }),
  ca_trusted_fingerprint: option.list(option.sha256Hex({ doc: 'A fingerprint.' }), {
    default: [],
    doc: 'SHA-256 fingerprints of authorities that are trusted when the cluster shows them.',
  }),
  ...clientTlsOptions,
  ...withAliases(keystoreOptions(storeTypesInAnyCase), {
    ssl_keystore_path: 'keystore',
    ssl_keystore_password: 'keystore_password',
  }),
  ...withAliases(truststoreOptions(storeTypesInAnyCase), {
    ssl_truststore_path: 'truststore',
    ssl_truststore_password: 'truststore_password',
  }),
  keystore: option.path(oldName('ssl_keystore_path', 'Set')),
  keystore_password: option.password(oldName('ssl_keystore_password', 'Set')),
  truststore: option.path(oldName('ssl_truststore_path', 'Set')),
  truststore_password: option.password(oldName('ssl_truststore_password')),
}
