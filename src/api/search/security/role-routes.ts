/** `_security/role`. */
import { illegalArgument, validationFailed } from '../../../search/request/errors.ts'
import { builtinRoles } from '../../../security/builtin-roles.ts'
import { parseRole, type Role, shownRole } from '../../../security/role.ts'
import { withEntry } from '../../../security/security-state.ts'
import type { Call } from '../call.ts'
import type { Answer, Route } from '../route.ts'
import { checkName, removeEntry, securityOf, securityRoute } from './security-route.ts'

const maxRoles = 10_000

function look(call: Call): Answer {
  const { roles } = securityOf(call).state
  const all = new Map<string, Role>([...roles, ...builtinRoles])
  const names = call.list('name')
  const wanted = names.length === 0 ? [...all.keys()].sort() : names
  const found = wanted.flatMap((name): [string, Role][] => {
    const role = all.get(name)
    return role === undefined ? [] : [[name, role]]
  })
  const isMissing = names.length > 0 && found.length === 0
  return {
    status: isMissing ? 404 : 200,
    body: new Map(found.map(([name, role]) => [name, shownRole(role)])),
  }
}

async function put(call: Call): Promise<Answer> {
  const name = call.part('name')
  checkName(name, 'Role')
  if (builtinRoles.has(name)) throw validationFailed(`Role [${name}] is reserved and may not be used.`)
  const role = parseRole(name, call.body.required)
  if (Object.keys(role.metadata).some((key) => key.startsWith('_')))
    throw validationFailed('role metadata keys may not start with [_]')
  let created = false
  await securityOf(call).change((state) => {
    created = !state.roles.has(name)
    if (created && state.roles.size >= maxRoles) throw illegalArgument(`there are already ${maxRoles} roles`)
    return { ...state, roles: withEntry(state.roles, name, role) }
  })
  call.access?.noteChange(`put_role ${name}`)
  return { body: { role: { created } } }
}

async function remove(call: Call): Promise<Answer> {
  const name = call.part('name')
  if (builtinRoles.has(name)) throw illegalArgument(`role [${name}] is reserved and cannot be deleted`)
  const found = await removeEntry(call, 'roles', name, 'delete_role')
  return { status: found ? 200 : 404, body: { found } }
}

export const roleRoutes: readonly Route[] = [
  securityRoute('GET', '/_security/role /_security/role/:name', 'role/get', look),
  securityRoute('PUT|POST', '/_security/role/:name', 'role/put', put),
  securityRoute('DELETE', '/_security/role/:name', 'role/delete', remove),
]
