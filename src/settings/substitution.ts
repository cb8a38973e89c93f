/**
 * `${NAME}` and `${NAME:default}`: the keystore is asked first, then the environment, then the default counts.
 * Where a placeholder may stand differs by place, and so does what happens to the result; each place has its
 * function here. Values are replaced in lists and maps at any depth, keys of maps never.
 */
import { SettingsError } from './errors.ts'

export interface VariableLookup {
  /** A keystore entry; names are compared without regard to case. */
  secret(name: string): string | undefined
  environment(name: string): string | undefined
}

const placeholder = /\$\{([a-zA-Z_.][a-zA-Z0-9_.]*)(?::([^}]*))?\}/g
const wholePlaceholder = /^\$\{([a-zA-Z_.][a-zA-Z0-9_.]*)(?::([^}]*))?\}$/
const variableName = /^[a-zA-Z_.][a-zA-Z0-9_.]*$/
const maxDepth = 200

export function isVariableName(name: string): boolean {
  return variableName.test(name)
}

/** A lookup without a keystore. */
export function environmentLookup(env: Readonly<Record<string, string | undefined>>): VariableLookup {
  return {
    secret: () => undefined,
    environment: (name) => (Object.hasOwn(env, name) ? env[name] : undefined),
  }
}

/**
 * Plugin options, in two passes as in Logstash. First a value that is exactly one placeholder becomes the variable
 * as it is. Then placeholders anywhere in a text are replaced (also those that came in with the first pass), and
 * only a text changed by this pass is refined: quotes around it are removed and `[a, b]` becomes a list.
 */
export function substituteOptionValue(value: unknown, lookup: VariableLookup): unknown {
  const whole = mapTexts(value, (text) => replaceWhole(text, lookup))
  return mapTexts(whole, (text) => replaceAnywhere(text, lookup, true))
}

/** A string literal of a condition: replaced only when it is exactly one placeholder; stays a string. */
export function substituteConditionString(text: string, lookup: VariableLookup): string {
  return replaceWhole(text, lookup)
}

/** A value of logstash.yml: placeholders anywhere, refined. */
export function substituteSettingValue(value: unknown, lookup: VariableLookup): unknown {
  return mapTexts(value, (text) => replaceAnywhere(text, lookup, true))
}

/** The whole of pipelines.yml: placeholders anywhere, as they are, also inside a `config.string`. */
export function substituteDocument(value: unknown, lookup: VariableLookup): unknown {
  return mapTexts(value, (text) => replaceAnywhere(text, lookup, false))
}

/** The `id` of a plugin: the environment only, because ids are shown everywhere. */
export function substituteId(text: string, lookup: VariableLookup): string {
  return replaceWhole(text, { secret: () => undefined, environment: (name) => lookup.environment(name) })
}

/** Whether there is anything to replace: without it no keystore has to be opened. */
export function hasPlaceholder(value: unknown): boolean {
  let found = false
  mapTexts(value, (text) => {
    found ||= text.includes('${') && text.search(placeholder) >= 0
    return text
  })
  return found
}

function replaceWhole(text: string, lookup: VariableLookup): string {
  const parts = text.startsWith('${') ? wholePlaceholder.exec(text) : null
  if (parts === null) return text
  const name = parts[1] ?? ''
  const value = lookup.secret(name) ?? lookup.environment(name) ?? parts[2]
  if (value === undefined) throw undefinedVariable(text, name, 'or an environment entry')
  return value
}

function replaceAnywhere(text: string, lookup: VariableLookup, refined: boolean): string | string[] {
  if (!text.includes('${')) return text
  let isReplaced = false
  const replaced = text.replace(placeholder, (found: string, name: string, fallback: string | undefined) => {
    isReplaced = true
    const value = lookup.secret(name) ?? lookup.environment(name) ?? fallback
    if (value === undefined) throw undefinedVariable(found, name, 'or as an Environment entry')
    return value
  })
  return isReplaced && refined ? refine(replaced) : replaced
}

function refine(text: string): string | string[] {
  const bare = unquote(text)
  if (!bare.startsWith('[') || !bare.endsWith(']')) return bare
  const items = bare.slice(1, -1).split(',')
  // Ruby's split gives no items after the last one that has text.
  while (items.length > 0 && items.at(-1) === '') items.pop()
  return items.map((item) => unquote(item.trim()))
}

/** Removes one pair of `'`, then one pair of `"`. */
function unquote(text: string): string {
  return withoutPair(withoutPair(text, "'"), '"')
}

function withoutPair(text: string, quote: string): string {
  return text.startsWith(quote) && text.endsWith(quote) ? text.slice(1, -1) : text
}

function undefinedVariable(found: string, name: string, source: string): SettingsError {
  return new SettingsError(
    `Cannot evaluate \`${found}\`. Replacement variable \`${name}\` is not defined in a Logstash secret store ${source} and there is no default value given.`,
  )
}

function mapTexts(value: unknown, change: (text: string) => unknown, depth = 0): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null || depth > maxDepth) return value
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, depth + 1))
  if (value instanceof Map) {
    return new Map([...value].map(([key, item]) => [key, mapTexts(item, change, depth + 1)]))
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapTexts(item, change, depth + 1)]),
  )
}
