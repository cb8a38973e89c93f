/**
 * All settings of one process or of one pipeline: typed, complete and immutable. A pipeline's settings are an
 * overlay over those of the process. `toData` gives a plain form for other threads.
 */
import { inspect } from '../log/ruby-inspect.ts'
import { coerceSetting } from './coerce.ts'
import { definitionOf, type SettingName, type Surroundings, settingNames } from './definitions.ts'
import type { AnyValue, SettingValue } from './values.ts'

type SettingSource = 'default' | 'file' | 'command line' | 'pipeline'

/** Something to tell the user once logging works; `stderr` belongs there even before. */
export interface SettingsWarning {
  readonly kind: 'warning' | 'deprecation' | 'stderr'
  readonly message: string
}

export interface GivenValue {
  readonly value: AnyValue
  readonly source: SettingSource
}

export type Place = Pick<Surroundings, 'home' | 'hostname' | 'cores' | 'pathSettings'>

/** Can be posted to another thread. */
export interface SettingsData {
  readonly place: Place
  readonly given: readonly (readonly [SettingName, GivenValue])[]
  readonly warnings: readonly SettingsWarning[]
}

export class Settings {
  readonly warnings: readonly SettingsWarning[]
  readonly #place: Place
  readonly #given: ReadonlyMap<SettingName, GivenValue>
  readonly #values: ReadonlyMap<SettingName, AnyValue>

  constructor(
    place: Place,
    given: ReadonlyMap<SettingName, GivenValue>,
    warnings: readonly SettingsWarning[] = [],
  ) {
    this.#place = place
    this.#given = new Map(given)
    this.warnings = Object.freeze([...warnings])
    this.#values = resolveAll(place, this.#given)
  }

  static fromData(data: SettingsData): Settings {
    return new Settings(data.place, new Map(data.given), data.warnings)
  }

  get<Name extends SettingName>(name: Name): SettingValue<Name> {
    const value = this.#values.get(name)
    if (value === undefined) {
      throw new Error(`Setting "${name}" doesn't exist. Please check if you haven't made a typo.`)
    }
    return value as SettingValue<Name>
  }

  /** Whether somebody chose the value, even if it equals the default. */
  isSet(name: SettingName): boolean {
    return this.#given.has(name)
  }

  sourceOf(name: SettingName): SettingSource {
    return this.#given.get(name)?.source ?? 'default'
  }

  /** These settings with some replaced, as for one pipeline of pipelines.yml. */
  overlay(
    values: ReadonlyMap<SettingName, AnyValue>,
    source: SettingSource = 'pipeline',
    warnings: readonly SettingsWarning[] = [],
  ): Settings {
    const given = new Map(this.#given)
    for (const [name, value] of values) given.set(name, { value, source })
    return new Settings(this.#place, given, warnings)
  }

  /** What holds where nobody chose anything. */
  defaults(): ReadonlyMap<SettingName, AnyValue> {
    return resolveAll(this.#place, new Map())
  }

  toData(): SettingsData {
    return { place: this.#place, given: [...this.#given], warnings: this.warnings }
  }

  /** Values that must not be printed. */
  secrets(): string[] {
    return settingNames
      .filter((name) => definitionOf[name].kind === 'password')
      .map((name) => this.#values.get(name))
      .filter((value) => typeof value === 'string')
  }

  /** The lines that Logstash logs at debug level on start; passwords are hidden. */
  formatted(): string[] {
    const lines = ['-------- Logstash Settings (* means modified) ---------']
    const defaults = this.defaults()
    for (const name of settingNames) {
      const isSecret = definitionOf[name].kind === 'password'
      const value = this.#values.get(name) ?? null
      const text = isSecret && value !== null ? '<password>' : settingText(value)
      const standard = settingText(defaults.get(name) ?? null)
      lines.push(
        this.isSet(name) && text !== standard
          ? `*${name}: ${text} (default: ${standard})`
          : `${name}: ${text}`,
      )
    }
    lines.push('--------------- Logstash Settings -------------------')
    return lines
  }
}

function settingText(value: AnyValue): string {
  if (typeof value === 'object' && value !== null && 'first' in value) return `${value.first}..${value.last}`
  return inspect(value)
}

function resolveAll(
  place: Place,
  given: ReadonlyMap<SettingName, GivenValue>,
): ReadonlyMap<SettingName, AnyValue> {
  const from: Surroundings = {
    ...place,
    pathData: String(given.get('path.data')?.value ?? `${place.home}/data`),
    hasSecureApi:
      given.get('api.ssl.enabled')?.value === true && given.get('api.auth.type')?.value === 'basic',
  }
  const values = new Map<SettingName, AnyValue>()
  for (const name of settingNames) {
    const chosen = given.get(name)
    values.set(name, chosen === undefined ? defaultValue(name, from) : chosen.value)
  }
  return values
}

function defaultValue(name: SettingName, from: Surroundings): AnyValue {
  const { default: standard } = definitionOf[name]
  return coerceSetting(name, typeof standard === 'function' ? standard(from) : standard)
}
