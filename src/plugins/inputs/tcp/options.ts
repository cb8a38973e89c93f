/** The options of the tcp input. */
import { option } from '../../../plugin/define.ts'
import { allowedTlsOptions, fileList } from '../../tls/client-options.ts'
import { oldTcpTlsOptions } from '../../tls/old-tcp-options.ts'
import { serverKeyOptions } from '../../tls/server-options.ts'

export const tcpOptions = {
  host: option.string({
    default: '0.0.0.0',
    doc: 'Address to listen on, or, with `mode => "client"`, to connect to.',
  }),
  port: option.number({
    required: true,
    doc: 'Port to listen on, or, with `mode => "client"`, to connect to.',
  }),
  mode: option.oneOf(['server', 'client'] as const, {
    default: 'server',
    doc: 'Whether to wait for connections or to open one; a lost one is opened again.',
  }),
  proxy_protocol: option.boolean({
    default: false,
    doc: 'Whether every connection begins with a line of the PROXY protocol, version 1.',
  }),
  tcp_keep_alive: option.boolean({
    default: false,
    doc: 'Whether the operating system probes idle connections.',
  }),
  dns_reverse_lookup_enabled: option.boolean({
    default: true,
    doc: 'Whether to look up the name of a peer; otherwise, or when it has none, its address is used.',
  }),
  ssl_enabled: option.boolean({
    default: false,
    doc: 'Whether connections are encrypted; all other `ssl_` options need it.',
    aliases: ['ssl_enable'],
  }),
  ssl_certificate: option.path({
    doc: 'File with the certificate to show to the other side, in PEM format.',
    aliases: ['ssl_cert'],
  }),
  ...serverKeyOptions,
  ssl_extra_chain_certs: fileList({ doc: 'Files with further certificates to send along with ours.' }),
  ssl_certificate_authorities: fileList({
    doc: 'Files with the certificates of authorities that vouch for the other side.',
    aliases: ['ssl_cacert'],
  }),
  ssl_client_authentication: option.oneOf(['none', 'optional', 'required'] as const, {
    doc: 'Whether clients may or must show a certificate, in server mode; `required` unless given.',
  }),
  ssl_verification_mode: option.oneOf(['full', 'none'] as const, {
    doc: 'Whether to check the certificate of the server, in client mode; `full` unless given.',
  }),
  ...allowedTlsOptions,
  ssl_verify: option.boolean({
    doc: 'Whether to check the certificate of the other side.',
    accepted: 'Use `ssl_client_authentication` or `ssl_verification_mode` instead.',
    obsolete:
      "Use 'ssl_client_authentication' when mode is 'server' or 'ssl_verification_mode' when mode is 'client'",
  }),
  ...oldTcpTlsOptions,
  data_timeout: option.number({
    doc: 'No longer has a meaning.',
    removed: 'Connections stay open until their other side closes them.',
  }),
}
