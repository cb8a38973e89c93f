/** The options of the beats and elastic_agent inputs, which are one and the same. */
import { type OptionValues, oldName, option, withoutEffect } from '../../../plugin/define.ts'
import { listenOptions } from '../../receiving/listen-options.ts'
import { oldServerTlsOptions, serverTlsOptions } from '../../tls/server-options.ts'

const enrichments = ['source_metadata', 'codec_metadata', 'ssl_peer_metadata', 'all', 'none'] as const

export const beatsOptions = {
  ...listenOptions,
  client_inactivity_timeout: option.number({
    default: 60,
    doc: 'Seconds without data after which a connection is closed.',
  }),
  enrich: option.list(option.oneOf(enrichments, { doc: 'A kind.' }), {
    doc: 'What to add to events: `source_metadata` (address of the sender), `codec_metadata` (a tag that names the codec), `ssl_peer_metadata` (certificate of the sender), `all` or `none`; the first two unless given.',
  }),
  include_codec_tag: option.boolean({
    doc: 'Whether to tag events with the codec that read them.',
    deprecated: 'Use `enrich` option to configure which enrichments to perform.',
  }),
  ssl_peer_metadata: option.boolean({
    doc: "Whether to put facts about the sender's certificate into the metadata.",
    deprecated: 'Use `enrich` option to configure which enrichments to perform.',
  }),
  add_hostname: option.boolean({
    default: false,
    doc: 'Whether to copy `[beat][hostname]` into `host` when that is missing.',
    deprecated:
      'This option will be removed in the future as beats determine the event schema. It is already ignored with ECS.',
  }),
  event_loop_threads: option.number(withoutEffect('all connections are served by one thread.', 0)),
  executor_threads: option.number(withoutEffect('all connections are served by one thread.')),
  ssl_enabled: option.boolean({
    default: false,
    doc: 'Whether connections are encrypted; all other `ssl_` options need it.',
    aliases: ['ssl'],
  }),
  ssl_certificate: option.path({ doc: 'File with the certificate of this server, in PEM format.' }),
  ssl_key: option.path({ doc: 'File with the private key of the certificate, in PEM format (PKCS#8).' }),
  ...serverTlsOptions('sender'),
  ssl_verify_mode: option.oneOf(['none', 'peer', 'force_peer'] as const, {
    doc: 'Old form of `ssl_client_authentication`: `peer` is `optional`, `force_peer` is `required`.',
    obsolete: "Use 'ssl_client_authentication' instead.",
    accepted: 'Use `ssl_client_authentication` instead.',
  }),
  ...oldServerTlsOptions,
  congestion_threshold: option.number({
    doc: 'No longer has a meaning: senders wait as long as the pipeline is busy.',
    obsolete: 'This option is now obsolete since congestion control is done automatically.',
    accepted: 'It has no effect.',
  }),
  target_field_for_codec: option.string({
    doc: 'No longer has a meaning: the codec reads the field `message`.',
    obsolete: 'This option is now obsolete.',
    accepted: 'It has no effect.',
  }),
  ssl: option.boolean(oldName('ssl_enabled')),
  cipher_suites: option.array(oldName('ssl_cipher_suites')),
}

export type BeatsOptions = OptionValues<typeof beatsOptions>

export interface Enrichments {
  readonly source: boolean
  readonly codec: boolean
  readonly peer: boolean
}

/** Which enrichments the options ask for, old ones included. */
export function enrichmentsOf(options: BeatsOptions): Enrichments {
  const { enrich, include_codec_tag, ssl_peer_metadata } = options
  if (enrich === undefined) {
    return { source: true, codec: include_codec_tag ?? true, peer: ssl_peer_metadata ?? false }
  }
  for (const old of ['include_codec_tag', 'ssl_peer_metadata'] as const) {
    if (options[old] !== undefined) {
      throw new Error(`Both \`enrich\` and (deprecated) \`${old}\` were provided; use only \`enrich\``)
    }
  }
  if (enrich.length > 1 && (enrich.includes('all') || enrich.includes('none'))) {
    throw new Error('`enrich` accepts `all` and `none` only on their own')
  }
  const has = (kind: (typeof enrichments)[number]) => enrich.includes('all') || enrich.includes(kind)
  return { source: has('source_metadata'), codec: has('codec_metadata'), peer: has('ssl_peer_metadata') }
}
