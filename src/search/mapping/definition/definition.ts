/**
 * A mapping as immutable data: the tree of objects, fields and aliases under their simple names. A merge gives a new
 * tree that shares unchanged subtrees.
 */
export type Dynamic = 'true' | 'false' | 'strict' | 'runtime' | 'strict_allow_templates'

export interface ObjectDefinition {
  readonly kind: 'object'
  readonly isNested: boolean
  readonly enabled: boolean
  /** Undefined when it is inherited from the parent object. */
  readonly dynamic: Dynamic | undefined
  readonly includeInParent: boolean
  readonly includeInRoot: boolean
  readonly children: ReadonlyMap<string, Definition>
}

export interface FieldDefinition {
  readonly kind: 'field'
  readonly type: string
  /** Parameters that differ from their default. */
  readonly values: ReadonlyMap<string, unknown>
  /** Multi-fields. */
  readonly fields: ReadonlyMap<string, FieldDefinition>
  readonly copyTo: readonly string[]
}

export interface AliasDefinition {
  readonly kind: 'alias'
  readonly path: string
}

export type Definition = ObjectDefinition | FieldDefinition | AliasDefinition

export const emptyObject: ObjectDefinition = {
  kind: 'object',
  isNested: false,
  enabled: true,
  dynamic: undefined,
  includeInParent: false,
  includeInRoot: false,
  children: new Map(),
}

export function joinPath(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`
}
