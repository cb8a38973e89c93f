/** Arguments of a command: switches, flags with a value, and words. What is not known is refused by name. */
import { SettingsError } from '../settings/errors.ts'

export interface ArgumentRules {
  readonly command: string
  readonly switches?: readonly string[]
  /** Flags with a value; of a repeated one all are kept. */
  readonly values?: readonly string[]
}

export interface Arguments {
  readonly words: readonly string[]
  has(name: string): boolean
  /** The last one given. */
  value(name: string): string | undefined
  all(name: string): readonly string[]
}

/** Flags of settings that every command which reads configurations takes. */
export const settingFlags: readonly string[] = [
  '--path.settings',
  '--path.plugins',
  '--pipeline.ecs_compatibility',
  '--setting',
  '-S',
]

export function readArguments(args: readonly string[], rules: ArgumentRules): Arguments {
  const words: string[] = []
  const given = new Map<string, string[]>()
  const note = (name: string, value: string) => given.set(name, [...(given.get(name) ?? []), value])
  const left = [...args]
  for (let argument = left.shift(); argument !== undefined; argument = left.shift()) {
    const equals = argument.startsWith('--') ? argument.indexOf('=') : -1
    const name = equals < 0 ? argument : argument.slice(0, equals)
    if (argument === '--') words.push(...left.splice(0))
    else if (argument === '-h' || argument === '--help') note('--help', '')
    else if (rules.switches?.includes(argument) === true) note(argument, '')
    else if (rules.values?.includes(name) === true) {
      const value = equals < 0 ? left.shift() : argument.slice(equals + 1)
      if (value === undefined) refuse(rules.command, `option '${name}': no value provided`)
      note(name, value)
    } else if (argument.startsWith('-') && argument !== '-')
      refuse(rules.command, `Unrecognised option '${argument}'`)
    else words.push(argument)
  }
  return {
    words,
    has: (name) => given.has(name),
    value: (name) => given.get(name)?.at(-1),
    all: (name) => given.get(name) ?? [],
  }
}

export function refuse(command: string, message: string): never {
  throw new SettingsError(`${message}\n\nSee: 'millrace ${command} --help'`)
}

/** The flags of settings again, as the reader of settings takes them. */
export function settingArguments(given: Arguments): string[] {
  return settingFlags.flatMap((flag) => given.all(flag).flatMap((value) => [flag, value]))
}
