/**
 * Authorizes a request before its route runs, and narrows the indices it names. Requests with several parts
 * are let through to their routes, which check each part.
 */
import { isObject, own } from '../../../search/request/json-object.ts'
import type { Call } from '../call.ts'
import type { Route } from '../route.ts'
import type { Access } from './access.ts'
import { routeAction } from './route-actions.ts'

const search = 'indices:data/read/search'
const unlisted = 'cluster:admin/millrace/unlisted'

export function authorize(access: Access, route: Route, call: Call): void {
  const rule = route.access ?? routeAction(route, call.method)
  if (rule === undefined) return access.demandCluster(unlisted)
  const { action, target } = rule
  access.action = action
  switch (target) {
    case 'self':
      return
    case 'cluster':
      return access.demandCluster(action)
    case 'parts':
      // A request that names nothing requires the action on some index.
      return access.demandSomewhere(action)
    case 'index':
      return demandOne(access, action, call)
    case 'write':
      demandOne(access, action, call)
      return access.demandCreation(call.part('index'))
    case 'named':
      return narrowNames(access, action, call)
    default:
      return narrowPath(access, action, call)
  }
}

function demandOne(access: Access, action: string, call: Call): void {
  access.demandSomewhere(action)
  access.demand(action, [call.part('index')])
  const created = call.parts['new_index'] ?? call.parts['target']
  if (created !== undefined) access.demand('indices:admin/create', [created])
  if (action === 'indices:admin/create') demandAliases(access, call)
}

/** An index may be created with aliases, which need permission too. */
function demandAliases(access: Access, call: Call): void {
  const { value } = call.body
  const aliases = isObject(value) ? own(value, 'aliases') : undefined
  const names = isObject(aliases) ? Object.keys(aliases) : []
  if (names.length > 0) access.demand('indices:admin/aliases', [call.part('index'), ...names])
}

function narrowPath(access: Access, action: string, call: Call): void {
  const options = {
    ignoreUnavailable: call.flag('ignore_unavailable'),
    reachesAliases: action !== 'indices:admin/delete',
  }
  let expressions = access.narrow(action, call.expressions, options)
  // These search before they write.
  if (action.endsWith('/byquery')) expressions = access.narrow(search, expressions, options)
  call.narrowTo(expressions)
  const aliases = action === 'indices:admin/aliases' ? call.list('name') : []
  if (aliases.length > 0) access.demand(action, aliases)
}

/** Narrows the names and patterns of data streams. */
function narrowNames(access: Access, action: string, call: Call): void {
  const names = call.list('name')
  access.demandSomewhere(action)
  access.demand(
    action,
    names.filter((name) => !name.includes('*') && name !== '_all'),
  )
}
