/**
 * The command line as Logstash reads it: `--x v`, `--x=v`, `-w4`, `-tr`, boolean flags with an optional `true` or
 * `false` behind them. Flags come from the table of settings; values are checked here, so that a complaint can
 * name the flag. A word as first argument is a command of ours and is returned with everything behind it.
 */
import { coerceSetting } from './coerce.ts'
import { definitionOf, isSettingName, type SettingName, settingNames } from './definitions.ts'
import { nearestName, UsageError } from './errors.ts'
import type { SettingsWarning } from './settings.ts'
import type { AnyValue } from './values.ts'

interface GivenOption {
  readonly setting: SettingName
  /** The old name, when that was used. */
  readonly alias: string | undefined
  readonly value: AnyValue
}

export interface CommandLine {
  readonly command: string | undefined
  readonly rest: readonly string[]
  readonly help: boolean
  readonly version: boolean
  readonly options: readonly GivenOption[]
  readonly warnings: readonly SettingsWarning[]
}

interface KnownFlag {
  readonly takesValue: boolean
  apply(given: string | boolean, flag: string, line: Draft): void
}

interface Draft {
  help: boolean
  version: boolean
  options: GivenOption[]
  warnings: SettingsWarning[]
}

const flags = new Map<string, KnownFlag>()

for (const setting of settingNames) {
  const { kind, flag, aliases } = definitionOf[setting]
  if (flag === undefined) continue
  const takesValue = kind !== 'boolean'
  const known: KnownFlag = {
    takesValue,
    apply: (given, name, line) => setOption(line, name, setting, undefined, given),
  }
  flags.set(flag.long ?? `--${setting}`, known)
  if (flag.short !== undefined) flags.set(flag.short, known)
  for (const alias of aliases ?? []) {
    flags.set(`--${alias}`, {
      takesValue,
      apply: (given, name, line) => setOption(line, name, setting, alias, given),
    })
  }
}

for (const [flag, level] of [
  ['--verbose', 'info'],
  ['--debug', 'debug'],
  ['--quiet', 'error'],
] as const) {
  flags.set(flag, {
    takesValue: false,
    apply: (given, _name, line) => {
      const message = `DEPRECATION WARNING: The flag ["${flag}"] has been deprecated, please use "--log.level=${level}" instead.`
      line.warnings.push({ kind: 'deprecation', message })
      if (given !== false) line.options.push({ setting: 'log.level', alias: undefined, value: level })
    },
  })
}

/** Flags of features and versions that are gone; true for those with a value. */
for (const [flag, takesValue] of [
  ['--modules', true],
  ['-M', true],
  ['--modules.variable', true],
  ['--setup', false],
  ['--cloud.id', true],
  ['--cloud.auth', true],
  ['--java-execution', false],
  ['--experimental-java-execution', false],
  ['--enable-local-plugin-development', false],
  ['--event_api.tags.illegal', true],
] as const) {
  flags.set(flag, {
    takesValue,
    apply: (_given, name, line) =>
      line.warnings.push({ kind: 'warning', message: `The flag ${name} is ignored.` }),
  })
}

const settingFlag: KnownFlag = { takesValue: true, apply: setAny }
flags.set('-S', settingFlag)
flags.set('--setting', settingFlag)
const versionFlag: KnownFlag = {
  takesValue: false,
  apply: (given, _name, line) => (line.version = given !== false),
}
flags.set('-V', versionFlag)
flags.set('--version', versionFlag)
const helpFlag: KnownFlag = {
  takesValue: false,
  apply: (given, _name, line) => (line.help = given !== false),
}
flags.set('-h', helpFlag)
flags.set('--help', helpFlag)

export function parseCommandLine(argv: readonly string[]): CommandLine {
  const first = argv[0]
  if (first !== undefined && /^[a-z][a-z0-9_-]*$/.test(first)) {
    return { command: first, rest: argv.slice(1), help: false, version: false, options: [], warnings: [] }
  }
  const line: Draft = { help: false, version: false, options: [], warnings: [] }
  const left = [...argv]
  for (let argument = left.shift(); argument !== undefined; argument = left.shift()) {
    if (argument === '--') break
    readArgument(argument, left, line)
  }
  const stray = left[0]
  if (stray !== undefined) throw tooMany(stray)
  return { command: undefined, rest: [], ...line }
}

function readArgument(argument: string, left: string[], line: Draft): void {
  if (!argument.startsWith('-') || argument === '-') throw tooMany(argument)
  let name = argument
  const equals = argument.indexOf('=')
  let attached: string | undefined
  if (argument.startsWith('--') && equals > 0) {
    name = argument.slice(0, equals)
    attached = argument.slice(equals + 1)
  } else if (!argument.startsWith('--') && argument.length > 2) {
    name = argument.slice(0, 2)
    attached = argument.slice(2)
  }
  const flag = flags.get(name)
  if (flag === undefined) throw unknownFlag(name)
  if (flag.takesValue) {
    const value = attached ?? left.shift()
    if (value === undefined) throw new UsageError(`option '${name}': no value provided`)
    flag.apply(value, name, line)
    return
  }
  if (attached !== undefined && name.startsWith('--')) {
    flag.apply(attached, name, line)
    return
  }
  // `-tr` is `-t -r`.
  if (attached !== undefined) left.unshift(`-${attached}`)
  const isSpelled = attached === undefined && (left[0] === 'true' || left[0] === 'false')
  flag.apply(isSpelled ? left.shift() === 'true' : true, name, line)
}

function setOption(
  line: Draft,
  flag: string,
  setting: SettingName,
  alias: string | undefined,
  given: string | boolean,
): void {
  let value: AnyValue
  try {
    value = coerceSetting(setting, given)
  } catch (error) {
    throw new UsageError(`option '${flag}': ${(error as Error).message}`)
  }
  const before = line.options.find((option) => option.setting === setting)?.value
  // A list collects what is given several times; of anything else the last counts.
  if (Array.isArray(value) && Array.isArray(before)) value = [...before, ...value]
  line.options = line.options.filter((option) => option.setting !== setting || option.alias !== alias)
  line.options.push({ setting, alias, value })
}

function setAny(given: string | boolean, flag: string, line: Draft): void {
  const text = String(given)
  const equals = text.indexOf('=')
  if (equals <= 0) throw new UsageError(`option '${flag}': expected KEY=VALUE, got '${text}'`)
  const name = text.slice(0, equals)
  if (!isSettingName(name)) {
    const near = nearestName(name, settingNames)
    throw new UsageError(
      `option '${flag}': Setting "${name}" doesn't exist. Please check if you haven't made a typo.`,
      near && `Did you mean "${near}"?`,
    )
  }
  setOption(line, flag, name, undefined, text.slice(equals + 1))
}

function tooMany(argument: string): UsageError {
  return new UsageError(
    'too many arguments',
    `"${argument}" belongs to no option; a configuration file is given with -f.`,
  )
}

function unknownFlag(name: string): UsageError {
  const near = nearestName(name, flags.keys())
  return new UsageError(`Unrecognised option '${name}'`, near && `Did you mean "${near}"?`)
}
