/** `_security/user`: users, passwords and enabling. */
import { illegalArgument, validationFailed } from '../../../search/request/errors.ts'
import { isObject, type JsonObject, own } from '../../../search/request/json-object.ts'
import { isPasswordHash } from '../../../security/password-hash.ts'
import { reservedUsers } from '../../../security/principal.ts'
import { newUser } from '../../../security/security.ts'
import { type StoredUser, withEntry } from '../../../security/security-state.ts'
import type { Call } from '../call.ts'
import type { Answer, Route } from '../route.ts'
import {
  checkName,
  checkPassword,
  principalOf,
  removeEntry,
  securityOf,
  securityRoute,
  textMember,
  textsMember,
} from './security-route.ts'

const maxUsers = 10_000

function shown(name: string, user: StoredUser): JsonObject {
  const { roles, fullName, email, metadata, enabled } = user
  return {
    username: name,
    roles,
    full_name: fullName,
    email,
    metadata: reservedUsers.has(name) ? { _reserved: true } : metadata,
    enabled,
  }
}

function look(call: Call): Answer {
  const { users } = securityOf(call).state
  const names = call.list('username')
  const wanted = names.length === 0 ? [...users.keys()].sort() : names
  const found = wanted.flatMap((name): [string, JsonObject][] => {
    const user = users.get(name)
    return user === undefined ? [] : [[name, shown(name, user)]]
  })
  const isMissing = names.length > 0 && found.length === 0
  return { status: isMissing ? 404 : 200, body: new Map(found) }
}

const members = [
  'password',
  'password_hash',
  'roles',
  'full_name',
  'email',
  'metadata',
  'enabled',
  'username',
]

/** The hash of the password in a body; undefined without one. */
async function givenPassword(call: Call, body: JsonObject): Promise<string | undefined> {
  const password = textMember(body, 'password')
  const hash = textMember(body, 'password_hash')
  if (password !== undefined && hash !== undefined)
    throw illegalArgument("password_hash and password can't be used together")
  if (hash !== undefined) {
    if (isPasswordHash(hash)) return hash
    throw illegalArgument(
      'The provided password hash is not a hash or it could not be resolved to a supported hash algorithm. The supported password hash algorithms are [scrypt]',
    )
  }
  if (password === undefined) return undefined
  checkPassword(password)
  return securityOf(call).hash(password)
}

async function put(call: Call): Promise<Answer> {
  const name = call.part('username')
  const body = call.body.required
  for (const member of Object.keys(body))
    if (!members.includes(member))
      throw illegalArgument(`failed to parse add user request. unexpected field [${member}]`)
  checkName(name, 'User')
  const security = securityOf(call)
  if (reservedUsers.has(name))
    throw illegalArgument(`user [${name}] is reserved and only the password can be changed`)
  const roles = textsMember(body, 'roles')
  const metadata = own(body, 'metadata')
  if (metadata !== undefined && metadata !== null && !isObject(metadata))
    throw illegalArgument('expected field [metadata] to be of type object')
  if (isObject(metadata) && Object.keys(metadata).some((key) => key.startsWith('_')))
    throw validationFailed('metadata keys may not start with [_]')
  const fullName = textMember(body, 'full_name')
  const email = textMember(body, 'email')
  const enabled = own(body, 'enabled')
  const password = await givenPassword(call, body)
  let created = false
  await security.change((state) => {
    const known = state.users.get(name)
    created = known === undefined
    if (known === undefined && password === undefined)
      throw validationFailed('password must be specified unless you are updating an existing user')
    if (known === undefined && state.users.size >= maxUsers)
      throw illegalArgument(`there are already ${maxUsers} users`)
    const user: StoredUser = {
      ...(known ?? newUser(null, [])),
      ...(password !== undefined && { password }),
      roles: roles ?? [],
      fullName: fullName ?? null,
      email: email ?? null,
      metadata: isObject(metadata) ? metadata : {},
      enabled: enabled === undefined ? true : enabled === true || enabled === 'true',
    }
    return { ...state, users: withEntry(state.users, name, user) }
  })
  call.access?.noteChange(`put_user ${name}`)
  return { body: { created } }
}

async function remove(call: Call): Promise<Answer> {
  const name = call.part('username')
  if (reservedUsers.has(name)) throw illegalArgument(`user [${name}] is reserved and cannot be deleted`)
  const found = await removeEntry(call, 'users', name, 'delete_user')
  return { status: found ? 200 : 404, body: { found } }
}

async function changePassword(call: Call): Promise<Answer> {
  const { username, apiKey } = principalOf(call)
  const name = call.parts['username'] ?? username
  const action = 'cluster:admin/xpack/security/user/change_password'
  // Users may change their own password, but not with an API key.
  if (name !== username || apiKey !== undefined) call.access?.demandCluster(action)
  const body = call.body.required
  const password = await givenPassword(call, body)
  if (password === undefined) throw validationFailed('password is missing')
  await securityOf(call).change((state) => {
    const user = state.users.get(name)
    if (user === undefined) throw validationFailed('user must exist in order to change password')
    return { ...state, users: withEntry(state.users, name, { ...user, password }) }
  })
  call.access?.noteChange(`change_password ${name}`)
  return { body: {} }
}

function setEnabled(enabled: boolean) {
  const word = enabled ? 'enabled' : 'disabled'
  return async (call: Call): Promise<Answer> => {
    const name = call.part('username')
    if (name === call.access?.principal.username)
      throw illegalArgument('users may not update the enabled status of their own account')
    await securityOf(call).change((state) => {
      const user = state.users.get(name)
      if (user === undefined) throw validationFailed(`only existing users can be ${word}`)
      return { ...state, users: withEntry(state.users, name, { ...user, enabled }) }
    })
    call.access?.noteChange(`${enabled ? 'enable' : 'disable'}_user ${name}`)
    return { body: {} }
  }
}

export const userRoutes: readonly Route[] = [
  securityRoute('GET', '/_security/user /_security/user/:username', 'user/get', look),
  securityRoute('PUT|POST', '/_security/user/:username', 'user/put', put),
  securityRoute('DELETE', '/_security/user/:username', 'user/delete', remove),
  securityRoute(
    'PUT|POST',
    '/_security/user/_password /_security/user/:username/_password',
    'user/change_password',
    changePassword,
    'self',
  ),
  securityRoute('PUT|POST', '/_security/user/:username/_enable', 'user/set_enabled', setEnabled(true)),
  securityRoute('PUT|POST', '/_security/user/:username/_disable', 'user/set_enabled', setEnabled(false)),
]
