/** What a role grants, as Elasticsearch writes roles down, and the same read from JSON with its refusals. */
import { clusterPrivilege, clusterPrivileges, indexPrivilege, indexPrivileges } from './privileges.ts'

export type Json = Readonly<Record<string, unknown>>

export interface IndexGrant {
  readonly names: readonly string[]
  readonly privileges: readonly string[]
  readonly allow_restricted_indices: boolean
}

export interface Role {
  readonly cluster: readonly string[]
  readonly indices: readonly IndexGrant[]
  readonly run_as: readonly string[]
  readonly metadata: Json
  readonly description?: string
}

/** A body that says something wrong: `type` is the error type of Elasticsearch. */
export class SecurityRefusal extends Error {
  readonly type: string
  readonly status: number

  constructor(type: string, message: string, status = 400) {
    super(message)
    this.name = 'SecurityRefusal'
    this.type = type
    this.status = status
  }
}

const maxListLength = 10_000

export function parseRole(name: string, body: unknown): Role {
  if (!isJson(body)) throw parseFailure(`failed to parse role [${name}]. expected an object`)
  const known = new Set([
    'cluster',
    'indices',
    'index',
    'run_as',
    'metadata',
    'transient_metadata',
    'applications',
    'global',
    'description',
    'remote_indices',
    'remote_cluster',
  ])
  for (const member of Object.keys(body))
    if (!known.has(member)) throw parseFailure(`failed to parse role [${name}]. unexpected field [${member}]`)
  const cluster = texts(body['cluster'], 'cluster', name)
  for (const privilege of cluster) {
    if (clusterPrivilege(privilege) === undefined)
      throw new SecurityRefusal(
        'illegal_argument_exception',
        `unknown cluster privilege [${privilege}]. a privilege must be either one of the predefined cluster privilege names [${[...clusterPrivileges.keys()].join(',')}] or a pattern over one of the available cluster actions`,
      )
  }
  const given = body['indices'] ?? body['index'] ?? []
  if (!Array.isArray(given) || given.length > maxListLength)
    throw parseFailure(
      `failed to parse indices privileges for role [${name}]. expected field [indices] value to be an array`,
    )
  const metadata = body['metadata'] ?? {}
  if (!isJson(metadata))
    throw parseFailure(`expected field [metadata] to be of type object, but found [VALUE_STRING] instead`)
  const { description } = body
  return {
    cluster,
    indices: given.map((one) => parseIndexGrant(name, one)),
    run_as: texts(body['run_as'], 'run_as', name),
    metadata,
    ...(typeof description === 'string' && { description }),
  }
}

function parseIndexGrant(role: string, body: unknown): IndexGrant {
  if (!isJson(body))
    throw parseFailure(
      `failed to parse indices privileges for role [${role}]. expected field [indices] value to be an array of objects`,
    )
  for (const member of Object.keys(body)) {
    if (member === 'field_security' || member === 'query') {
      if (isNothing(body[member])) continue
      throw new SecurityRefusal(
        'security_exception',
        'current license is non-compliant for [field and document level security]',
        403,
      )
    }
    if (!['names', 'privileges', 'allow_restricted_indices'].includes(member))
      throw parseFailure(
        `failed to parse indices privileges for role [${role}]. unexpected field [${member}]`,
      )
  }
  const names = texts(body['names'], 'names', role)
  const privileges = texts(body['privileges'], 'privileges', role)
  if (names.length === 0)
    throw parseFailure(
      `failed to parse indices privileges for role [${role}]. missing required [names] field`,
    )
  if (privileges.length === 0)
    throw parseFailure(
      `failed to parse indices privileges for role [${role}]. missing required [privileges] field`,
    )
  for (const privilege of privileges) {
    if (indexPrivilege(privilege) === undefined)
      throw new SecurityRefusal(
        'illegal_argument_exception',
        `unknown index privilege [${privilege}]. a privilege must be either one of the predefined fixed indices privileges [${[...indexPrivileges.keys()].join(',')}] or a pattern over one of the available index actions`,
      )
  }
  const pattern = names.find((one) => one.startsWith('/') && one.endsWith('/'))
  if (pattern !== undefined)
    throw new SecurityRefusal(
      'illegal_argument_exception',
      `index names that are regular expressions are not supported: [${pattern}]`,
    )
  return { names, privileges, allow_restricted_indices: body['allow_restricted_indices'] === true }
}

function isNothing(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    (isJson(value) && Object.keys(value).length === 0)
  )
}

function texts(value: unknown, member: string, role: string): string[] {
  if (value === undefined || value === null) return []
  if (typeof value === 'string') return [value]
  const isList =
    Array.isArray(value) && value.length <= maxListLength && value.every((one) => typeof one === 'string')
  if (!isList)
    throw parseFailure(
      `failed to parse role [${role}]. could not parse [${member}], expected an array of strings`,
    )
  return [...(value as string[])]
}

function parseFailure(message: string): SecurityRefusal {
  return new SecurityRefusal('parse_exception', message)
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** As `_security/role` shows it. */
export function shownRole(role: Role): Record<string, unknown> {
  return {
    cluster: role.cluster,
    indices: role.indices,
    applications: [],
    run_as: role.run_as,
    metadata: role.metadata,
    transient_metadata: { enabled: true },
    ...(role.description !== undefined && { description: role.description }),
  }
}
