/**
 * The output behind the names elasticsearch, elasticsearch_http and opensearch: events become bulk actions,
 * bulk actions get delivered. Each worker has its own connections and sends one request at a time, so the order
 * of its events is kept.
 */

import type { Event } from '../../../event/event.ts'
import { valueText } from '../../../event/sprintf.ts'
import { startConcern } from '../../../plugin/concern.ts'
import {
  defineOutput,
  type EcsCompatibility,
  type OutputDefinition,
  type PluginLogger,
} from '../../../plugin/define.ts'
import { trustedAuthorities } from '../../elasticsearch/trusted-fingerprint.ts'
import { mintIds, mintLastingIds } from '../../event-names/minted-ids.ts'
import type { HttpClientSettings } from '../../http-client/http-client.ts'
import { proxyOf } from '../../http-client/http-options.ts'
import { tlsOptions } from '../../tls/tls-options.ts'
import { addressesOf, isLoopback } from './addresses.ts'
import { type ClusterVersion, compileActions } from './bulk-actions.ts'
import type { BulkClient } from './bulk-client.ts'
import { ClusterClient } from './cluster-client.ts'
import { setUpCluster } from './cluster-setup.ts'
import { checkIdentifiers, dataStreamOf } from './data-streams.ts'
import { Delivery, deliveryMetrics } from './delivery.ts'
import { checkBulkOptions } from './option-checks.ts'
import { type BulkOptions, bulkOptions, type Product } from './settings.ts'
import { areOwnStore, StoreClient } from './store-client.ts'

interface BulkOutputNames {
  readonly name: string
  readonly summary: string
  readonly product: Product
  /** Old option names that are the usual ones of this output. */
  readonly currentOptions?: readonly (keyof BulkOptions)[]
}

export function defineBulkOutput(names: BulkOutputNames): OutputDefinition {
  const { name, summary, product } = names
  return defineOutput({
    name,
    summary,
    description: [
      'Events are sent as bulk requests, a batch at a time. What the cluster is too busy for, and whole requests',
      'without an answer, are sent again until they work; with several `hosts`, to another one. Events the cluster',
      'refuses for good (statuses 400 and 404, conflicts) are logged and dropped.',
      '',
      'An event may be stored twice when an answer gets lost. Give a `document_id` to prevent that.',
    ].join('\n'),
    options: withoutWarning(names.currentOptions ?? []),
    ...deliveryMetrics,
    concurrency: 'shared',
    concerns: (options) => [
      ...startConcern('action', () => checkBulkOptions(options)),
      ...startConcern('data_stream_dataset', () => checkIdentifiers(options)),
      ...startConcern('ssl_truststore_path', () => refuseJavaStores(options)),
    ],
    create({ id, pipelineId, options, ecs, compile, abort, logger, metric, store, giveUp }) {
      checkBulkOptions(options)
      const addresses = addressesOf(options)
      const dataStream = dataStreamOf(options, product, ecs, logger)
      const defaultIndex = `${defaultName(ecs)}-%{+yyyy.MM.dd}`
      const alias = dataStream === undefined ? aliasOf(options, product, ecs, defaultIndex) : undefined
      if (alias !== undefined && (options.index ?? defaultIndex) !== defaultIndex)
        logger.warn(`Overwriting supplied index ${options.index} with rollover alias ${alias}`)
      let version: ClusterVersion = { major: undefined, distribution: 'elasticsearch' }
      const toAction = compileActions({
        options,
        product,
        compile,
        defaultIndex,
        alias,
        dataStream,
        version: () => version,
        mint: (event) => mint(event),
      })
      let mint: (event: Event) => string | undefined = mintLastingIds(pipelineId, id)
      let client: BulkClient | undefined
      let delivery: Delivery | undefined
      let ready: Promise<void> | undefined
      let isReady = false

      /** The store of this process, when it is what the hosts mean: no network has to be in between. */
      const ownStore = async (): Promise<BulkClient | undefined> => {
        const connection = await store.connect()
        if (connection === undefined || !areOwnStore(addresses.urls, connection.port)) return undefined
        mint = mintIds(pipelineId, id)
        const [url = ''] = addresses.urls
        return new StoreClient(connection, abort, addresses.authorization.get(url) ?? '')
      }

      return {
        async register() {
          logger.info(`New ${product.name} output`, { class: product.className, hosts: addresses.urls })
          const tls = await tlsOf(options, addresses.urls, logger)
          const openCluster = () =>
            new ClusterClient({
              product,
              ...addresses,
              headers: [...options.custom_headers].map(([header, value]) => [header, valueText(value)]),
              parameters: [...options.parameters].map(([key, value]) => [key, valueText(value)]),
              healthcheckPath: options.healthcheck_path,
              requestSeconds: options.timeout,
              connections: Math.max(1, Math.min(options.pool_max, options.pool_max_per_route)),
              compressionLevel: compressionOf(options, addresses.urls),
              resurrectSeconds: options.resurrect_delay,
              proxy: proxyOf(options.proxy ?? []),
              tls,
              logger,
              signal: abort,
            })
          const begin = async (opened: BulkClient) => {
            client = opened
            const changes = { changes: { removed: [], added: addresses.urls } }
            logger.info(`${product.name} pool URLs updated`, changes)
            delivery = new Delivery({
              client: opened,
              product,
              bulkPath: options.bulk_path ?? '_bulk',
              initialSeconds: options.retry_initial_interval,
              maxSeconds: options.retry_max_interval,
              hopeless: new Set([400, 404, ...options.dlq_custom_codes]),
              droppedErrors: new Set(options.drop_error_types.map(valueText)),
              silencedErrors: new Set(options.silence_errors_in_log.map(valueText)),
              logger,
              deadLetter: giveUp,
              metric,
            })
            version = await setUpCluster({
              client: opened,
              options,
              product,
              ecs,
              alias,
              managesTemplate: dataStream === undefined && (options.manage_template ?? true),
              logger,
            })
          }
          ready = isLoopback(addresses.urls)
            ? ownStore().then(async (own) => begin(own ?? openCluster()))
            : begin(openCluster())
          // Whoever waits for it gets the error; nobody may be waiting.
          ready.then(
            () => {
              isReady = true
            },
            () => undefined,
          )
        },
        overlaps: true,
        receive(events) {
          if (isReady) return delivery!.deliver(events, toAction)
          return ready!.then(() => delivery!.deliver(events, toAction))
        },
        async close() {
          const closing = client
          client = undefined
          await closing?.close()
        },
      }
    },
  })
}

