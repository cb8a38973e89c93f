/**
 * Turns the options a configuration gives a plugin into the typed values its declaration promises, or
 * says what is wrong in Logstash's words. Logstash stops after the first step that found something
 * (unknown names, missing ones, bad values, obsolete ones); here every step reports, in that order.
 */
import { allOptions } from './common-options.ts'
import type { EcsCompatibility, PluginDefinition } from './define.ts'
import { brokenReference } from './named-fields.ts'
import { codecOfOldOptions } from './old-codec.ts'
import type { CodecChoice, Option } from './option.ts'
import { show } from './raw-text.ts'
import type { RawValue } from './raw-value.ts'
import { suggest } from './suggest.ts'
import { asList, type Checked, checkValue, hideUserInfo, kindText } from './validators.ts'

type ProblemCode = 'unknown_option' | 'missing_option' | 'invalid_option' | 'obsolete_option'

interface Problem {
  code: ProblemCode
  message: string
  option?: string
  hint?: string | undefined
}

interface ValidationSettings {
  ecs: EcsCompatibility
  /** Refuse what Logstash refuses: obsolete options and names it no longer knows. */
  strict?: boolean | undefined
  /** A verdict on a value that takes the place of the usual one; undefined for no opinion. */
  standIn?: StandIn | undefined
  /** Codec of inputs and outputs whose declaration names none; `plain` unless said. */
  codecName?: string
}

export type StandIn = (value: RawValue, declared: Option<unknown>, option: string) => Checked | undefined

interface Validation {
  /** Own and common options by name, defaults filled in; undefined when there are problems. */
  options: Record<string, unknown> | undefined
  problems: Problem[]
  warnings: OldOption[]
  /** What starts all the same, as in Logstash, but fails on every event. */
  suspicions: Suspicion[]
}

/** An option that is accepted, but should be written otherwise. */
export interface OldOption {
  option: string
  /** What became of it. */
  sentence: string
  /** The problem in Logstash's words. */
  message: string
}

interface Suspicion {
  option: string
  message: string
}

interface Given {
  name: string
  value: RawValue
  declared: Option<unknown>
}

export function validateOptions(
  definition: PluginDefinition,
  raw: ReadonlyMap<string, RawValue>,
  settings: ValidationSettings,
): Validation {
  const table = tableOf(definition)
  const warnings: OldOption[] = []
  const unknown: Problem[] = []
  const obsolete: Problem[] = []
  const given = new Map<string, Given>()

  for (const [written, value] of raw) {
    const declared = table.get(written)
    if (declared === undefined || isOld(declared)) {
      const target = replacementOf(written, table)
      const verdict = judgeOld(declared, target, raw, settings.strict === true)
      if (verdict.refusal === 'unknown') unknown.push(unknownOption(definition, written, table))
      else if (verdict.sentence === undefined)
        obsolete.push(obsoleteOption(definition, written, declared?.obsolete ?? ''))
      else {
        const sentence = forPlugin(verdict.sentence, definition)
        warnings.push({ option: written, sentence, message: deprecation(definition, written, sentence) })
        const [name, used] = target ?? [written, declared!]
        if (target === undefined || !raw.has(name)) given.set(name, { name: written, value, declared: used })
      }
    } else given.set(written, { name: written, value, declared })
  }

  const missing = [...table].filter(([name, declared]) => declared.required && isMissing(given.get(name)))
  const options: Record<string, unknown> = {}
  const invalid: Problem[] = []
  const suspicions: Suspicion[] = []
  for (const [name, { name: written, value, declared }] of given) {
    const checked = settings.standIn?.(value, declared, written) ?? safely(() => checkValue(value, declared))
    if (checked.ok) {
      options[name] = checked.value
      const message = declared.names && brokenReference(checked.value, declared.names)
      if (message !== undefined) suspicions.push({ option: written, message })
    } else invalid.push(invalidOption(definition, written, value, declared, checked))
  }
  const problems = [
    ...unknown,
    ...missing.map(([name]) => missingOption(definition, name)),
    ...invalid,
    ...obsolete,
  ]
  if (problems.length > 0) return { options: undefined, problems, warnings, suspicions }
  return { options: complete(options, table, definition, settings), problems, warnings, suspicions }
}

/** The problems Logstash itself would log: those of the first step that found any. */
export function firstStep(problems: readonly Problem[]): Problem[] {
  return problems.filter((problem) => problem.code === problems[0]?.code)
}

const tables = new WeakMap<PluginDefinition, ReadonlyMap<string, Option<unknown>>>()

/** Own and common options by name; a configuration uses the same few plugins over and over. */
function tableOf(definition: PluginDefinition): ReadonlyMap<string, Option<unknown>> {
  let table = tables.get(definition)
  if (table === undefined) {
    table = new Map(Object.entries(allOptions(definition)))
    tables.set(definition, table)
  }
  return table
}

function isOld({ deprecated, obsolete, removed }: Option<unknown>): boolean {
  return deprecated !== undefined || obsolete !== undefined || removed !== undefined
}

