/**
 * Settings of who may come in, on both ports.
 * Part of the table in definitions.ts.
 */
import type { Definition } from './definition.ts'

export const securityDefinitions = {
  'security.enabled': {
    kind: 'boolean',
    default: false,
    doc: 'Ask for a user or an API key on the search API and the monitoring API.',
    flag: {},
  },
  'security.path': {
    kind: 'path',
    default: ({ pathData }) => `${pathData}/security`,
    doc: 'Directory of users, roles and API keys.',
    flag: { argument: 'PATH' },
  },
  'security.bootstrap.password': {
    kind: 'password',
    default: null,
    doc: 'Password of the first user, `elastic` (`admin` for opensearch); only used while there is no such user.',
  },
  'security.allowed_hosts': {
    kind: 'string_list',
    default: [],
    doc: 'Host names, besides addresses and localhost, that requests may be addressed to; `*` is any.',
    flag: { argument: 'HOST' },
  },
  'security.insecure_bind': {
    kind: 'boolean',
    default: false,
    doc: 'Listen on addresses that other machines can reach although nobody is asked for a password.',
    flag: { long: '--insecure-bind' },
  },
  'security.audit.granted': {
    kind: 'boolean',
    default: false,
    doc: 'Write what was permitted to the audit log too, not only what was refused or changed.',
  },
  'search.ssl.enabled': { kind: 'boolean', default: false, doc: 'Serve the search API over TLS.', flag: {} },
  'search.ssl.keystore.path': {
    kind: 'nullable_path',
    default: null,
    doc: 'Key and certificate of the search API as a PKCS#12 file.',
  },
  'search.ssl.keystore.password': {
    kind: 'password',
    default: null,
    doc: 'Password of search.ssl.keystore.path.',
  },
  'search.ssl.certificate': {
    kind: 'nullable_path',
    default: null,
    doc: 'Certificate of the search API as a PEM file.',
  },
  'search.ssl.key': {
    kind: 'nullable_path',
    default: null,
    doc: 'Private key of the search API as a PEM file.',
  },
  'search.ssl.supported_protocols': {
    kind: 'string_list',
    options: ['TLSv1.2', 'TLSv1.3'],
    default: [],
    doc: 'TLS versions of the search API; empty is both.',
  },
  'search.http.cors.enabled': {
    kind: 'boolean',
    default: false,
    doc: 'Let web pages of other origins use the search API, as http.cors.enabled of Elasticsearch.',
  },
  'search.http.cors.allow-origin': {
    kind: 'string_list',
    default: [],
    doc: 'Origins of web pages that may, as http.cors.allow-origin; `*` is any.',
  },
} as const satisfies Record<string, Definition>
