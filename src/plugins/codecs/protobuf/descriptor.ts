/** A serialised FileDescriptorProto, which describes a `.proto` file in the format it describes. */
import type { FieldDeclaration, ScalarType, SchemaSet } from './schema.ts'
import { readWire, type WireField } from './wire.ts'

/** Names of types by the numbers of FieldDescriptorProto.Type; 11 is a message, 14 an enum. */
const types: readonly string[] = [
  '',
  'double',
  'float',
  'int64',
  'uint64',
  'int32',
  'fixed64',
  'fixed32',
  'bool',
  'string',
  'group',
  'message',
  'bytes',
  'uint32',
  'enum',
  'sfixed32',
  'sfixed64',
  'sint32',
  'sint64',
]
const repeated = 3n
const maxDepth = 50

const all = (bytes: Buffer): WireField[] => [...readWire(bytes)]
const textOf = (fields: readonly WireField[], number: number) =>
  fields.find((field) => field.number === number)?.bytes.toString('utf8') ?? ''
const numberOf = (fields: readonly WireField[], number: number) =>
  fields.find((field) => field.number === number)?.value

export function readDescriptor(bytes: Buffer, set: SchemaSet): void {
  const file = all(bytes)
  const scope = textOf(file, 2)
  const isProto3 = textOf(file, 12) === 'proto3'
  for (const { number, bytes: part } of file) {
    if (number === 4) readMessage(part, scope, isProto3, set, 0)
    else if (number === 5) readEnum(part, scope, set)
  }
}

const nameIn = (scope: string, parts: readonly WireField[]): string =>
  scope === '' ? textOf(parts, 1) : `${scope}.${textOf(parts, 1)}`

function readMessage(bytes: Buffer, scope: string, isProto3: boolean, set: SchemaSet, depth: number): void {
  if (depth > maxDepth) throw new Error('messages are nested too deep')
  const parts = all(bytes)
  const name = nameIn(scope, parts)
  /** Entries of maps are messages of their own here: key 1 and value 2. */
  const entries = new Map<string, Buffer>()
  for (const { number, bytes: part } of parts) {
    if (number !== 3) continue
    const nested = all(part)
    const options = nested.find((one) => one.number === 7)
    const isEntry = options !== undefined && numberOf(all(options.bytes), 7) === 1n
    if (isEntry) entries.set(`.${name}.${textOf(nested, 1)}`, part)
    else readMessage(part, name, isProto3, set, depth + 1)
  }
  const oneofs = parts.filter(({ number }) => number === 8).map(({ bytes: part }) => textOf(all(part), 1))
  for (const { number, bytes: part } of parts) if (number === 4) readEnum(part, name, set)
  const fields = parts
    .filter(({ number }) => number === 2)
    .map(({ bytes: part }) => field(all(part), oneofs, entries, isProto3))
  set.add({ kind: 'message', name, fields })
}

function field(
  parts: readonly WireField[],
  oneofs: readonly string[],
  entries: ReadonlyMap<string, Buffer>,
  isProto3: boolean,
): FieldDeclaration {
  const isRepeated = numberOf(parts, 4) === repeated
  const entry = entries.get(textOf(parts, 6))
  const group = numberOf(parts, 9)
  const isOptional = numberOf(parts, 17) === 1n
  const own = {
    name: textOf(parts, 1),
    number: Number(numberOf(parts, 3) ?? 0n),
    oneof: group === undefined || isOptional ? undefined : oneofs[Number(group)],
    hasPresence: !isRepeated && (!isProto3 || group !== undefined || isOptional),
  }
  if (entry === undefined) return { ...own, type: typeOf(parts), isRepeated, mapKey: undefined }
  const members = all(entry)
    .filter(({ number }) => number === 2)
    .map(({ bytes }) => all(bytes))
  const [key = [], value = []] = [1n, 2n].map((number) => members.find((one) => numberOf(one, 3) === number))
  return { ...own, type: typeOf(value), isRepeated: false, mapKey: typeOf(key) as ScalarType }
}

function typeOf(parts: readonly WireField[]): string {
  const type = types[Number(numberOf(parts, 5) ?? 0n)] ?? ''
  return type === 'message' || type === 'enum' ? textOf(parts, 6) : type
}

function readEnum(bytes: Buffer, scope: string, set: SchemaSet): void {
  const parts = all(bytes)
  const name = nameIn(scope, parts)
  const values = new Map<number, string>()
  for (const { number, bytes: part } of parts) {
    if (number !== 2) continue
    const value = all(part)
    const code = Number(BigInt.asIntN(32, numberOf(value, 2) ?? 0n))
    if (!values.has(code)) values.set(code, textOf(value, 1))
  }
  set.add({ kind: 'enum', name, values })
}