type OldVerdict =
  | { refusal: 'unknown' | 'obsolete'; sentence?: undefined }
  | { refusal?: undefined; sentence: string }

/** What becomes of an option that is not declared, or no longer current. */
function judgeOld(
  declared: Option<unknown> | undefined,
  target: [string, Option<unknown>] | undefined,
  raw: ReadonlyMap<string, RawValue>,
  strict: boolean,
): OldVerdict {
  const { deprecated, obsolete, accepted, removed } = declared ?? {}
  const isKnown = deprecated !== undefined && obsolete === undefined
  if (!isKnown && (strict || (target ?? accepted ?? removed) === undefined))
    return { refusal: obsolete === undefined ? 'unknown' : 'obsolete' }
  if (target !== undefined && raw.has(target[0]))
    return { sentence: `It is ignored, as \`${target[0]}\` is set too.` }
  const usual = target === undefined ? '' : `Use \`${target[0]}\` instead.`
  return { sentence: accepted ?? removed ?? deprecated ?? usual }
}

function replacementOf(
  name: string,
  table: ReadonlyMap<string, Option<unknown>>,
): [string, Option<unknown>] | undefined {
  for (const entry of table) if (entry[1].aliases.includes(name)) return entry
  return undefined
}

function isMissing(given: Given | undefined): boolean {
  if (given === undefined || given.value === null) return true
  return given.declared.list && asList(given.value).length === 0
}

/** Values nested too deep to walk are refused like any other bad value. */
function safely(check: () => Checked): Checked {
  try {
    return check()
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, note: error.message }
    throw error
  }
}

function complete(
  options: Record<string, unknown>,
  table: ReadonlyMap<string, Option<unknown>>,
  definition: PluginDefinition,
  settings: ValidationSettings,
): Record<string, unknown> {
  for (const [name, declared] of table) {
    if (options[name] !== undefined) continue
    if (declared.obsolete !== undefined && declared.accepted === undefined) continue
    const value = declared.default
    options[name] = Array.isArray(value) ? [...value] : value
  }
  options['ecs_compatibility'] ??= settings.ecs
  if (definition.type === 'input' || definition.type === 'output') {
    const name = definition.codec ?? settings.codecName ?? 'plain'
    options['codec'] ??=
      codecOfOldOptions(options, table, name) ?? ({ name, options: new Map() } satisfies CodecChoice)
  }
  return options
}

// ------------------------------------------------------------------------------------------------- texts

function unknownOption(
  definition: PluginDefinition,
  name: string,
  table: ReadonlyMap<string, Option<unknown>>,
): Problem {
  const usable = [...table].filter(([, { obsolete, removed }]) => (obsolete ?? removed) === undefined)
  const near = suggest(
    name,
    usable.map(([known]) => known),
  )
  return {
    code: 'unknown_option',
    message: `Unknown setting '${name}' for ${definition.name}`,
    option: name,
    hint: near === undefined ? undefined : `did you mean \`${near}\`?`,
  }
}

function missingOption({ name, type }: PluginDefinition, option: string): Problem {
  return {
    code: 'missing_option',
    message:
      `Missing a required setting for the ${name} ${type} plugin:\n\n` +
      `  ${type} {\n    ${name} {\n      ${option} => # SETTING MISSING\n      ...\n    }\n  }`,
    option,
  }
}

function invalidOption(
  { name, type }: PluginDefinition,
  option: string,
  value: RawValue,
  declared: Option<unknown>,
  { note, hint }: { note: string; hint?: string | undefined },
): Problem {
  const shown = declared.kind === 'password' ? '<password>' : show(value)
  const safe = declared.kind === 'uri' ? hideUserInfo(shown) : shown
  return {
    code: 'invalid_option',
    message:
      `Invalid setting for ${name} ${type} plugin:\n\n` +
      `  ${type} {\n    ${name} {\n      # This setting must be a ${kindText(declared)}\n` +
      `      # ${note}\n      ${option} => ${safe}\n      ...\n    }\n  }`,
    option,
    hint,
  }
}

function obsoleteOption(definition: PluginDefinition, name: string, extra: string): Problem {
  return {
    code: 'obsolete_option',
    message:
      `The setting \`${name}\` in plugin \`${definition.name}\` is obsolete and is no longer available. ` +
      `${forPlugin(extra, definition)} If you have any questions about this, you are invited to visit ` +
      'https://discuss.elastic.co/c/logstash and ask.',
    option: name,
  }
}

function deprecation(definition: PluginDefinition, name: string, extra: string): string {
  return (
    `You are using a deprecated config setting ${show(name)} set in ${definition.name}. ` +
    'Deprecated settings will continue to work, but are scheduled for removal from logstash in the future. ' +
    `${extra} If you have any questions about this, ` +
    'please visit the #logstash channel on freenode irc.'
  )
}

function forPlugin(text: string, definition: PluginDefinition): string {
  return text.replaceAll('%PLUGIN%', () => definition.name)
}
