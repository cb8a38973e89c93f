/**
 * Serialises JSON as Elasticsearch does: numbers keep their spelling, integers all their digits, raw JSON (sources
 * of documents) is copied; `pretty` puts a space on both sides of the colon.
 */
import { utf8Text } from '../../text/utf8-text.ts'
import { JsonNumber, parseExactJson } from '../request/json-literals.ts'
import { type Notation, writtenText } from './value-writer.ts'

/** JSON text that is copied as it is. */
export class RawJson {
  /** The text as UTF-8, when it was given as bytes. */
  readonly bytes: Uint8Array | undefined
  #text: string | undefined

  constructor(content: string | Uint8Array) {
    if (typeof content === 'string') this.#text = content
    else this.bytes = content
  }

  get text(): string {
    this.#text ??= utf8Text(this.bytes!)
    return this.#text
  }

  static of(bytes: Uint8Array): RawJson {
    return new RawJson(utf8Text(bytes))
  }

  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

/** Members that are undefined are left out. */
export function writeJson(value: unknown, pretty = false): string {
  return writtenText(value, pretty ? prettyJson : plainJson)
}

/** Returns the container behind a value; undefined for scalars, including numbers with a spelling of their own. */
export function insideOf(value: object): object | undefined {
  if (value instanceof JsonNumber) return undefined
  if (!(value instanceof RawJson)) return value
  const parsed = parseExactJson(value.text)
  return typeof parsed === 'object' && parsed !== null ? (parsed as object) : undefined
}

/** Returns the text of a scalar; undefined for a container. */
function scalarText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'number':
      return Number.isFinite(value) ? String(value) : JSON.stringify(String(value))
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'object':
      if (value === null) return 'null'
      return value instanceof JsonNumber ? value.text : undefined
    default:
      return 'null'
  }
}

/** Names as they are written: those of hits come again and again. */
const nameTexts = new Map<string, string>()
const maxNameTexts = 1024
const maxNameLength = 64

function nameText(name: string): string {
  const known = nameTexts.get(name)
  if (known !== undefined) return known
  const text = JSON.stringify(name)
  if (name.length > maxNameLength) return text
  if (nameTexts.size === maxNameTexts) nameTexts.clear()
  nameTexts.set(name, text)
  return text
}

/** From this many bytes on, JSON that is written already is passed on as it is. */
const minWritten = 4096

function isLargeAndOwn(bytes: Uint8Array | undefined): boolean {
  return bytes !== undefined && bytes.length >= minWritten && bytes.buffer instanceof ArrayBuffer
}

export const plainJson: Notation = {
  head: '',
  tail: '',
  written: (value) => (value instanceof RawJson && isLargeAndOwn(value.bytes) ? value.bytes : undefined),
  scalar: (value) => (value instanceof RawJson ? value.text : scalarText(value)),
  inside: (value) => value,
  empty: (isList) => (isList ? '[]' : '{}'),
  indent: () => 0,
  begin: ({ names }) => (names === undefined ? '[' : '{'),
  member({ names, at }) {
    const comma = at === 0 ? '' : ','
    return names === undefined ? comma : `${comma}${nameText(names[at]!)}:`
  },
  end: ({ names }) => (names === undefined ? ']' : '}'),
}

export const prettyJson: Notation = {
  ...plainJson,
  tail: '\n',
  written: () => undefined,
  scalar: openedScalar,
  inside: (value) => insideOf(value)!,
  empty: (isList) => (isList ? '[ ]' : '{ }'),
  indent: (outer) => (outer?.indent ?? 0) + 2,
  member({ names, at, indent }) {
    const line = `${at === 0 ? '' : ','}\n${' '.repeat(indent)}`
    return names === undefined ? line : `${line}${nameText(names[at]!)} : `
  },
  end: ({ names, indent }) => `\n${' '.repeat(indent - 2)}${names === undefined ? ']' : '}'}`,
}

/** Like `scalarText`, for formats that parse raw JSON. */
export function openedScalar(value: unknown): string | undefined {
  if (!(value instanceof RawJson)) return scalarText(value)
  return /^\s*[[{]/.test(value.text) ? undefined : scalarText(parseExactJson(value.text))
}
