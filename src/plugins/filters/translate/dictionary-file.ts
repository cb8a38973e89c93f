/**
 * Reads a dictionary from a file, by the ending of its name: YAML, JSON, or CSV with key and value in its
 * first two columns. Keys are texts; values may be any structure.
 */
import { readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { parseJson } from '../../../event/json-parse.ts'
import { Timestamp } from '../../../event/timestamp.ts'
import {
  type Fields,
  fieldNames,
  float,
  integer,
  isFields,
  putField,
  readField,
  type Value,
} from '../../../event/value.ts'
import { compileRecord } from '../../csv/record.ts'
import { rubyText } from '../../ruby-values/text.ts'
import { readFlatYaml } from './flat-yaml.ts'

export type Dictionary = Map<string, Value>

/** A dictionary of this size is a mistake. */
const maxFileBytes = 512 * 1024 * 1024

type Reader = (text: string) => Dictionary | Promise<Dictionary>

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['.yml', readYaml],
  ['.yaml', readYaml],
  ['.json', readJson],
  ['.csv', readCsv],
])

export function hasKnownFormat(path: string): boolean {
  return readers.has(extname(path))
}

export async function readDictionary(path: string): Promise<Dictionary> {
  const { size } = await stat(path)
  if (size > maxFileBytes) throw new Error(`the file has ${size} bytes`)
  const text = await readFile(path, 'utf8')
  return readers.get(extname(path))!(text.startsWith('\ufeff') ? text.slice(1) : text)
}

export async function changeTime(path: string): Promise<number> {
  return (await stat(path)).mtimeMs
}

async function readYaml(text: string): Promise<Dictionary> {
  const flat = readFlatYaml(text)
  if (flat !== undefined) return flat
  const { parse } = await import('yaml')
  // Ruby reads YAML 1.1; whole numbers apart from floats, as 1.0 is not 1.
  const document: unknown = parse(text, {
    version: '1.1',
    intAsBigInt: true,
    mapAsMap: true,
    uniqueKeys: false,
    logLevel: 'silent',
  })
  if (document === null || document === undefined) return new Map()
  if (!(document instanceof Map)) throw new Error('the YAML is no map')
  const dictionary: Dictionary = new Map()
  for (const [key, value] of document) dictionary.set(keyText(key), fromYaml(value))
  return dictionary
}

function keyText(key: unknown): string {
  const value = fromYaml(key)
  return value === null ? '' : rubyText(value)
}

function fromYaml(value: unknown): Value {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'bigint':
      return integer(value)
    case 'number':
      return float(value)
    default:
      if (Array.isArray(value)) return value.map(fromYaml)
      if (value instanceof Date) return new Timestamp(value.getTime())
      return value instanceof Map ? fieldsFromYaml(value) : null
  }
}

function fieldsFromYaml(map: ReadonlyMap<unknown, unknown>): Fields {
  const fields: Fields = {}
  for (const [key, value] of map) putField(fields, keyText(key), fromYaml(value))
  return fields
}

function readJson(text: string): Dictionary {
  if (text === '') return new Map()
  const parsed = parseJson(text)
  if (!isFields(parsed)) throw new Error('the JSON is no object')
  return new Map(fieldNames(parsed).map((name) => [name, readField(parsed, name)!]))
}

function readCsv(text: string): Dictionary {
  const read = compileRecord(',', '"')
  const dictionary: Dictionary = new Map()
  for (const record of records(text)) {
    const fields = read(record)
    if (fields !== undefined && fields.length > 0) dictionary.set(fields[0] ?? '', fields[1] ?? null)
  }
  return dictionary
}

/** Lines, those joined that lie inside of quotes. */
function* records(text: string): Generator<string> {
  let pending = ''
  for (const piece of text.split('\n')) {
    const line = piece.endsWith('\r') ? piece.slice(0, -1) : piece
    pending = pending === '' ? line : `${pending}\n${line}`
    if (pending.includes('"') && (pending.split('"').length - 1) % 2 === 1) continue
    if (pending !== '') yield pending
    pending = ''
  }
  if (pending !== '') yield pending
}
