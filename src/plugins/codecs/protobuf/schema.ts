/** Message types of protocol buffers, whatever text they were described in. */
export type ScalarType =
  | 'double'
  | 'float'
  | 'int32'
  | 'int64'
  | 'uint32'
  | 'uint64'
  | 'sint32'
  | 'sint64'
  | 'fixed32'
  | 'fixed64'
  | 'sfixed32'
  | 'sfixed64'
  | 'bool'
  | 'string'
  | 'bytes'

export const scalarTypes: ReadonlySet<string> = new Set<ScalarType>([
  'double',
  'float',
  'int32',
  'int64',
  'uint32',
  'uint64',
  'sint32',
  'sint64',
  'fixed32',
  'fixed64',
  'sfixed32',
  'sfixed64',
  'bool',
  'string',
  'bytes',
])

export interface FieldDeclaration {
  readonly name: string
  readonly number: number
  /** A scalar, or the name of a message or enum, resolved from the scope of its message outwards. */
  readonly type: string
  readonly isRepeated: boolean
  /** Values of maps: `type` is that of the value. */
  readonly mapKey: ScalarType | undefined
  /** Name of the `oneof` it belongs to. */
  readonly oneof: string | undefined
  /** Whether a value that is absent reads as the default of its type. */
  readonly hasPresence: boolean
}

export interface MessageType {
  readonly kind: 'message'
  readonly name: string
  readonly fields: readonly FieldDeclaration[]
}

interface EnumType {
  readonly kind: 'enum'
  readonly name: string
  readonly values: ReadonlyMap<number, string>
}

export type NamedType = MessageType | EnumType

export class SchemaSet {
  readonly #types = new Map<string, NamedType>()

  add(type: NamedType): void {
    this.#types.set(type.name, type)
  }

  get(name: string): NamedType | undefined {
    return this.#types.get(name)
  }

  /** `a.b.C` as seen from inside `scope`, the innermost first; a leading dot is the whole name. */
  resolve(name: string, scope: string): NamedType | undefined {
    if (name.startsWith('.')) return this.#types.get(name.slice(1))
    for (let outer = scope; ; outer = outer.slice(0, Math.max(0, outer.lastIndexOf('.')))) {
      const found = this.#types.get(outer === '' ? name : `${outer}.${name}`)
      if (found !== undefined || outer === '') return found
    }
  }

  get size(): number {
    return this.#types.size
  }
}
