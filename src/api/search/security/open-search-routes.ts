/** The REST API of OpenSearch's security plugin, over the same users and roles. */
import { isObject, type JsonObject, own } from '../../../search/request/json-object.ts'
import { builtinRoles } from '../../../security/builtin-roles.ts'
import { verifyPassword } from '../../../security/password-hash.ts'
import { reservedUsers } from '../../../security/principal.ts'
import { type IndexGrant, parseRole, type Role } from '../../../security/role.ts'
import { newUser } from '../../../security/security.ts'
import { type StoredMapping, type StoredUser, withEntry } from '../../../security/security-state.ts'
import type { Call } from '../call.ts'
import type { Answer, Handle, Route } from '../route.ts'
import { healthAnswer } from './health-answer.ts'
import {
  principalOf,
  putEntry,
  removeEntry,
  securityOf,
  securityRoute,
  textMember,
  textsMember,
} from './security-route.ts'

function message(status: number, word: string, text: string): Answer {
  return { status, body: { status: word, message: text } }
}

const missing = (name: string) => message(404, 'NOT_FOUND', `Resource '${name}' not found.`)
const reserved = (name: string) => message(403, 'FORBIDDEN', `Resource '${name}' is reserved.`)
const stored = (name: string, isNew: boolean) =>
  isNew ? message(201, 'CREATED', `'${name}' created.`) : message(200, 'OK', `'${name}' updated.`)

function account(call: Call): Answer {
  const { username, backendRoles, effectiveRoles, realm } = principalOf(call)
  return {
    body: {
      user_name: username,
      is_reserved: realm.type === 'reserved',
      is_hidden: false,
      is_internal_user: true,
      user_requested_tenant: null,
      backend_roles: backendRoles,
      custom_attribute_names: [],
      tenants: { [username]: true },
      roles: effectiveRoles,
    },
  }
}

async function changeOwnPassword(call: Call): Promise<Answer> {
  const { username, apiKey } = principalOf(call)
  const body = call.body.required
  const password = textMember(body, 'password') ?? ''
  const user = securityOf(call).state.users.get(username)
  const isRight =
    apiKey === undefined &&
    typeof user?.password === 'string' &&
    (await verifyPassword(textMember(body, 'current_password') ?? '', user.password))
  if (!isRight) return message(400, 'BAD_REQUEST', 'Could not validate your current password.')
  if (password.length < 6) return message(400, 'error', 'Password is too short.')
  const hash = await securityOf(call).hash(password)
  await securityOf(call).change((state) => {
    const known = state.users.get(username)
    return known && { ...state, users: withEntry(state.users, username, { ...known, password: hash }) }
  })
  call.access?.noteChange(`change_password ${username}`)
  return stored(username, false)
}

function authInfo(call: Call): Answer {
  const { username, backendRoles, effectiveRoles } = principalOf(call)
  return {
    body: {
      user: `User [name=${username}, backend_roles=[${backendRoles.join(', ')}], requestedTenant=null]`,
      user_name: username,
      user_requested_tenant: null,
      remote_address: null,
      backend_roles: backendRoles,
      custom_attribute_names: [],
      roles: effectiveRoles,
      tenants: { [username]: true },
      principal: null,
      peer_certificates: '0',
      sso_logout_url: null,
    },
  }
}

function shownUser(name: string, user: StoredUser): JsonObject {
  return {
    hash: '',
    reserved: reservedUsers.has(name),
    hidden: false,
    backend_roles: user.backendRoles,
    attributes: user.metadata,
    opendistro_security_roles: user.roles,
    static: false,
  }
}

function shownRole(role: Role): JsonObject {
  return {
    reserved: role.metadata['_reserved'] === true,
    hidden: false,
    ...(role.description !== undefined && { description: role.description }),
    cluster_permissions: role.cluster,
    index_permissions: role.indices.map(({ names, privileges }) => ({
      index_patterns: names,
      dls: '',
      fls: [],
      masked_fields: [],
      allowed_actions: privileges,
    })),
    tenant_permissions: [],
    static: role.metadata['_reserved'] === true,
  }
}

function shownMapping({ users, backendRoles, hosts, description }: StoredMapping): JsonObject {
  return {
    hosts,
    users,
    reserved: false,
    hidden: false,
    backend_roles: backendRoles,
    and_backend_roles: [],
    ...(description !== null && { description }),
  }
}

/** Gets one resource by name, or all of them. */
function looking<Value>(
  all: (call: Call) => ReadonlyMap<string, Value>,
  show: (name: string, value: Value) => JsonObject,
): Handle {
  return (call) => {
    const values = all(call)
    const name = call.parts['name']
    const found = name === undefined ? [...values] : [...values].filter(([one]) => one === name)
    if (name !== undefined && found.length === 0) return missing(name)
    return { body: new Map(found.map(([one, value]) => [one, show(one, value)])) }
  }
}

