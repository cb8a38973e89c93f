/** `_security/api_key`: API keys, limited to the privileges of their owner. */
import { illegalArgument, validationFailed } from '../../../search/request/errors.ts'
import { isObject, type JsonObject, own } from '../../../search/request/json-object.ts'
import { parseTime } from '../../../search/request/units/units.ts'
import { matchesPattern } from '../../../security/action-pattern.ts'
import { hashSecret, newApiKey } from '../../../security/api-key-secret.ts'
import { rolesOf } from '../../../security/principal.ts'
import { parseRole, type Role, shownRole } from '../../../security/role.ts'
import { maxApiKeys } from '../../../security/security.ts'
import { type StoredApiKey, withEntry } from '../../../security/security-state.ts'
import type { Call } from '../call.ts'
import type { Answer, Route } from '../route.ts'
import {
  principalOf,
  securityActions,
  securityOf,
  securityRoute,
  textMember,
  textsMember,
} from './security-route.ts'

function descriptorsOf(body: JsonObject): [string, Role][] {
  const given = own(body, 'role_descriptors')
  if (given === undefined || given === null) return []
  if (!isObject(given)) throw illegalArgument('expected field [role_descriptors] to be of type object')
  return Object.entries(given).map(([name, role]) => [name, parseRole(name, role)])
}

async function create(call: Call): Promise<Answer> {
  const { username, effectiveRoles, apiKey } = principalOf(call)
  const security = securityOf(call)
  const body = call.body.required
  const name = textMember(body, 'name')
  if (name === undefined || name === '') throw validationFailed('api key name is required')
  if (name.length > 256) throw validationFailed('api key name may not be more than 256 characters long')
  if (name.startsWith('_')) throw validationFailed('api key name may not begin with an underscore')
  const descriptors = descriptorsOf(body)
  const grantsNothing = descriptors.every(([, { cluster, indices }]) => cluster.length + indices.length === 0)
  if (apiKey !== undefined && (descriptors.length === 0 || !grantsNothing))
    throw illegalArgument(
      'creating derived api keys requires an explicit role descriptor that is empty (has no privileges)',
    )
  const lifetime = textMember(body, 'expiration')
  const metadata = own(body, 'metadata')
  const creation = security.now()
  const expiration = lifetime === undefined ? null : creation + parseTime(lifetime, 'expiration')
  const { id, secret } = newApiKey()
  await security.change((state) => {
    if (state.apiKeys.size >= maxApiKeys) throw illegalArgument(`there are already ${maxApiKeys} API keys`)
    const key: StoredApiKey = {
      name,
      hash: hashSecret(secret),
      owner: username,
      descriptors,
      limitedBy: rolesOf(state, effectiveRoles),
      metadata: isObject(metadata) ? metadata : {},
      creation,
      expiration,
      invalidation: null,
    }
    return { ...state, apiKeys: withEntry(state.apiKeys, id, key) }
  })
  call.access?.noteChange(`create_apikey ${id}`)
  const encoded = Buffer.from(`${id}:${secret}`).toString('base64')
  return { body: { id, name, ...(expiration !== null && { expiration }), api_key: secret, encoded } }
}

interface Selection {
  readonly ids: readonly string[] | undefined
  readonly name: string | undefined
  readonly username: string | undefined
  readonly isOwn: boolean
}

/** Keys of others require the privilege to manage all keys. */
function demandKeys(call: Call, verb: 'get' | 'invalidate', { isOwn, username, ids }: Selection): void {
  const principal = principalOf(call)
  const action = `${securityActions}/api_key/${verb}`
  const { grants, apiKey } = principal
  const isAboutSelf =
    isOwn ||
    username === principal.username ||
    (apiKey !== undefined && ids?.length === 1 && ids[0] === apiKey.id)
  if (grants.allowsCluster(action) || (isAboutSelf && grants.allowsCluster(`${action}#own`))) return
  throw call.access!.refusal(action)
}

