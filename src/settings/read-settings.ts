/**
 * From flags, logstash.yml and defaults to one `Settings`: the command line wins over the file, the file over the
 * default. Everything that is wrong is thrown as `SettingsError`; everything worth telling is in `warnings`,
 * because logging starts only after the settings are known.
 */
import { access, readFile, stat } from 'node:fs/promises'
import { availableParallelism, hostname } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { checkApiSettings } from './api-settings.ts'
import { insecureBindVariable } from './bind-settings.ts'
import { coerceSetting, isUnitlessTime, rubyClass } from './coerce.ts'
import { type CommandLine, parseCommandLine } from './command-line.ts'
import {
  aliasOf,
  definitionOf,
  isForeignSetting,
  isSettingName,
  obsoleteSettings,
  type SettingName,
  settingNames,
} from './definitions.ts'
import { nearestName, SettingsError, UsageError } from './errors.ts'
import { type GivenValue, type Place, Settings, type SettingsWarning } from './settings.ts'
import { hasPlaceholder, substituteSettingValue } from './substitution.ts'
import { type Environment, openVariables } from './variables.ts'
import { flattenNames, parseYaml } from './yaml-text.ts'

interface ReadSettingsOptions {
  readonly argv: readonly string[]
  readonly env: Environment
  /** Directory that `config`, `data` and `logs` are under by default. */
  readonly home: string
  /** When the arguments were parsed already. */
  readonly commandLine?: CommandLine
}

const missingFile =
  'WARNING: Could not find logstash.yml which is typically located in $LS_HOME/config or /etc/logstash. You can specify the path using --path.settings. Continuing using the defaults'

export async function readSettings(options: ReadSettingsOptions): Promise<Settings> {
  const line = options.commandLine ?? parseCommandLine(options.argv)
  const place: Place = {
    home: options.home,
    hostname: hostname(),
    cores: availableParallelism(),
    pathSettings: settingsDirectory(line, options),
  }
  const warnings: SettingsWarning[] = [...line.warnings]
  const fromFile = await readFileValues(place.pathSettings, options.env, warnings)
  const given = new Map<SettingName, GivenValue>()
  const usedAliases = new Set<string>()
  takeFileValues(fromFile, given, usedAliases, warnings)
  takeOptions(line, given, usedAliases)
  takeInsecureBind(options.env, given)
  for (const alias of usedAliases) warnings.push({ kind: 'deprecation', message: aliasDeprecation(alias) })
  refuseInStrict(given, warnings)

  const settings = new Settings(place, given)
  checkConflicts(settings)
  await checkPluginPaths(settings)
  warnings.push(...checkApiSettings(settings))
  if (settings.get('config.debug') && !['debug', 'trace'].includes(settings.get('log.level'))) {
    const message = `--config.debug was specified, but log.level was not set to 'debug'! No config info will be logged.`
    warnings.push({ kind: 'warning', message })
  }
  return new Settings(place, given, warnings)
}

/** Containers have environment variables rather than files; whatever else was said counts more. */
function takeInsecureBind(env: Environment, given: Map<SettingName, GivenValue>): void {
  const said = env[insecureBindVariable]
  if ((said === 'true' || said === '1') && !given.has('security.insecure_bind'))
    given.set('security.insecure_bind', { value: true, source: 'command line' })
}

function settingsDirectory(line: CommandLine, { env, home }: ReadSettingsOptions): string {
  const flag = line.options.find((option) => option.setting === 'path.settings')?.value
  if (typeof flag === 'string') return flag
  return env['LS_SETTINGS_DIR'] || join(home, 'config')
}

async function readFileValues(
  directory: string,
  env: Environment,
  warnings: SettingsWarning[],
): Promise<Map<string, unknown>> {
  const path = join(directory, 'logstash.yml')
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') throw cannotLoad(directory, code ?? 'Error', message)
    warnings.push({ kind: 'stderr', message: missingFile })
    return new Map()
  }
  let document: unknown
  try {
    document = await parseYaml(text)
  } catch (error) {
    throw new SettingsError(
      `ERROR: Failed to parse YAML file "${path}". Please confirm if the YAML structure is valid (e.g. look for incorrect usage of whitespace or indentation). Aborting... parser_error=>${(error as Error).message}`,
      { cause: error },
    )
  }
  if (document === null || document === false) return new Map()
  if (!(document instanceof Map)) {
    const found = `expected a map of settings, found "${rubyClass(document)}"`
    throw cannotLoad(directory, 'ArgumentError', found)
  }
  const values = flattenNames(document)
  if (!hasPlaceholder(values)) return values
  return substituteSettingValue(values, await fileVariables(directory, values, env, warnings)) as Map<
    string,
    unknown
  >
}

async function fileVariables(
  directory: string,
  values: ReadonlyMap<string, unknown>,
  env: Environment,
  warnings: SettingsWarning[],
): ReturnType<typeof openVariables> {
  const named = values.get('keystore.file')
  const file =
    typeof named === 'string' && !hasPlaceholder(named) ? named : join(directory, 'millrace.keystore')
  const foreign = join(directory, 'logstash.keystore')
  if (!(await exists(file)) && (await exists(foreign))) {
    const message = `${foreign} is in a Java format that can not be read here; add its entries with the command "keystore add".`
    warnings.push({ kind: 'warning', message })
  }
  return openVariables(file, env)
}