async function putUser(call: Call): Promise<Answer> {
  const name = call.part('name')
  if (reservedUsers.has(name)) return reserved(name)
  const body = call.body.required
  const password = textMember(body, 'password')
  if (own(body, 'hash') !== undefined)
    return message(400, 'error', 'Hashes of other programs cannot be checked here: give the password.')
  if (password !== undefined && password.length < 6) return message(400, 'error', 'Password is too short.')
  const hash = password === undefined ? undefined : await securityOf(call).hash(password)
  const attributes = own(body, 'attributes')
  let isNew = false
  let isRefused = false
  await securityOf(call).change((state) => {
    const known = state.users.get(name)
    isNew = known === undefined
    isRefused = isNew && hash === undefined
    if (isRefused) return undefined
    const user: StoredUser = {
      ...(known ?? newUser(null, [])),
      ...(hash !== undefined && { password: hash }),
      roles: textsMember(body, 'opendistro_security_roles') ?? [],
      backendRoles: textsMember(body, 'backend_roles') ?? [],
      metadata: isObject(attributes) ? attributes : {},
    }
    return { ...state, users: withEntry(state.users, name, user) }
  })
  if (isRefused)
    return message(
      400,
      'error',
      `Please specify either 'hash' or 'password' when creating a new internal user.`,
    )
  call.access?.noteChange(`put_user ${name}`)
  return stored(name, isNew)
}

function deleted(name: string, isThere: boolean): Answer {
  return isThere ? message(200, 'OK', `'${name}' deleted.`) : missing(name)
}

async function deleteUser(call: Call): Promise<Answer> {
  const name = call.part('name')
  if (reservedUsers.has(name)) return reserved(name)
  return deleted(name, await removeEntry(call, 'users', name, 'delete_user'))
}

function roleOf(name: string, body: JsonObject): Role {
  const permissions = own(body, 'index_permissions')
  const indices = (Array.isArray(permissions) ? permissions : []).filter(isObject).map((one) => {
    const grant: Record<string, unknown> = {
      names: textsMember(one, 'index_patterns') ?? [],
      privileges: textsMember(one, 'allowed_actions') ?? [],
      query: own(one, 'dls'),
    }
    const isFiltered = [own(one, 'fls'), own(one, 'masked_fields')].some(
      (value) => Array.isArray(value) && value.length > 0,
    )
    if (isFiltered) grant['field_security'] = { grant: own(one, 'fls') }
    return grant as unknown as IndexGrant
  })
  return parseRole(name, {
    cluster: textsMember(body, 'cluster_permissions') ?? [],
    indices,
    ...(typeof own(body, 'description') === 'string' && { description: own(body, 'description') }),
  })
}

async function putRole(call: Call): Promise<Answer> {
  const name = call.part('name')
  if (builtinRoles.has(name)) return reserved(name)
  const role = roleOf(name, call.body.required)
  return stored(name, await putEntry(call, 'roles', name, role, 'put_role'))
}

async function deleteRole(call: Call): Promise<Answer> {
  const name = call.part('name')
  if (builtinRoles.has(name)) return reserved(name)
  return deleted(name, await removeEntry(call, 'roles', name, 'delete_role'))
}

async function putMapping(call: Call): Promise<Answer> {
  const name = call.part('name')
  const body = call.body.required
  const mapping: StoredMapping = {
    users: textsMember(body, 'users') ?? [],
    backendRoles: textsMember(body, 'backend_roles') ?? [],
    hosts: textsMember(body, 'hosts') ?? [],
    description: textMember(body, 'description') ?? null,
  }
  return stored(name, await putEntry(call, 'mappings', name, mapping, 'put_role_mapping'))
}

async function deleteMapping(call: Call): Promise<Answer> {
  const name = call.part('name')
  return deleted(name, await removeEntry(call, 'mappings', name, 'delete_role_mapping'))
}

/** Both path prefixes; the second is that of Open Distro. */
function at(path: string): string {
  return [`/_plugins/_security${path}`, `/_opendistro/_security${path}`].join(' ')
}

type Handles = Readonly<Record<'get' | 'put' | 'delete', Parameters<typeof securityRoute>[3]>>

/** One kind of entries: all of them or one are shown, one is written or deleted. */
function entryRoutes(path: string, kind: string, on: Handles): Route[] {
  const one = at(`${path}/:name`)
  return [
    securityRoute('GET', `${at(path)} ${one}`, `${kind}/get`, on.get),
    securityRoute('PUT', one, `${kind}/put`, on.put),
    securityRoute('DELETE', one, `${kind}/delete`, on.delete),
  ]
}

export const openSearchRoutes: readonly Route[] = [
  securityRoute('GET', at('/health'), 'health', () => healthAnswer, 'self'),
  securityRoute('GET', at('/authinfo'), 'user/authenticate', authInfo, 'self'),
  securityRoute('GET', at('/api/account'), 'user/authenticate', account, 'self'),
  securityRoute('PUT', at('/api/account'), 'user/change_password', changeOwnPassword, 'self'),
  ...entryRoutes('/api/internalusers', 'user', {
    get: looking((call) => securityOf(call).state.users, shownUser),
    put: putUser,
    delete: deleteUser,
  }),
  ...entryRoutes('/api/roles', 'role', {
    get: looking(
      (call) => new Map([...securityOf(call).state.roles, ...builtinRoles]),
      (_, role) => shownRole(role),
    ),
    put: putRole,
    delete: deleteRole,
  }),
  ...entryRoutes('/api/rolesmapping', 'role_mapping', {
    get: looking(
      (call) => securityOf(call).state.mappings,
      (_, mapping) => shownMapping(mapping),
    ),
    put: putMapping,
    delete: deleteMapping,
  }),
]
