/** What the routes of users, roles and API keys share: privileges, the principal, and errors. */
import { parseError, validationFailed } from '../../../search/request/errors.ts'
import { type JsonObject, own } from '../../../search/request/json-object.ts'
import { SearchError } from '../../../search/request/search-error.ts'
import { TooManyLogins } from '../../../security/password-hash.ts'
import type { Principal } from '../../../security/principal.ts'
import { SecurityRefusal } from '../../../security/role.ts'
import type { Security } from '../../../security/security.ts'
import { type SecurityState, withEntry } from '../../../security/security-state.ts'
import type { Call } from '../call.ts'
import { type Handle, type Route, route } from '../route.ts'
import type { Target } from './route-actions.ts'

export const securityActions = 'cluster:admin/xpack/security'

/** `action` without its prefix; the privilege covers the whole route. */
export function securityRoute(
  methods: string,
  paths: string,
  action: string,
  handle: Handle,
  target: Target = 'cluster',
): Route {
  const known = 'refresh realm_name id ids name username owner with_limited_by active_only with_profile_uid'
  return {
    ...route(methods, paths, known, async (call) => {
      try {
        return await handle(call)
      } catch (error) {
        if (error instanceof TooManyLogins)
          throw new SearchError('security_exception', error.message, { status: 429 })
        if (!(error instanceof SecurityRefusal)) throw error
        throw new SearchError(error.type, error.message, { status: error.status })
      }
    }),
    access: { target, action: `${securityActions}/${action}` },
  }
}

/** Returns false when there is no such entry. `note` is the change as the audit log calls it. */
/** Returns whether the entry is a new one. */
export async function putEntry<Table extends 'roles' | 'mappings'>(
  call: Call,
  table: Table,
  name: string,
  entry: NonNullable<ReturnType<SecurityState[Table]['get']>>,
  note: string,
): Promise<boolean> {
  let isNew = false
  await securityOf(call).change((state) => {
    isNew = !state[table].has(name)
    return { ...state, [table]: withEntry<unknown>(state[table], name, entry) }
  })
  call.access?.noteChange(`${note} ${name}`)
  return isNew
}

export async function removeEntry(
  call: Call,
  table: 'users' | 'roles' | 'mappings',
  name: string,
  note: string,
): Promise<boolean> {
  let isThere = false
  await securityOf(call).change((state) => {
    isThere = state[table].has(name)
    return isThere ? { ...state, [table]: withEntry<unknown>(state[table], name, undefined) } : undefined
  })
  if (isThere) call.access?.noteChange(`${note} ${name}`)
  return isThere
}

export function securityOf(call: Call): Security {
  return call.node.gate!.security
}

export function principalOf(call: Call): Principal {
  if (call.access === undefined) throw new SearchError('security_exception', 'nobody asks', { status: 401 })
  return call.access.principal
}

export function textMember(body: JsonObject, name: string): string | undefined {
  const value = own(body, name)
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw parseError(`expected field [${name}] to be a string`)
  return value
}

export function textsMember(body: JsonObject, name: string): string[] | undefined {
  const value = own(body, name)
  if (value === undefined || value === null) return undefined
  const list = typeof value === 'string' ? [value] : value
  const isTexts = Array.isArray(list) && list.length <= 10_000 && list.every((one) => typeof one === 'string')
  if (!isTexts) throw parseError(`expected field [${name}] to be an array of strings`)
  return [...(list as string[])]
}

export function checkPassword(password: string, minLength = 6): void {
  if (password.length < minLength)
    throw validationFailed(`passwords must be at least [${minLength}] characters long`)
  if (password.length > 1024) throw validationFailed('passwords must be at most [1024] characters long')
}

const printable = /^[\x20-\x7e]{1,507}$/

export function checkName(name: string, what: 'User' | 'Role'): void {
  if (printable.test(name) && name.trim() === name && (what !== 'User' || !name.includes(':'))) return
  throw validationFailed(
    `${what} names must be at least 1 and no more than 507 characters. They can contain alphanumeric characters (a-z, A-Z, 0-9), spaces, punctuation, and printable symbols in the Basic Latin (ASCII) block. Leading or trailing whitespace is not allowed.`,
  )
}
