/** What the TLS options of several inputs have to say alike, in Logstash's words. */
import type { PluginLogger } from '../../plugin/define.ts'

export function warnOfUnused(names: readonly string[], logger: PluginLogger): void {
  if (names.length === 0) return
  const list = JSON.stringify(names).replaceAll(',', ', ')
  logger.warn(`Configured SSL settings are not used when \`ssl_enabled\` is set to \`false\`: ${list}`)
}

/** A certificate is of no use without its key, nor the other way round. */
export function checkPair(certificate: string | undefined, key: string | undefined): void {
  if (certificate !== undefined && key === undefined)
    throw new Error('Using an `ssl_certificate` requires an `ssl_key`')
  if (key !== undefined && certificate === undefined)
    throw new Error('An `ssl_certificate` is required when using an `ssl_key`')
}
