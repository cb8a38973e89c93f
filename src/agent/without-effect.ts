/**
 * Settings that Logstash knows and this version reads without acting on them. Whoever set one is told so,
 * instead of believing that it works.
 */
import type { SettingName } from '../settings/definitions.ts'
import type { Settings } from '../settings/settings.ts'

const ignored: readonly SettingName[] = [
  'metric.collect',
  'otel.metrics.enabled',
  'slowlog.threshold.debug',
  'slowlog.threshold.info',
  'slowlog.threshold.trace',
  'slowlog.threshold.warn',
  'ssl.reload.automatic',
]

/** One sentence per setting that differs from its default and changes nothing. */
export function warningsOfIgnored(settings: Settings): string[] {
  const defaults = settings.defaults()
  return ignored
    .filter((name) => settings.isSet(name) && settings.get(name) !== defaults.get(name))
    .map((name) => `The setting \`${name}\` has no effect in this version.`)
}
