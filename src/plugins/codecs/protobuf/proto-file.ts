/**
 * `.proto` files, versions 2 and 3: packages, messages, enums, maps, oneofs. Options, services and extensions are
 * passed over; files that are imported are looked for in the given folders.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOnce } from './read-once.ts'
import { type FieldDeclaration, type ScalarType, type SchemaSet, scalarTypes } from './schema.ts'

const token = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[\w.]+|[^\w\s])/y
const maxDepth = 50

export function readProtoFile(path: string, folders: readonly string[], set: SchemaSet): void {
  readOnce(path, (file, read) => {
    new Reader(readFileSync(file, 'utf8'), set, (name) => {
      const found = folders.map((folder) => join(folder, name)).find((one) => existsSync(one))
      if (found !== undefined) read(found)
    }).file()
  })
}

class Reader {
  readonly #tokens: string[] = []
  readonly #set: SchemaSet
  readonly #open: (name: string) => void
  #at = 0
  #package = ''
  #isProto3 = false

  constructor(text: string, set: SchemaSet, open: (name: string) => void) {
    this.#set = set
    this.#open = open
    token.lastIndex = 0
    while (token.lastIndex < text.length) {
      const found = token.exec(text)
      if (found === null) throw new Error('the .proto file cannot be read')
      if (found[1] !== undefined) this.#tokens.push(found[1])
    }
  }

  file(): void {
    while (this.#at < this.#tokens.length) {
      const word = this.#next()
      if (word === 'syntax') {
        this.#expect('=')
        this.#isProto3 = unquoted(this.#next()) === 'proto3'
        this.#expect(';')
      } else if (word === 'package') {
        this.#package = this.#next()
        this.#expect(';')
      } else if (word === 'import') {
        const name = this.#next()
        this.#open(unquoted(name === 'public' || name === 'weak' ? this.#next() : name))
        this.#expect(';')
      } else if (word === 'message') this.#message(this.#package, 0)
      else if (word === 'enum') this.#enum(this.#package)
      else if (word !== ';') this.#skip()
    }
  }

  #next(): string {
    const found = this.#tokens[this.#at++]
    if (found === undefined) throw new Error('the .proto file ends too early')
    return found
  }

  #expect(text: string): void {
    const found = this.#next()
    if (found !== text) throw new Error(`the .proto file has ${found} where ${text} should be`)
  }

  /** A statement, to its semicolon or to the end of its block. */
  #skip(): void {
    for (let depth = 0; ; ) {
      const word = this.#next()
      if (word === '{') depth += 1
      else if (word === '}') depth -= 1
      if ((word === ';' || word === '}') && depth <= 0) return
    }
  }

  #message(scope: string, depth: number): void {
    if (depth > maxDepth) throw new Error('messages are nested too deep')
    const name = within(scope, this.#next())
    const fields: FieldDeclaration[] = []
    this.#expect('{')
    this.#body(name, fields, undefined, depth)
    this.#set.add({ kind: 'message', name, fields })
  }

  #body(name: string, fields: FieldDeclaration[], oneof: string | undefined, depth: number): void {
    for (;;) {
      const word = this.#next()
      if (word === '}') return
      if (word === ';') continue
      if (word === 'message') this.#message(name, depth + 1)
      else if (word === 'enum') this.#enum(name)
      else if (word === 'oneof') {
        const group = this.#next()
        this.#expect('{')
        this.#body(name, fields, group, depth + 1)
      } else if (['option', 'reserved', 'extensions', 'extend'].includes(word)) this.#skip()
      else this.#field(word, fields, oneof)
    }
  }

  #field(first: string, fields: FieldDeclaration[], oneof: string | undefined): void {
    const isLabel = ['optional', 'required', 'repeated'].includes(first)
    let type = isLabel ? this.#next() : first
    // A name that begins with a dot comes in two pieces.
    if (type === '.') type += this.#next()
    let mapKey: ScalarType | undefined
    if (type === 'map') {
      this.#expect('<')
      mapKey = this.#next() as ScalarType
      this.#expect(',')
      type = this.#next()
      this.#expect('>')
    }
    if (type === 'group') throw new Error('groups are not supported')
    const name = this.#next()
    this.#expect('=')
    const number = Number(this.#next())
    const isRepeated = first === 'repeated'
    const hasPresence = oneof !== undefined || isLabel || !this.#isProto3
    fields.push({ name, number, type, isRepeated, mapKey, oneof, hasPresence: hasPresence && !isRepeated })
    this.#skip()
  }

  #enum(scope: string): void {
    const name = within(scope, this.#next())
    const values = new Map<number, string>()
    this.#expect('{')
    for (let word = this.#next(); word !== '}'; word = this.#next()) {
      if (word === ';') continue
      if (word === 'option' || word === 'reserved') {
        this.#skip()
        continue
      }
      this.#expect('=')
      const sign = this.#next()
      const number = sign === '-' ? -Number(this.#next()) : Number(sign)
      if (!values.has(number)) values.set(number, word)
      this.#skip()
    }
    this.#set.add({ kind: 'enum', name, values })
  }
}

function within(scope: string, name: string): string {
  return scope === '' ? name : `${scope}.${name}`
}

function unquoted(text: string): string {
  return text.slice(1, -1)
}

export function isScalar(type: string): type is ScalarType {
  return scalarTypes.has(type)
}
