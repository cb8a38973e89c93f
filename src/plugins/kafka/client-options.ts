/**
 * Options of both kafka plugins. Those that belong to Kafka's own Java client (how it resolves names, keeps connections,
 * logs in with Kerberos or OAuth) are accepted, so that configurations with them start.
 */
import { option } from '../../plugin/define.ts'

export const unusedByClient = 'Accepted for compatibility; the client decides by itself.'

const number = (value: number) => option.number({ default: value, doc: unusedByClient })
const text = () => option.string({ doc: unusedByClient })
const oauth = 'Accepted for compatibility; a login with OAuth cannot be had.'

export const brokersOption = option.string({
  default: 'localhost:9092',
  doc: 'Addresses of brokers, `host:port`, separated by commas.',
})

export const requestOptions = {
  request_timeout_ms: option.number({ default: 40_000, doc: 'Milliseconds a request may take.' }),
  retry_backoff_ms: option.number({
    default: 100,
    doc: 'Milliseconds before a failed request is sent again.',
  }),
  metadata_max_age_ms: option.number({
    default: 300_000,
    doc: 'Milliseconds after which topics and brokers are looked up again.',
  }),
}

/** Options that only the Java client has. */
export const kafkaClientOptions = {
  client_dns_lookup: option.oneOf(
    ['default', 'use_all_dns_ips', 'resolve_canonical_bootstrap_servers_only'] as const,
    { default: 'default', doc: unusedByClient },
  ),
  reconnect_backoff_ms: number(50),
  connections_max_idle_ms: number(540_000),
  receive_buffer_bytes: number(32_768),
  send_buffer_bytes: number(131_072),
  kerberos_config: text(),
  sasl_kerberos_service_name: text(),
  sasl_client_callback_handler_class: option.string({ doc: oauth }),
  sasl_login_callback_handler_class: option.string({ doc: oauth }),
  sasl_oauthbearer_token_endpoint_url: option.string({ doc: oauth }),
  sasl_oauthbearer_scope_claim_name: option.string({ default: 'scope', doc: oauth }),
  sasl_login_connect_timeout_ms: option.number({ doc: oauth }),
  sasl_login_read_timeout_ms: option.number({ default: 10_000, doc: oauth }),
  sasl_login_retry_backoff_ms: option.number({ default: 100, doc: oauth }),
  sasl_login_retry_backoff_max_ms: option.number({ default: 10_000, doc: oauth }),
}