function withoutWarning(names: readonly (keyof BulkOptions)[]): typeof bulkOptions {
  const isCurrent = { deprecated: undefined, obsolete: undefined, accepted: undefined, removed: undefined }
  const current = names.map((name) => [name, { ...bulkOptions[name], ...isCurrent }])
  return { ...bulkOptions, ...Object.fromEntries(current) }
}

/** Begins the names of indices and is that of the alias and the template, where the options give none. */
function defaultName(ecs: EcsCompatibility): string {
  return ecs === 'disabled' ? 'logstash' : 'ecs-logstash'
}

/**
 * The alias that takes the events instead of an index. An index of one's own is left alone unless an alias of one's own is
 * given, too; that also turns lifecycle management on where `ilm_enabled` leaves it to the output.
 */
function aliasOf(
  { index, ilm_enabled = 'auto', ilm_rollover_alias }: BulkOptions,
  product: Product,
  ecs: EcsCompatibility,
  defaultIndex: string,
): string | undefined {
  const alias = ilm_rollover_alias ?? defaultName(ecs)
  const isOwn = alias !== defaultName(ecs)
  if (ilm_enabled === 'auto') return isOwn && product.name === 'Elasticsearch' ? alias : undefined
  const isSet = isOwn || (index ?? defaultIndex) === defaultIndex
  return ilm_enabled === 'true' && isSet ? alias : undefined
}

function compressionOf(options: BulkOptions, urls: readonly string[]): number {
  const { compression_level, http_compression } = options
  if (compression_level !== undefined) return Math.max(0, Math.min(9, Math.trunc(compression_level)))
  if (http_compression !== undefined) return http_compression ? 1 : 0
  return isLoopback(urls) ? 0 : 1
}

function refuseJavaStores(options: BulkOptions): void {
  if (options.ssl_truststore_path !== undefined) {
    throw new Error(
      '`ssl_truststore_path`: trust stores cannot be read, use `ssl_certificate_authorities` instead',
    )
  }
  if (options.ssl_keystore_path !== undefined && /^jks$/i.test(options.ssl_keystore_type ?? ''))
    throw new Error('`ssl_keystore_path`: only PKCS#12 key stores can be read')
}

async function tlsOf(
  options: BulkOptions,
  urls: readonly string[],
  logger: PluginLogger,
): Promise<HttpClientSettings['tls']> {
  refuseJavaStores(options)
  const keystore = options.ssl_keystore_path
  const tls = await tlsOptions({
    certificate: options.ssl_certificate,
    key: options.ssl_key,
    keystore,
    passphrase: options.ssl_keystore_password,
    authorities: [
      ...options.ssl_certificate_authorities,
      ...(options.cacert === undefined ? [] : [options.cacert]),
    ],
    protocols: options.ssl_supported_protocols,
    ciphers: options.ssl_cipher_suites,
  })
  const checks = options.ssl_certificate_verification ?? options.ssl_verification_mode !== 'none'
  const secure = urls.some((url) => url.startsWith('https:'))
  if (secure && !checks) {
    logger.warn(
      'You have enabled encryption but DISABLED certificate verification, to make sure your data is secure set ' +
        '`ssl_verification_mode => full`',
    )
  }
  if (secure && checks && options.ca_trusted_fingerprint.length > 0) {
    const shown = await Promise.all(
      urls.map((url) => trustedAuthorities(url, options.ca_trusted_fingerprint)),
    )
    const given = tls.ca === undefined ? [] : [tls.ca].flat()
    return { ...tls, ca: [...given, ...shown.flat()], rejectUnauthorized: true }
  }
  return { ...tls, rejectUnauthorized: checks }
}
