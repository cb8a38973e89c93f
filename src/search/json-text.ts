/**
 * Writing JSON as Elasticsearch does: numbers keep their spelling, integers all their digits, texts that are JSON
 * already (sources of documents) go in as they are; `pretty` has a space on both sides of the colon.
 */
import { JsonNumber, parseExactJson } from './mapping/json-literals.ts'

/** A piece of JSON that is written as it stands. */
export class RawJson {
  /** UTF-8, of what was written as bytes. */
  readonly bytes: Uint8Array | undefined
  #text: string | undefined

  constructor(content: string | Uint8Array) {
    if (typeof content === 'string') this.#text = content
    else this.bytes = content
  }

  get text(): string {
    this.#text ??= utf8(this.bytes!)
    return this.#text
  }

  static of(bytes: Uint8Array): RawJson {
    return new RawJson(utf8(bytes))
  }

  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

function utf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

/** Members that are undefined are left out. */
export function writeJson(value: unknown, pretty = false): string {
  return pretty ? `${prettyText(value, '')}\n` : plainText(value)
}

function scalarText(value: unknown): string | undefined {
  if (value instanceof JsonNumber) return value.text
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'number':
      return Number.isFinite(value) ? String(value) : JSON.stringify(String(value))
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'object':
      return value === null ? 'null' : undefined
    default:
      return 'null'
  }
}

function plainText(value: unknown): string {
  if (value instanceof RawJson) return value.text
  const scalar = scalarText(value)
  if (scalar !== undefined) return scalar
  if (Array.isArray(value)) return `[${value.map(plainText).join(',')}]`
  let text = ''
  for (const [name, member] of membersOf(value as object)) {
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${plainText(member)}`
  }
  return `{${text}}`
}

function prettyText(value: unknown, indent: string): string {
  if (value instanceof RawJson) return prettyText(parseExactJson(value.text), indent)
  const scalar = scalarText(value)
  if (scalar !== undefined) return scalar
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    if (value.length === 0) return '[ ]'
    return `[\n${value.map((item) => inner + prettyText(item, inner)).join(',\n')}\n${indent}]`
  }
  const members = membersOf(value as object)
  if (members.length === 0) return '{ }'
  const lines = members.map(
    ([name, member]) => `${inner}${JSON.stringify(name)} : ${prettyText(member, inner)}`,
  )
  return `{\n${lines.join(',\n')}\n${indent}}`
}

function membersOf(value: object): [string, unknown][] {
  const members = value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(value)
  return members.filter(([, member]) => member !== undefined)
}

/** The same value without pieces that cannot be looked into: for whoever filters or transforms it. */
export function plainValues(value: unknown): unknown {
  if (value instanceof RawJson) return plainValues(parseExactJson(value.text))
  if (value instanceof JsonNumber) return value.isInteger ? BigInt(value.text) : value.value
  if (Array.isArray(value)) return value.map(plainValues)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(membersOf(value).map(([name, member]) => [name, plainValues(member)]))
}
