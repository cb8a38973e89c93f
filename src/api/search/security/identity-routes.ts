/** `_authenticate`, `_has_privileges`, `_privileges` and the names of privileges. */
import { illegalArgument, validationFailed } from '../../../search/request/errors.ts'
import { isObject, type JsonObject, own } from '../../../search/request/json-object.ts'
import { rolesOf } from '../../../security/principal.ts'
import {
  clusterPrivilege,
  clusterPrivileges,
  indexPrivilege,
  indexPrivileges,
} from '../../../security/privileges.ts'
import type { Call } from '../call.ts'
import type { Answer, Route } from '../route.ts'
import { principalOf, securityOf, securityRoute, textsMember } from './security-route.ts'

function authenticate(call: Call): Answer {
  const { username, roles, fullName, email, metadata, realm, apiKey } = principalOf(call)
  return {
    body: {
      username,
      roles,
      full_name: fullName,
      email,
      metadata,
      enabled: true,
      authentication_realm: realm,
      lookup_realm: realm,
      authentication_type: apiKey === undefined ? 'realm' : 'api_key',
      ...(apiKey !== undefined && { api_key: apiKey }),
    },
  }
}

const maxAsked = 10_000

function hasPrivileges(call: Call): Answer {
  const { grants, username } = principalOf(call)
  const body = call.body.required
  const cluster = textsMember(body, 'cluster') ?? []
  const indices = objectsOf(body, 'index')
  const applications = objectsOf(body, 'application')
  if (cluster.length + indices.length + applications.length === 0)
    throw validationFailed('must specify at least one privilege')
  let hasAll = true
  const noted = (isGranted: boolean) => {
    hasAll &&= isGranted
    return isGranted
  }
  const byPrivilege = new Map<string, boolean>()
  for (const name of cluster) {
    if (clusterPrivilege(name) === undefined) throw unknown('cluster', name)
    byPrivilege.set(name, noted(grants.coversCluster(name)))
  }
  const byIndex = new Map<string, Map<string, boolean>>()
  let asked = 0
  for (const entry of indices) {
    const names = textsMember(entry, 'names') ?? []
    const privileges = textsMember(entry, 'privileges') ?? []
    asked += names.length * privileges.length
    if (asked > maxAsked) throw illegalArgument(`more than ${maxAsked} privileges are asked for`)
    for (const name of names) {
      const answers = byIndex.get(name) ?? new Map<string, boolean>()
      byIndex.set(name, answers)
      for (const privilege of privileges) {
        if (indexPrivilege(privilege) === undefined) throw unknown('index', privilege)
        answers.set(privilege, noted(grants.coversIndex(privilege, name)))
      }
    }
  }
  // There are no application privileges; only superusers have them all.
  const isSuper = grants.coversCluster('all') && grants.coversIndex('all', '*')
  const byApplication = new Map<string, Map<string, Map<string, boolean>>>()
  for (const entry of applications) {
    const name = String(own(entry, 'application'))
    const resources = byApplication.get(name) ?? new Map<string, Map<string, boolean>>()
    byApplication.set(name, resources)
    for (const resource of (textsMember(entry, 'resources') ?? []).slice(0, maxAsked)) {
      const privileges = (textsMember(entry, 'privileges') ?? []).slice(0, maxAsked)
      resources.set(resource, new Map(privileges.map((privilege) => [privilege, noted(isSuper)])))
    }
  }
  return {
    body: {
      username,
      has_all_requested: hasAll,
      cluster: byPrivilege,
      index: byIndex,
      application: byApplication,
    },
  }
}

function objectsOf(body: JsonObject, name: string): JsonObject[] {
  const value = own(body, name)
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.length > maxAsked || !value.every(isObject))
    throw illegalArgument(`expected field [${name}] to be an array of objects`)
  return value
}

function unknown(kind: 'cluster' | 'index', name: string) {
  const text =
    kind === 'cluster'
      ? `predefined cluster privilege names [${[...clusterPrivileges.keys()].join(',')}] or a pattern over one of the available cluster actions`
      : `predefined fixed indices privileges [${[...indexPrivileges.keys()].join(',')}] or a pattern over one of the available index actions`
  return illegalArgument(`unknown ${kind} privilege [${name}]. a privilege must be either one of the ${text}`)
}

function ownPrivileges(call: Call): Answer {
  const { effectiveRoles, apiKey } = principalOf(call)
  const { state } = securityOf(call)
  const key = apiKey && state.apiKeys.get(apiKey.id)
  const named = key === undefined ? rolesOf(state, effectiveRoles) : [...key.descriptors, ...key.limitedBy]
  const roles = named.map(([, role]) => role)
  return {
    body: {
      cluster: [...new Set(roles.flatMap(({ cluster }) => cluster))].sort(),
      global: [],
      indices: roles.flatMap(({ indices }) => indices),
      applications: [],
      run_as: [...new Set(roles.flatMap(({ run_as }) => run_as))].sort(),
    },
  }
}

function builtin(): Answer {
  return {
    body: { cluster: [...clusterPrivileges.keys()].sort(), index: [...indexPrivileges.keys()].sort() },
  }
}

export const identityRoutes: readonly Route[] = [
  securityRoute('GET', '/_security/_authenticate', 'user/authenticate', authenticate, 'self'),
  securityRoute('GET|POST', '/_security/user/_has_privileges', 'user/has_privileges', hasPrivileges, 'self'),
  securityRoute('GET', '/_security/user/_privileges', 'user/list_privileges', ownPrivileges, 'self'),
  securityRoute('GET', '/_security/privilege/_builtin', 'privilege/builtin/get', builtin),
]
