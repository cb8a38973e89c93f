/**
 * What an output does before its first bulk request: waits for a host to answer, learns the version of the
 * cluster, installs the index template and, where asked for, lifecycle policy and alias. A cluster that does
 * not tell its version is taken for a recent one; what cannot be installed is logged, and events go on.
 */
import { readFile } from 'node:fs/promises'
import { parseJson } from '../../../event/json-parse.ts'
import { writeJson } from '../../../event/json-write.ts'
import { isFields } from '../../../event/value.ts'
import type { EcsCompatibility, PluginLogger } from '../../../plugin/define.ts'
import { exponentialBackOff, pause } from '../../delivery/pause.ts'
import type { ClusterVersion } from './bulk-actions.ts'
import type { BulkClient } from './bulk-client.ts'
import { badResponse } from './cluster-client.ts'
import { defaultTemplate } from './default-template.ts'
import type { BulkOptions, Product } from './settings.ts'

interface SetupSettings {
  readonly client: BulkClient
  readonly options: BulkOptions
  readonly product: Product
  readonly ecs: EcsCompatibility
  /** Writing to an alias under lifecycle management. */
  readonly alias: string | undefined
  readonly managesTemplate: boolean
  readonly logger: PluginLogger
}

/** Rejects only when the pipeline has to stop. */
export async function setUpCluster(settings: SetupSettings): Promise<ClusterVersion> {
  const version = await learnVersion(settings)
  if (settings.managesTemplate) {
    await trying(settings, 'Failed to install template', () => installTemplate(settings, version))
  }
  if (settings.alias !== undefined) {
    const { alias } = settings
    await trying(settings, 'Failed to set up index lifecycle management', () => setUpAlias(settings, alias))
  }
  return version
}

async function trying(
  { client, logger }: SetupSettings,
  text: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    client.signal.throwIfAborted()
    const { message, name } = error as Error
    logger.error(text, { message, exception: name })
  }
}

const maxWaitMilliseconds = 64_000

async function learnVersion(settings: SetupSettings): Promise<ClusterVersion> {
  const { client, options, product, logger } = settings
  for (let attempt = 0; ; attempt++) {
    try {
      const { status, body, url } = await client.request('GET', '')
      if (status >= 500 || status === 429) throw badResponse(product, status, url)
      if (status === 401 || status === 403) {
        const { message, name } = badResponse(product, status, url)
        logger.error(`Failed to perform request, check user and password or API key`, {
          message,
          exception: name,
          url,
        })
      }
      return readVersion(body, settings)
    } catch (error) {
      client.signal.throwIfAborted()
      const { message, name } = error as Error
      if (client.pool.anyAlive) logger.warn('Failed to perform request', { message, exception: name })
      const first = Math.max(100, options.retry_initial_interval * 1000)
      await untilRevival(client, exponentialBackOff(attempt, first, maxWaitMilliseconds))
    }
  }
}

/** A pause that ends when a host can be reached again. */
async function untilRevival(client: BulkClient, milliseconds: number): Promise<void> {
  let forget = () => {}
  const revived = new Promise<void>((resolve) => {
    forget = client.pool.onRevival(resolve)
  })
  try {
    await Promise.race([revived, pause(milliseconds, client.signal)])
  } finally {
    forget()
  }
}

function readVersion(body: string, { options, product, logger }: SetupSettings): ClusterVersion {
  const assumed: ClusterVersion = {
    major: options.default_server_major_version,
    distribution: product.name === 'OpenSearch' ? 'opensearch' : 'elasticsearch',
  }
  let number: unknown
  let distribution: unknown
  try {
    const root = parseJson(body)
    const version = isFields(root) ? root['version'] : undefined
    if (isFields(version)) ({ number, distribution } = version)
  } catch {
    return assumed
  }
  const major = /^(\d+)\./.exec(typeof number === 'string' ? number : '')?.[1]
  if (major === undefined) return assumed
  const found: ClusterVersion = {
    major: Number(major),
    distribution: distribution === 'opensearch' ? 'opensearch' : assumed.distribution,
  }
  const name = product.name === 'OpenSearch' ? 'Cluster' : product.name
  logger.info(`${name} version determined (${number})`, { es_version: found.major })
  if (found.distribution === 'elasticsearch' && (found.major === 6 || found.major === 7)) {
    const text =
      "Detected a 6.x and above cluster: the `type` event field won't be used to determine the document _type"
    logger.warn(text, { es_version: found.major })
  }
  return found
}

