/**
 * Everything that is known about users, roles, API keys and role mappings, and its form as JSON. Maps are written as
 * lists of pairs, so that any name is plain data. States are values: a change makes a new one.
 */
import { isJson, type Json, type Role } from './role.ts'

export interface StoredUser {
  /** Null: nobody can log in with a password. */
  readonly password: string | null
  readonly roles: readonly string[]
  readonly backendRoles: readonly string[]
  readonly fullName: string | null
  readonly email: string | null
  readonly metadata: Json
  readonly enabled: boolean
}

export interface StoredApiKey {
  readonly name: string
  readonly hash: string
  readonly owner: string
  readonly descriptors: readonly (readonly [name: string, role: Role])[]
  /** The roles of the owner when the key was made. */
  readonly limitedBy: readonly (readonly [name: string, role: Role])[]
  readonly metadata: Json
  readonly creation: number
  readonly expiration: number | null
  readonly invalidation: number | null
}

export interface StoredMapping {
  readonly users: readonly string[]
  readonly backendRoles: readonly string[]
  readonly hosts: readonly string[]
  readonly description: string | null
}

export interface SecurityState {
  readonly users: ReadonlyMap<string, StoredUser>
  readonly roles: ReadonlyMap<string, Role>
  readonly apiKeys: ReadonlyMap<string, StoredApiKey>
  /** OpenSearch's role mappings: by role, who has it besides those whose record says so. */
  readonly mappings: ReadonlyMap<string, StoredMapping>
}

export const emptyState: SecurityState = {
  users: new Map(),
  roles: new Map(),
  apiKeys: new Map(),
  mappings: new Map(),
}

export function stateToJson(state: SecurityState): string {
  return JSON.stringify({
    users: [...state.users],
    roles: [...state.roles],
    apiKeys: [...state.apiKeys],
    mappings: [...state.mappings],
  })
}

/** Throws when the text is no such state. */
export function stateFromJson(text: string): SecurityState {
  const json: unknown = JSON.parse(text)
  if (!isJson(json)) throw new Error('it holds no object')
  return {
    users: pairs<StoredUser>(json['users']),
    roles: pairs<Role>(json['roles']),
    apiKeys: pairs<StoredApiKey>(json['apiKeys']),
    mappings: pairs<StoredMapping>(json['mappings']),
  }
}

function pairs<Value>(value: unknown): ReadonlyMap<string, Value> {
  const isList =
    Array.isArray(value) &&
    value.every((one) => Array.isArray(one) && typeof one[0] === 'string' && isJson(one[1]))
  if (!isList) throw new Error('a list of pairs is missing')
  return new Map(value as [string, Value][])
}

export function withEntry<Value>(
  map: ReadonlyMap<string, Value>,
  name: string,
  value: Value | undefined,
): ReadonlyMap<string, Value> {
  const copy = new Map(map)
  if (value === undefined) copy.delete(name)
  else copy.set(name, value)
  return copy
}
