/** What somebody is told who may not: the sentences of Elasticsearch and of OpenSearch. */
import type { Principal } from './principal.ts'
import { clusterPrivilegesFor, indexPrivilegesFor } from './privileges.ts'

type Dialect = 'elasticsearch' | 'opensearch'

/** `indices`: those it was refused for; undefined when the action is granted nowhere. */
export function denialReason(
  dialect: Dialect,
  principal: Principal,
  action: string,
  indices: readonly string[] | undefined,
): string {
  const name = action.replace(/#own$/, '')
  if (dialect === 'opensearch') return openSearchReason(principal, name)
  const place = indices === undefined ? '' : ` on indices [${indices.join(',')}]`
  const isCluster = isClusterAction(name)
  const privileges = isCluster ? clusterPrivilegesFor(name) : indexPrivilegesFor(name)
  const kind = isCluster ? 'cluster' : 'index'
  const hint =
    privileges.length === 0
      ? ''
      : `, this action is granted by the ${kind} privileges [${privileges.join(',')}]`
  return `action [${name}] is unauthorized for ${subject(principal)}${place}${hint}`
}

function subject({ username, apiKey, roles, effectiveRoles }: Principal): string {
  if (apiKey !== undefined) return `API key id [${apiKey.id}] of user [${username}]`
  const unknown = roles.filter((role) => !effectiveRoles.includes(role))
  const missing = unknown.length === 0 ? '' : ` (assigned roles [${unknown.join(',')}] were not found)`
  return `user [${username}] with effective roles [${effectiveRoles.join(',')}]${missing}`
}

function openSearchReason({ username, backendRoles }: Principal, action: string): string {
  return `no permissions for [${action}] and User [name=${username}, backend_roles=[${backendRoles.join(', ')}], requestedTenant=null]`
}

function isClusterAction(action: string): boolean {
  return /^cluster:|^indices:admin\/(?:template|index_template)\//.test(action)
}
