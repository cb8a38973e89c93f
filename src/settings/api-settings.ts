/** Settings of both APIs that need each other: what is missing stops the start, what is unused is told. */
import type { SettingName } from './definitions.ts'
import { SettingsError } from './errors.ts'
import type { Settings, SettingsWarning } from './settings.ts'

interface Dependency {
  readonly setting: 'api.auth.type' | 'api.ssl.enabled' | 'search.ssl.enabled'
  /** Nothing is looked at when this is off. */
  readonly of: 'api.enabled' | 'search.enabled'
  readonly on: string | boolean
  readonly required: readonly SettingName[]
  readonly optional: readonly SettingName[]
  /** Settings that together stand in for the required ones. */
  readonly instead: readonly SettingName[]
}

const dependencies: readonly Dependency[] = [
  {
    setting: 'api.auth.type',
    of: 'api.enabled',
    on: 'basic',
    required: ['api.auth.basic.username', 'api.auth.basic.password'],
    optional: [],
    instead: [],
  },
  sslOf('api'),
  sslOf('search'),
]

function sslOf(api: 'api' | 'search'): Dependency {
  return {
    setting: `${api}.ssl.enabled`,
    of: `${api}.enabled`,
    on: true,
    required: [`${api}.ssl.keystore.path`, `${api}.ssl.keystore.password`],
    optional: [`${api}.ssl.supported_protocols`],
    instead: [`${api}.ssl.certificate`, `${api}.ssl.key`],
  }
}

export function checkApiSettings(settings: Settings): SettingsWarning[] {
  const warnings: SettingsWarning[] = []
  for (const { setting, of: whole, on, required, optional, instead } of dependencies) {
    if (!settings.get(whole)) continue
    const value = settings.get(setting)
    const text = `\`${setting}\` is set to \`${value}\``
    if (value === on) {
      if (instead.length > 0 && instead.every((name) => settings.isSet(name))) continue
      const missing = required.find((name) => !settings.isSet(name))
      if (missing === undefined) continue
      throw new SettingsError(
        `Setting \`${missing}\` is required when ${text}. Please provide it in your \`logstash.yml\``,
      )
    }
    for (const name of [...required, ...optional, ...instead]) {
      if (settings.isSet(name)) {
        warnings.push({ kind: 'warning', message: `Setting \`${name}\` is ignored because ${text}` })
      }
    }
  }
  return warnings
}
