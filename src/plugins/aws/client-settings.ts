/**
 * Settings of a client of the AWS SDK for JavaScript made of the options of a plugin. `additional_settings` has the names
 * of the SDK for Ruby; what they mean is said in this SDK's terms, and what means nothing here is named in the log.
 */
import { readFileSync } from 'node:fs'
import type { Value } from '../../event/value.ts'
import type { HashValue, PluginLogger } from '../../plugin/define.ts'
import { type CredentialsOptions, credentialsFor } from './credentials.ts'
import { type HandlerSettings, HttpHandler } from './http-handler.ts'
import type { AwsOptions } from './options.ts'

export type ClientOptions = CredentialsOptions &
  Partial<Pick<AwsOptions, 'endpoint' | 'proxy_uri' | 'additional_settings'>>

interface ClientSettings {
  readonly client: Record<string, unknown>
  readonly handler: HttpHandler
}

interface Translated {
  readonly client: Record<string, unknown>
  readonly handler: HandlerSettings
}

/** Names that are the same in both, but for their case. */
const sameNames = new Set([
  'disable_host_prefix_injection',
  'disable_s3_express_session_auth',
  'endpoint',
  'force_path_style',
  'region',
  'request_checksum_calculation',
  'response_checksum_validation',
  'retry_mode',
  'use_accelerate_endpoint',
  'use_dualstack_endpoint',
  'use_fips_endpoint',
])

const otherNames: Readonly<Record<string, string>> = {
  follow_redirects: 'followRegionRedirects',
  s3_use_arn_region: 'useArnRegion',
}

export async function clientSettings(options: ClientOptions, logger: PluginLogger): Promise<ClientSettings> {
  const { client, handler: settings } = translated(options.additional_settings ?? new Map(), logger)
  const handler = new HttpHandler({
    ...(options.proxy_uri !== undefined && { proxy: options.proxy_uri }),
    ...settings,
  })
  const credentials = await credentialsFor(options, handler)
  const { endpoint } = options
  return {
    handler,
    client: {
      // Services that stand in for S3 do not know the checksums that this SDK would always send.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      ...client,
      region: options.region,
      ...(endpoint !== undefined && {
        endpoint: /^https?:\/\//.test(endpoint) ? endpoint : `https://${endpoint}`,
      }),
      ...(credentials !== undefined && { credentials }),
      requestHandler: handler,
    },
  }
}

export function translated(settings: HashValue, logger: PluginLogger): Translated {
  const client: Record<string, unknown> = {}
  const handler: { -readonly [K in keyof HandlerSettings]: HandlerSettings[K] } = {}
  for (const [name, given] of settings) {
    const value = scalarOf(given)
    if (sameNames.has(name))
      client[camelCase(name)] =
        name.endsWith('_validation') || name.endsWith('_calculation') ? String(value).toUpperCase() : value
    else if (Object.hasOwn(otherNames, name)) client[otherNames[name]!] = value
    else if (name === 'retry_limit') client['maxAttempts'] = Math.max(1, Number(value) + 1)
    else if (name === 'max_attempts') client['maxAttempts'] = Math.max(1, Number(value))
    else if (name === 'http_proxy') handler.proxy = String(value)
    else if (name === 'http_open_timeout') handler.connectMilliseconds = Math.max(1, Number(value) * 1000)
    else if (name === 'http_read_timeout') handler.idleMilliseconds = Math.max(1, Number(value) * 1000)
    else if (name === 'ssl_verify_peer') handler.tls = { ...handler.tls, rejectUnauthorized: value !== false }
    else if (name === 'ssl_ca_bundle')
      handler.tls = { ...handler.tls, ca: readFileSync(String(value), 'utf8') }
    else logger.warn('A setting of additional_settings has no effect here', { setting: name })
  }
  return { client, handler }
}

/** The configuration language has no booleans inside hashes. */
function scalarOf(value: Value): unknown {
  if (value === 'true') return true
  if (value === 'false') return false
  return typeof value === 'object' && value !== null ? Number(value) : value
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
