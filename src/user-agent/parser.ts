/**
 * What a user agent says about itself: the first expression of each list that matches decides on browser,
 * system and device. Expressions are compiled when a text first gets past their required texts.
 */
import { compilePattern, type Pattern } from '../regex/pattern.ts'
import type { Definition, Definitions } from './definitions.ts'
import { type AnyOf, requiredTexts } from './required-text.ts'

export interface Versioned {
  readonly family: string
  readonly major: string | undefined
  readonly minor: string | undefined
  readonly patch: string | undefined
  readonly patchMinor: string | undefined
}

export interface UserAgent {
  readonly agent: Versioned
  readonly system: Versioned
  readonly device: string
}

type Groups = readonly (string | undefined)[]

export class UserAgentParser {
  readonly #agents: readonly Expression[]
  readonly #systems: readonly Expression[]
  readonly #devices: readonly Expression[]

  constructor({ user_agent_parsers, os_parsers, device_parsers }: Definitions) {
    this.#agents = user_agent_parsers.map((definition) => new Expression(definition))
    this.#systems = os_parsers.map((definition) => new Expression(definition))
    this.#devices = device_parsers.map((definition) => new Expression(definition))
  }

  parse(text: string): UserAgent {
    const lower = text.toLowerCase()
    return {
      agent:
        first(this.#agents, text, lower, (definition, groups) =>
          versioned(groups, definition, 'family_replacement', ['v1', 'v2', 'v3', 'v4']),
        ) ?? other,
      system:
        first(this.#systems, text, lower, (definition, groups) =>
          versioned(groups, definition, 'os_replacement', ['os_v1', 'os_v2', 'os_v3', 'os_v4']),
        ) ?? other,
      device:
        first(
          this.#devices,
          text,
          lower,
          (definition, groups) => filled(definition['device_replacement'], groups) ?? groups[1],
        ) ?? 'Other',
    }
  }
}

const other: Versioned = {
  family: 'Other',
  major: undefined,
  minor: undefined,
  patch: undefined,
  patchMinor: undefined,
}

class Expression {
  readonly definition: Definition
  readonly #ignoresCase: boolean
  readonly #required: readonly AnyOf[]
  #pattern: Pattern | undefined

  constructor(definition: Definition) {
    this.definition = definition
    this.#ignoresCase = definition['regex_flag'] === 'i'
    const required = requiredTexts(definition['regex'] ?? '')
    this.#required = this.#ignoresCase
      ? required.map((any) => any.map((text) => text.toLowerCase()))
      : required
  }

  exec(text: string, lower: string): Groups | undefined {
    const searched = this.#ignoresCase ? lower : text
    for (const any of this.#required) if (!includesAny(searched, any)) return undefined
    this.#pattern ??= compilePattern(this.definition['regex'] ?? '', { ignoreCase: this.#ignoresCase })
    return this.#pattern.exec(text)?.groups
  }
}

function includesAny(text: string, any: AnyOf): boolean {
  for (const one of any) if (text.includes(one)) return true
  return false
}

function first<T>(
  expressions: readonly Expression[],
  text: string,
  lower: string,
  read: (definition: Definition, groups: Groups) => T | undefined,
): T | undefined {
  for (const expression of expressions) {
    const groups = expression.exec(text, lower)
    const found = groups === undefined ? undefined : read(expression.definition, groups)
    if (found !== undefined) return found
  }
  return undefined
}

function versioned(
  groups: Groups,
  definition: Definition,
  name: string,
  parts: readonly [string, string, string, string],
): Versioned | undefined {
  const family = filled(definition[name], groups) ?? groups[1]
  if (family === undefined) return undefined
  const [major, minor, patch, patchMinor] = parts.map(
    (part, i) => filled(definition[`${part}_replacement`], groups) ?? present(groups[i + 2]),
  )
  return { family, major, minor, patch, patchMinor }
}

/** A replacement with `$1` … filled in. */
function filled(replacement: string | undefined, groups: Groups): string | undefined {
  if (replacement === undefined) return undefined
  if (!replacement.includes('$')) return replacement
  return present(replacement.replace(/\$(\d)/g, (_, number: string) => groups[Number(number)] ?? '').trim())
}

function present(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text
}
