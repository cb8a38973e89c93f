/** The options of the http input. */
import { type HashValue, oldName, option, type Value } from '../../../plugin/define.ts'
import { listenOptionsAt } from '../../receiving/listen-options.ts'
import {
  oldServerTlsOptions,
  serverCertificate,
  serverKeyOptions,
  serverTlsOptions,
} from '../../tls/server-options.ts'
import { storeTypes, truststoreOptions } from '../../tls/store-options.ts'

const jsonForJson: HashValue = new Map<string, Value>([['application/json', 'json']])
const plainText: HashValue = new Map<string, Value>([['Content-Type', 'text/plain']])

export const httpOptions = {
  ...listenOptionsAt(8080),
  user: option.string({ doc: 'Name that clients have to give (Basic authentication); needs `password`.' }),
  password: option.password({ doc: 'Password that clients have to give; needs `user`.' }),
  additional_codecs: option.hash({
    default: jsonForJson,
    doc: 'Codecs by content type; bodies of any other type go to `codec`.',
  }),
  response_code: option.oneOf(['200', '201', '202', '204'] as const, {
    default: '200',
    doc: 'Status of the answer to a request whose events are safe; 204 has no body.',
  }),
  response_headers: option.hash({ default: plainText, doc: 'Headers of the answer.' }),
  remote_host_target_field: option.string({
    doc: "Field that takes the client's address; `host` (ECS: `[host][ip]`) unless given.",
  }),
  request_headers_target_field: option.string({
    doc: 'Field that takes the headers of the request; `headers` (ECS: `[@metadata][input][http][request][headers]`) unless given.',
  }),
  threads: option.number({
    doc: 'How many requests may be on their way into the queue at once; the number of processors unless given.',
  }),
  max_pending_requests: option.number({
    default: 200,
    doc: 'How many requests may wait for that; further ones are answered with 429.',
  }),
  max_content_length: option.number({
    default: 100 * 1024 * 1024,
    doc: 'Longest body in bytes, after decompression; longer ones are answered with 413.',
  }),
  ssl_enabled: option.boolean({
    default: false,
    doc: 'Whether to serve https; all other `ssl_` options need it.',
    aliases: ['ssl'],
  }),
  ssl_certificate: serverCertificate,
  ssl_key: serverKeyOptions.ssl_key,
  ...serverTlsOptions('client'),
  ssl_keystore_path: option.path({
    doc: 'File with certificate and key in PKCS#12 format, instead of `ssl_certificate` and `ssl_key`.',
    aliases: ['keystore'],
  }),
  ssl_keystore_password: option.password({
    doc: 'Password of the key store.',
    aliases: ['keystore_password'],
  }),
  ssl_keystore_type: option.oneOf(storeTypes, {
    doc: 'Format of the key store; only `pkcs12` can be read.',
  }),
  ...truststoreOptions(storeTypes),
  ssl_verify_mode: option.oneOf(['none', 'peer', 'force_peer'] as const, {
    doc: 'Old form of `ssl_client_authentication`: `peer` is `optional`, `force_peer` is `required`.',
    aliases: ['verify_mode'],
    obsolete: "Use 'ssl_client_authentication' instead.",
    accepted: 'Use `ssl_client_authentication` instead.',
  }),
  ...oldServerTlsOptions,
  ssl: option.boolean(oldName('ssl_enabled')),
  keystore: option.path(oldName('ssl_keystore_path')),
  keystore_password: option.password(oldName('ssl_keystore_password')),
  cipher_suites: option.array(oldName('ssl_cipher_suites')),
  verify_mode: option.string({
    doc: 'Old name of `ssl_verify_mode`.',
    obsolete: "Use 'ssl_client_authentication' instead.",
  }),
}
