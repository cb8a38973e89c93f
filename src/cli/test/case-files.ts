/**
 * Files of test cases: YAML or JSON, in the forms of Logstash Filter Verifier. An object with `testcases`, or with `input`
 * and `expected` at its top as in its first versions; `fields` for all events, `ignore` for fields that are not
 * compared, `codec` of the lines. Since its version 2 also `input_plugin`, `export_metadata`, `export_outputs` and
 * `fields` of a case. Ours are `config`, the configuration to test, and `partial`, of a file or a case: fields that are not
 * named may differ.
 */
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseFieldReference } from '../../event/field-reference.ts'
import { parseJson } from '../../event/json-parse.ts'
import { writePath } from '../../event/path-access.ts'
import { type Fields, isFields, type Value } from '../../event/value.ts'
import { SettingsError } from '../../settings/errors.ts'

export interface TestCase {
  readonly name: string
  readonly input: readonly Value[]
  readonly expected: readonly Fields[]
  readonly fields: Fields
  readonly isPartial: boolean
}

export interface CaseFile {
  readonly path: string
  /** Absolute. */
  readonly config: string | undefined
  readonly codec: string
  readonly inputPlugin: string | undefined
  readonly ignore: readonly string[]
  readonly exportsMetadata: boolean
  readonly exportsOutputs: boolean
  readonly cases: readonly TestCase[]
}

const ending = /\.(?:ya?ml|json)$/i
const maxFileBytes = 16 * 1024 * 1024

/** Files of cases at a path; of a folder all below it that hold cases. */
export async function findCaseFiles(path: string): Promise<CaseFile[]> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw new SettingsError(`there is no file or folder ${path}`)
  if (!found.isDirectory()) {
    const file = await readCaseFile(path)
    if (file === undefined) throw new SettingsError(`${path} holds no test cases`)
    return [file]
  }
  const names = (await readdir(path, { recursive: true })).filter((name) => ending.test(name)).sort()
  const files = await Promise.all(names.map((name) => readCaseFile(join(path, name))))
  return files.filter((file) => file !== undefined)
}

/** Undefined for a file that is something else. */
async function readCaseFile(path: string): Promise<CaseFile | undefined> {
  if ((await stat(path)).size > maxFileBytes) throw new SettingsError(`${path} is larger than 16 MB`)
  const text = await readFile(path, 'utf8')
  let value: unknown
  try {
    value = path.toLowerCase().endsWith('.json') ? parseJson(text) : await parseYaml(text)
  } catch (error) {
    throw new SettingsError(`${path}: ${(error as Error).message}`)
  }
  if (!isFields(value) || (!Array.isArray(value['testcases']) && !Array.isArray(value['input'])))
    return undefined
  return caseFileOf(value, path)
}

async function parseYaml(text: string): Promise<unknown> {
  const { parse } = await import('yaml')
  return parse(text, { maxAliasCount: 100 })
}

function caseFileOf(value: Fields, path: string): CaseFile {
  const problem = (what: string): never => {
    throw new SettingsError(`${path}: ${what}`)
  }
  const text = (name: string) => {
    const given = value[name]
    if (given === undefined || given === null) return undefined
    return typeof given === 'string' ? given : problem(`\`${name}\` must be a text`)
  }
  const list = (of: Fields, name: string): Value[] => {
    const given = of[name]
    if (given === undefined || given === null) return []
    return Array.isArray(given) ? given : problem(`\`${name}\` must be a list`)
  }
  const fields = fieldsOf(value['fields'])
  const cases = value['testcases'] === undefined ? [value] : list(value, 'testcases')
  const config = text('config')
  return {
    path,
    config: config === undefined ? undefined : resolve(dirname(path), config),
    codec: text('codec') ?? 'line',
    inputPlugin: text('input_plugin'),
    ignore: list(value, 'ignore').map(String),
    exportsMetadata: value['export_metadata'] === true,
    exportsOutputs: value['export_outputs'] === true,
    cases: cases.map((one, index) => {
      if (!isFields(one)) return problem(`case ${index + 1} must be an object`)
      const { description } = one
      return {
        name: typeof description === 'string' && description !== '' ? description : `case ${index + 1}`,
        input: list(one, 'input'),
        expected: list(one, 'expected').map((event) =>
          isFields(event) ? event : problem('`expected` must be a list of objects'),
        ),
        fields: { ...fields, ...(one === value ? {} : fieldsOf(one['fields'])) },
        isPartial: (one['partial'] ?? value['partial']) === true,
      }
    }),
  }
}

/** Names may be field references: `[log][file]` is a field of a field. */
export function fieldsOf(value: Value | undefined): Fields {
  const fields: Fields = {}
  if (isFields(value))
    for (const [name, item] of Object.entries(value))
      if (item !== undefined) writePath(fields, pathOf(name), item)
  return fields
}

export function pathOf(name: string): readonly string[] {
  if (!name.startsWith('[')) return [name]
  const { metadata, path } = parseFieldReference(name)
  return metadata ? ['@metadata', ...path] : path
}