function selected(call: Call, { ids, name, username, isOwn }: Selection): [string, StoredApiKey][] {
  const owner = isOwn ? principalOf(call).username : username
  return [...securityOf(call).state.apiKeys].filter(
    ([id, key]) =>
      (ids === undefined || ids.includes(id)) &&
      (name === undefined || matchesPattern(name, key.name)) &&
      (owner === undefined || key.owner === owner),
  )
}

function shown(id: string, key: StoredApiKey, withLimit: boolean): JsonObject {
  const roles = (named: StoredApiKey['descriptors']) =>
    new Map(named.map(([name, role]) => [name, shownRole(role)]))
  return {
    id,
    name: key.name,
    type: 'rest',
    creation: key.creation,
    ...(key.expiration !== null && { expiration: key.expiration }),
    invalidated: key.invalidation !== null,
    ...(key.invalidation !== null && { invalidation: key.invalidation }),
    username: key.owner,
    realm: 'default_native',
    realm_type: 'native',
    metadata: key.metadata,
    role_descriptors: roles(key.descriptors),
    ...(withLimit && { limited_by: [roles(key.limitedBy)] }),
  }
}

function look(call: Call): Answer {
  const id = call.text('id')
  const selection: Selection = {
    ids: id === undefined ? undefined : id.split(','),
    name: call.text('name'),
    username: call.text('username'),
    isOwn: call.flag('owner'),
  }
  demandKeys(call, 'get', selection)
  const now = securityOf(call).now()
  const isActive = ({ invalidation, expiration }: StoredApiKey) =>
    invalidation === null && (expiration === null || expiration > now)
  const keys = selected(call, selection).filter(([, key]) => !call.flag('active_only') || isActive(key))
  const body = { api_keys: keys.map(([one, key]) => shown(one, key, call.flag('with_limited_by'))) }
  return { status: id !== undefined && keys.length === 0 ? 404 : 200, body }
}

async function invalidate(call: Call): Promise<Answer> {
  const body = call.body.required
  const id = textMember(body, 'id')
  const selection: Selection = {
    ids: textsMember(body, 'ids') ?? (id === undefined ? undefined : [id]),
    name: textMember(body, 'name'),
    username: textMember(body, 'username'),
    isOwn: own(body, 'owner') === true,
  }
  const { ids, name, username, isOwn } = selection
  if (
    !isOwn &&
    ids === undefined &&
    name === undefined &&
    username === undefined &&
    own(body, 'realm_name') === undefined
  )
    throw validationFailed(
      'One of [api key id(s), api key name, username, realm name] must be specified if [owner] flag is false',
    )
  demandKeys(call, 'invalidate', selection)
  const keys = selected(call, selection)
  const wanted = keys.filter(([, key]) => key.invalidation === null).map(([one]) => one)
  const before = keys.filter(([, key]) => key.invalidation !== null).map(([one]) => one)
  const security = securityOf(call)
  await security.change((state) => {
    if (wanted.length === 0) return undefined
    const apiKeys = new Map(state.apiKeys)
    for (const one of wanted) {
      const key = apiKeys.get(one)
      if (key !== undefined) apiKeys.set(one, { ...key, invalidation: security.now() })
    }
    return { ...state, apiKeys }
  })
  if (wanted.length > 0) call.access?.noteChange(`invalidate_apikeys ${wanted.slice(0, 20).join(',')}`)
  return {
    body: { invalidated_api_keys: wanted, previously_invalidated_api_keys: before, error_count: 0 },
  }
}

export const apiKeyRoutes: readonly Route[] = [
  securityRoute('POST|PUT', '/_security/api_key', 'api_key/create', create),
  securityRoute('GET', '/_security/api_key', 'api_key/get', look, 'self'),
  securityRoute('DELETE', '/_security/api_key', 'api_key/invalidate', invalidate, 'self'),
]
