/**
 * The Ruby files that protoc makes, which is what Logstash's configurations name: up to version 3.22 a list of calls
 * (`add_message "A" do optional :b, :string, 1 …`), later a descriptor in binary inside a string. And the files of
 * ruby-protoc for version 2 (`class A < ::ProtocolBuffers::Message … optional :string, :b, 1`).
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDescriptor } from './descriptor.ts'
import { readOnce } from './read-once.ts'
import type { FieldDeclaration, ScalarType, SchemaSet } from './schema.ts'

export function readRubyFile(path: string, folders: readonly string[], set: SchemaSet): void {
  readOnce(path, (one, read) => readOne(one, folders, set, read))
}

function readOne(
  path: string,
  folders: readonly string[],
  set: SchemaSet,
  read: (path: string) => void,
): void {
  const text = readFileSync(path, 'utf8')
  for (const [, name = ''] of text.matchAll(/^\s*require(?:_relative)?\s+['"]([^'"]+)['"]/gm)) {
    const file = folders
      .flatMap((folder) => [join(folder, name), join(folder, `${name}.rb`)])
      .find((one) => one.endsWith('.rb') && existsSync(one))
    if (file !== undefined) read(file)
  }
  const binary = /descriptor_data\s*=\s*"((?:[^"\\]|\\[\s\S])*)"/.exec(text)?.[1]
  if (binary !== undefined) readDescriptor(rubyBytes(binary), set)
  else if (text.includes('ProtocolBuffers::')) readVersion2(text, set)
  else readCalls(text, set)
}

const escapes: Readonly<Record<string, number>> = {
  n: 10,
  r: 13,
  t: 9,
  e: 27,
  s: 32,
  a: 7,
  b: 8,
  f: 12,
  v: 11,
  '0': 0,
}

/** A double-quoted string of Ruby as bytes. */
function rubyBytes(text: string): Buffer {
  const parts: Buffer[] = []
  const piece = /\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|u\{?([0-9a-fA-F]+)\}?|([\s\S]))|[^\\]+/g
  for (const [whole, hex, octal, unicode, one] of text.matchAll(piece)) {
    if (hex !== undefined) parts.push(Buffer.from([Number.parseInt(hex, 16)]))
    else if (octal !== undefined) parts.push(Buffer.from([Number.parseInt(octal, 8) & 0xff]))
    else if (unicode !== undefined)
      parts.push(Buffer.from(String.fromCodePoint(Number.parseInt(unicode, 16))))
    else if (one !== undefined)
      parts.push(escapes[one] === undefined ? Buffer.from(one) : Buffer.from([escapes[one]]))
    else parts.push(Buffer.from(whole))
  }
  return Buffer.concat(parts)
}

/** A line each; messages and enums carry their whole names. */
function readCalls(text: string, set: SchemaSet): void {
  let fields: FieldDeclaration[] | undefined
  let values: Map<number, string> | undefined
  let oneof: string | undefined
  for (const line of text.split('\n')) {
    const message = /add_message "([^"]*)"/.exec(line)?.[1]
    const enumName = /add_enum "([^"]*)"/.exec(line)?.[1]
    if (message !== undefined) {
      fields = []
      values = undefined
      oneof = undefined
      set.add({ kind: 'message', name: message, fields })
      continue
    }
    if (enumName !== undefined) {
      values = new Map()
      fields = undefined
      set.add({ kind: 'enum', name: enumName, values })
      continue
    }
    const value = /^\s*value :(\w+), (-?\d+)/.exec(line)
    if (value !== null) values?.set(Number(value[2]), value[1]!)
    const group = /^\s*oneof :(\w+) do/.exec(line)?.[1]
    if (group !== undefined) oneof = group
    else if (/^\s*end\b/.test(line)) oneof = undefined
    const field = /^\s*(optional|required|repeated|proto3_optional|map) :(\w+), (.*)$/.exec(line)
    if (field !== null && fields !== undefined)
      fields.push(declaration(field[1]!, field[2]!, field[3]!, oneof))
  }
}

/** `:string, 3`, `:message, 3, "A.B"`, or for maps `:string, :int32, 3`. */
function declaration(label: string, name: string, rest: string, oneof: string | undefined): FieldDeclaration {
  const words = [...rest.matchAll(/:(\w+)|(-?\d+)|"([^"]*)"/g)]
  const symbols = words.flatMap(([, symbol]) => (symbol === undefined ? [] : [symbol]))
  const number = Number(words.find(([, , digits]) => digits !== undefined)?.[2])
  const named = words.find(([, , , text]) => text !== undefined)?.[3]
  const isMap = label === 'map'
  const type = symbols[isMap ? 1 : 0] ?? ''
  const isRepeated = label === 'repeated'
  return {
    name,
    number,
    type: type === 'message' || type === 'enum' ? `.${named ?? ''}` : type,
    isRepeated,
    mapKey: isMap ? (symbols[0] as ScalarType) : undefined,
    oneof,
    hasPresence: oneof !== undefined || label === 'required' || label === 'proto3_optional',
  }
}

/** Modules and classes nest; enums are modules of constants. */
function readVersion2(text: string, set: SchemaSet): void {
  const stack: {
    name: string
    fields: FieldDeclaration[] | undefined
    values: Map<number, string> | undefined
  }[] = []
  const nameOf = () => stack.map(({ name }) => name).join('.')
  for (const line of text.split('\n')) {
    const opened = /^\s*(module|class) ([\w:]+)(?: < (\S+))?/.exec(line)
    const isForward = opened !== null && /;\s*end\s*$/.test(line)
    if (opened !== null && !isForward) {
      const [, kind = '', name = '', parent = ''] = opened
      const isMessage = kind === 'class' && parent.includes('Message')
      const isEnum = parent.includes('Enum') || kind === 'module'
      stack.push({
        name: name.replaceAll('::', '.'),
        fields: isMessage ? [] : undefined,
        values: isEnum ? new Map() : undefined,
      })
      continue
    }
    const top = stack.at(-1)
    const field = /^\s*(optional|required|repeated) (:\w+|[\w:]+), :(\w+), (\d+)/.exec(line)
    const constant = /^\s*([A-Z]\w*) = (-?\d+)\s*$/.exec(line)
    if (field !== null) {
      const [, label, type = '', name = '', number] = field
      top?.fields?.push({
        name,
        number: Number(number),
        type:
          /^:\w/.test(type) && !type.startsWith('::')
            ? type.slice(1)
            : `.${type.replace(/^::/, '').replaceAll('::', '.')}`,
        isRepeated: label === 'repeated',
        mapKey: undefined,
        oneof: undefined,
        hasPresence: label !== 'repeated',
      })
    } else if (constant !== null) top?.values?.set(Number(constant[2]), constant[1]!)
    else if (/^\s*end\s*$/.test(line) && top !== undefined) {
      const name = nameOf()
      if (top.fields !== undefined) set.add({ kind: 'message', name, fields: top.fields })
      else if (top.values !== undefined && top.values.size > 0)
        set.add({ kind: 'enum', name, values: top.values })
      stack.pop()
    }
  }
}