function takeFileValues(
  values: ReadonlyMap<string, unknown>,
  given: Map<SettingName, GivenValue>,
  usedAliases: Set<string>,
  warnings: SettingsWarning[],
): void {
  const unknown: string[] = []
  for (const [key, raw] of values) {
    const alias = aliasOf.get(key)
    const name = isSettingName(key) ? key : alias
    if (name === undefined) {
      if (obsoleteSettings.has(key)) {
        warnings.push({ kind: 'deprecation', message: `Setting "${key}" is obsolete and has no effect.` })
      } else if (isForeignSetting(key)) {
        warnings.push({
          kind: 'warning',
          message: `Setting "${key}" is ignored: the feature does not exist here.`,
        })
      } else {
        unknown.push(key)
      }
      continue
    }
    if (alias !== undefined) {
      if (values.has(name)) throw ambiguous(name, key)
      usedAliases.add(key)
    }
    if (isUnitlessTime(name, raw)) warnings.push({ kind: 'deprecation', message: unitlessTime(name) })
    const { ignored } = definitionOf[name]
    if (ignored !== undefined) {
      const kind = name === 'queue.checkpoint.interval' ? 'deprecation' : 'warning'
      warnings.push({ kind, message: `Setting "${name}" is ignored: ${ignored}.` })
    }
    given.set(name, { value: coerceOrInvalid(name, raw), source: 'file' })
  }
  const first = unknown[0]
  if (first !== undefined) throw unknownSetting(first)
}

function takeOptions(line: CommandLine, given: Map<SettingName, GivenValue>, usedAliases: Set<string>): void {
  for (const { setting, alias, value } of line.options) {
    const otherName = line.options.find((option) => option.setting === setting && option.alias !== alias)
    const fileAlias = [...usedAliases].find((used) => aliasOf.get(used) === setting)
    const isNamedTwice =
      otherName !== undefined ||
      (alias === undefined ? fileAlias !== undefined : given.has(setting) && fileAlias === undefined)
    if (isNamedTwice) throw ambiguous(setting, alias ?? otherName?.alias ?? fileAlias ?? '')
    given.set(setting, { value, source: 'command line' })
  }
  for (const { alias } of line.options) if (alias !== undefined) usedAliases.add(alias)
}

/** Also used for pipelines.yml. */
export function coerceOrInvalid(name: SettingName, raw: unknown): GivenValue['value'] {
  try {
    return coerceSetting(name, raw)
  } catch (error) {
    throw invalid((error as Error).message)
  }
}

function checkConflicts(settings: Settings): void {
  const hasString = settings.get('config.string') !== null
  const hasPath = Boolean(settings.get('path.config'))
  if (hasString && hasPath) {
    throw new UsageError(`Settings 'path.config' (-f) and 'config.string' (-e) can't be used simultaneously.`)
  }
  if (hasString && settings.get('config.reload.automatic')) {
    throw new UsageError(`Configuration reloading can't be used with 'config.string' (-e).`)
  }
  const shell = settings.get('interactive')
  if (shell !== null && shell !== 'irb' && shell !== 'pry') {
    throw new UsageError('Invalid option for interactive Ruby shell. Use either "irb" or "pry"')
  }
}

async function checkPluginPaths(settings: Settings): Promise<void> {
  for (const path of settings.get('path.plugins')) {
    const found = await stat(isAbsolute(path) ? path : resolve(path)).catch(() => undefined)
    if (found?.isDirectory() !== true) {
      throw new UsageError(`You specified a plugin path that does not exist: ${path}`)
    }
  }
}

function refuseInStrict(
  given: ReadonlyMap<SettingName, GivenValue>,
  warnings: readonly SettingsWarning[],
): void {
  if (given.get('compat.strict')?.value !== true) return
  const refused = warnings.find(({ kind }) => kind === 'deprecation')
  if (refused !== undefined) throw invalid(`${refused.message} (refused because compat.strict is true)`)
}

function unknownSetting(name: string): SettingsError {
  const near = nearestName(name, settingNames)
  return invalid(
    `Setting "${name}" doesn't exist. Please check if you haven't made a typo.`,
    near === undefined ? undefined : `Did you mean "${near}"?`,
  )
}

function invalid(reason: string, hint?: string): SettingsError {
  return new SettingsError(`Your settings are invalid. Reason: ${reason}`, { hint })
}

function ambiguous(name: string, alias: string): SettingsError {
  return invalid(
    `Both \`${name}\` and its deprecated alias \`${alias}\` have been set. Please only set \`${name}\``,
  )
}

function aliasDeprecation(alias: string): string {
  const name = aliasOf.get(alias)
  return `The setting \`${alias}\` is a deprecated alias for \`${name}\` and will be removed in a future release of Logstash. Please use \`${name}\` instead`
}

function unitlessTime(name: string): string {
  return `Integer value for \`${name}\` does not have a time unit and will be interpreted in nanoseconds. Time units will be required in a future release of Logstash. Acceptable unit suffixes are: \`d\`, \`h\`, \`m\`, \`s\`, \`ms\`, \`micros\`, and \`nanos\`.`
}

function cannotLoad(directory: string, type: string, message: string): SettingsError {
  return new SettingsError(
    `ERROR: Failed to load settings file from "path.settings". Aborting... path.setting=${directory}, exception=${type}, message=>${message}`,
  )
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
