/**
 * What a configuration needs from its surroundings and may not find on the machine where it is examined:
 * variables and files. Both are noted, and a stand-in takes their place so that the rest can be judged.
 */
import { existsSync } from 'node:fs'
import type { CodecChoice, Option } from '../../plugin/option.ts'
import { RawPlugin, type RawValue } from '../../plugin/raw-value.ts'
import type { StandIn } from '../../plugin/validate.ts'
import { type Checked, checkValue } from '../../plugin/validators.ts'
import type { VariableLookup } from '../../settings/substitution.ts'

const unresolved = /\$\{([a-zA-Z_.][a-zA-Z0-9_.]*)(?::[^}]*)?\}/g

interface MissingFile {
  readonly option: string
  readonly path: string
}

/** Collects what stood in for the surroundings of one file at a time: `begin` forgets the last one. */
export class Surroundings {
  readonly variables = new Set<string>()
  readonly files: MissingFile[] = []
  readonly #known: VariableLookup

  constructor(known: VariableLookup) {
    this.#known = known
  }

  begin(): void {
    this.variables.clear()
    this.files.length = 0
  }

  /** Replaces what can be replaced, and notes the rest. */
  keepUnknown<T>(text: string, substitute: (text: string) => T): T | string {
    let kept = text
    for (const [whole, name = ''] of text.matchAll(unresolved)) {
      const hasDefault = whole.includes(':')
      if (hasDefault || this.#known.secret(name) !== undefined || this.#known.environment(name) !== undefined)
        continue
      this.variables.add(name)
      kept = kept.replaceAll(whole, () => mark(name))
    }
    const result = substitute(kept)
    return typeof result === 'string' ? restore(result) : result
  }

  readonly standIn: StandIn = (value, declared, option) => {
    if (mentionsVariable(value)) return firstAccepted(value, declared)
    if (declared.kind !== 'path') return undefined
    const checked = checkValue(value, { ...declared, kind: 'string' })
    if (!checked.ok) return undefined
    for (const path of [checked.value].flat()) {
      if (typeof path === 'string' && !existsSync(path)) this.files.push({ option, path })
    }
    return checked
  }
}

const opening = '\u0001'
const closing = '\u0002'
const mark = (name: string): string => `${opening}${name}${closing}`

function restore(text: string): string {
  return text.replaceAll(opening, '${').replaceAll(closing, '}')
}

export function mentionsVariable(value: RawValue): boolean {
  if (typeof value === 'string') return value.includes('${') && value.search(unresolved) >= 0
  if (Array.isArray(value)) return value.some(mentionsVariable)
  if (value instanceof RawPlugin) return mentionsVariable(value.options)
  return value instanceof Map && [...value.values()].some(mentionsVariable)
}

/** The options of an unknown value are as good as the first text that would do. */
function firstAccepted(value: RawValue, declared: Option<unknown>): Checked | undefined {
  const ofPath = declared.kind === 'path' ? { ...declared, kind: 'string' as const } : declared
  const first = declared.kind === 'uri' ? '1' : 'variable'
  for (const text of [first, '1', 'true', '127.0.0.1', 'disabled', ...(declared.values ?? [])]) {
    const checked = checkValue(replaced(value, text), ofPath)
    if (checked.ok && declared.kind === 'codec')
      return { ok: true, value: { name: 'plain', options: new Map() } }
    if (checked.ok) return checked
  }
  return undefined
}

function replaced(value: RawValue, text: string): RawValue {
  if (typeof value === 'string') return value.replace(unresolved, () => text)
  if (Array.isArray(value)) return value.map((item) => replaced(item, text))
  if (value instanceof Map) return new Map([...value].map(([name, item]) => [name, replaced(item, text)]))
  return value
}

/** Pattern folders of a plugin or its codec that are not here. */
export function missingPatternFolders(options: Readonly<Record<string, unknown>>): string[] {
  const codec = options['codec'] as CodecChoice | undefined
  const folders = [options['patterns_dir'], codec?.options.get('patterns_dir')].flat()
  return folders.filter(
    (path): path is string => typeof path === 'string' && !/[*?[{]/.test(path) && !existsSync(path),
  )
}