// --------------------------------------------------------------------------------------------- templates

async function installTemplate(settings: SetupSettings, version: ClusterVersion): Promise<void> {
  const { client, options, product, ecs, logger, alias } = settings
  const legacy = usesLegacyTemplate(settings, version)
  const base = ecs === 'disabled' ? 'logstash' : 'ecs-logstash'
  const name = options.template_name ?? alias ?? base
  const path = `${legacy ? '_template' : '_index_template'}/${encodeURIComponent(name)}`
  if (options.template_overwrite !== true) {
    const { status } = await client.request('HEAD', path)
    if (status >= 200 && status <= 299) {
      const text = `Found existing ${product.name} template, skipping template management`
      logger.debug(text, { name })
      return
    }
  }
  const body = await templateBody(settings, version, legacy, base)
  logger.info(`Installing ${product.name} template`, { name })
  const { status, url } = await client.request('PUT', path, body)
  if (status < 200 || status > 299) throw badResponse(product, status, url)
}

function usesLegacyTemplate({ options, product }: SetupSettings, version: ClusterVersion): boolean {
  const asked = options.template_api ?? 'auto'
  if (asked !== 'auto') return asked === 'legacy'
  if (options.legacy_template !== undefined) return options.legacy_template
  if (product.legacyTemplate) return true
  return version.distribution === 'elasticsearch' && version.major !== undefined && version.major < 8
}

async function templateBody(
  { options, ecs, logger, alias, product }: SetupSettings,
  { major }: ClusterVersion,
  legacy: boolean,
  base: string,
): Promise<string> {
  if (options.template !== undefined) {
    logger.info('Using mapping template from', { path: options.template })
    return writeJson(parseJson(await readFile(options.template, 'utf8')))
  }
  logger.info('Using a default mapping template', { es_version: major, ecs_compatibility: ecs })
  return writeJson(
    defaultTemplate({
      pattern: `${alias ?? base}-*`,
      ecs: ecs !== 'disabled',
      legacy,
      major,
      description: `Index template of the ${product.name} output`,
      lifecycle: alias === undefined ? undefined : { alias, policy: options.ilm_policy ?? defaultPolicyName },
    }),
  )
}

// --------------------------------------------------------------------------------------------- lifecycle

const defaultPolicyName = 'logstash-policy'
const defaultPolicy =
  '{"policy":{"phases":{"hot":{"actions":{"rollover":{"max_size":"50gb","max_age":"30d"}}}}}}'

async function setUpAlias({ client, options, product, logger }: SetupSettings, alias: string): Promise<void> {
  const put = async (path: string, body: string) => {
    const { status, url } = await client.request('PUT', path, body)
    if (status < 200 || status > 299) throw badResponse(product, status, url)
  }
  const missing = async (path: string, method: 'GET' | 'HEAD') =>
    (await client.request(method, path)).status === 404
  if (await missing(`_alias/${encodeURIComponent(alias)}`, 'HEAD')) {
    const index = encodeURIComponent(`<${alias}-${options.ilm_pattern ?? '{now/d}-000001'}>`)
    logger.info('Creating rollover alias', { name: alias })
    await put(index, writeJson({ aliases: { [alias]: { is_write_index: true } } }))
  }
  const { ilm_policy: policy = defaultPolicyName } = options
  const path = `_ilm/policy/${encodeURIComponent(policy)}`
  if (!(await missing(path, 'GET'))) return
  if (policy !== defaultPolicyName)
    throw new Error(`The specified ILM policy ${policy} does not exist on your Elasticsearch instance`)
  logger.info('Creating ILM policy', { path })
  await put(path, defaultPolicy)
}
