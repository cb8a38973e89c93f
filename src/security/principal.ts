/** Who asks: a user, or an API key of one, with what they may do. */
import { builtinRoles } from './builtin-roles.ts'
import { type Grants, LimitedGrants, RoleGrants } from './grants.ts'
import type { Json, Role } from './role.ts'
import type { SecurityState, StoredApiKey, StoredUser } from './security-state.ts'

export interface Principal {
  readonly username: string
  /** Those that the record of the user names. */
  readonly roles: readonly string[]
  /** Those of them, and of the role mappings, that exist. */
  readonly effectiveRoles: readonly string[]
  readonly backendRoles: readonly string[]
  readonly fullName: string | null
  readonly email: string | null
  readonly metadata: Json
  readonly realm: { readonly name: string; readonly type: string }
  readonly apiKey: { readonly id: string; readonly name: string } | undefined
  readonly grants: Grants
}

/** The users that Elasticsearch and OpenSearch have from the start. */
export const reservedUsers: ReadonlySet<string> = new Set(['elastic'])

export function roleNamed(state: SecurityState, name: string): Role | undefined {
  return builtinRoles.get(name) ?? state.roles.get(name)
}

/** Roles of a user in order, with those that role mappings add. */
function assignedRoles(state: SecurityState, name: string, user: StoredUser): string[] {
  const all = new Set(user.roles)
  for (const [role, { users, backendRoles }] of state.mappings) {
    if (
      users.includes(name) ||
      users.includes('*') ||
      backendRoles.some((one) => user.backendRoles.includes(one))
    )
      all.add(role)
  }
  return [...all].sort()
}

export function rolesOf(state: SecurityState, names: readonly string[]): [name: string, role: Role][] {
  return names.flatMap((name) => {
    const role = roleNamed(state, name)
    return role === undefined ? [] : [[name, role] as [string, Role]]
  })
}

export function userPrincipal(state: SecurityState, name: string, user: StoredUser): Principal {
  const assigned = assignedRoles(state, name, user)
  const effective = rolesOf(state, assigned)
  const type = reservedUsers.has(name) ? 'reserved' : 'native'
  return {
    username: name,
    roles: assigned,
    effectiveRoles: effective.map(([role]) => role),
    backendRoles: user.backendRoles,
    fullName: user.fullName,
    email: user.email,
    metadata: reservedUsers.has(name) ? { _reserved: true } : user.metadata,
    realm: { name: type === 'native' ? 'default_native' : type, type },
    apiKey: undefined,
    grants: new RoleGrants(
      effective.map(([, role]) => role),
      name,
    ),
  }
}

export function apiKeyPrincipal(id: string, key: StoredApiKey): Principal {
  const { owner, name, descriptors, limitedBy } = key
  const limit = new RoleGrants(
    limitedBy.map(([, role]) => role),
    owner,
  )
  const own = new RoleGrants(
    descriptors.map(([, role]) => role),
    owner,
  )
  return {
    username: owner,
    roles: [],
    effectiveRoles: [],
    backendRoles: [],
    fullName: null,
    email: null,
    metadata: {},
    realm: { name: '_es_api_key', type: '_es_api_key' },
    apiKey: { id, name },
    grants: descriptors.length === 0 ? limit : new LimitedGrants(own, limit),
  }
}
