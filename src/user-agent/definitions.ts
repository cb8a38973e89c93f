/**
 * The expressions of a `regexes.yaml` as uap-core publishes it: three lists of an expression with texts
 * that replace what it captured. The file is so regular that a line reader does; others go to the real parser.
 */
import { readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'

export type Definition = Readonly<Record<string, string>>

export interface Definitions {
  readonly user_agent_parsers: readonly Definition[]
  readonly os_parsers: readonly Definition[]
  readonly device_parsers: readonly Definition[]
}

type Lists = Record<string, Record<string, string>[]>

const maxFileBytes = 32 * 1024 * 1024
const heading = /^([a-z_]+):\s*$/
const entry = /^\s+(- )?([a-z0-9_]+): '((?:[^']|'')*)'\s*$/
const ignored = /^\s*(?:#.*)?$/

/** The file of the uap-core package. */
export function builtInDefinitions(): string {
  return createRequire(import.meta.url).resolve('uap-core/regexes.yaml')
}

export async function readDefinitions(path: string): Promise<Definitions> {
  const { size } = await stat(path)
  if (size > maxFileBytes) throw new Error(`${path} has ${size} bytes`)
  const text = await readFile(path, 'utf8')
  return definitionsOf(readLines(text) ?? (await readYaml(text)))
}

/** For texts of the usual form, as the built-in file has it. */
export function parseDefinitions(text: string): Definitions {
  return definitionsOf(readLines(text) ?? {})
}

function definitionsOf(lists: Lists): Definitions {
  return {
    user_agent_parsers: lists['user_agent_parsers'] ?? [],
    os_parsers: lists['os_parsers'] ?? [],
    device_parsers: lists['device_parsers'] ?? [],
  }
}

/** Undefined when a line is of another form. */
function readLines(text: string): Lists | undefined {
  const lists: Lists = Object.create(null)
  let list: Record<string, string>[] | undefined
  for (const line of text.split(/\r?\n/)) {
    if (ignored.test(line)) continue
    const name = heading.exec(line)?.[1]
    if (name !== undefined) {
      list = lists[name] = []
      continue
    }
    const [, dash, key, value] = entry.exec(line) ?? []
    if (key === undefined || value === undefined || list === undefined) return undefined
    if (dash !== undefined) list.push(Object.create(null))
    const last = list.at(-1)
    if (last === undefined) return undefined
    last[key] = value.replaceAll("''", "'")
  }
  return lists
}

async function readYaml(text: string): Promise<Lists> {
  const { parse } = await import('yaml')
  const document: unknown = parse(text)
  const lists: Lists = Object.create(null)
  if (typeof document !== 'object' || document === null) return lists
  for (const [name, list] of Object.entries(document)) {
    if (!Array.isArray(list)) continue
    lists[name] = list.map((item: unknown) => {
      const definition: Record<string, string> = Object.create(null)
      if (typeof item === 'object' && item !== null)
        for (const [key, value] of Object.entries(item)) definition[key] = String(value)
      return definition
    })
  }
  return lists
}
