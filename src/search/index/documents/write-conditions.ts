/** Optimistic concurrency control: internal and external versions, sequence numbers, create-only. */
import { illegalArgument } from '../../request/errors.ts'
import { SearchError } from '../../request/search-error.ts'

export type VersionType = 'internal' | 'external' | 'external_gte'

export function versionTypeOf(text: string | undefined): VersionType {
  if (text === undefined || text === 'internal') return 'internal'
  if (text === 'external' || text === 'external_gt') return 'external'
  if (text === 'external_gte') return 'external_gte'
  throw illegalArgument(`No version type match [${text}]`)
}

/** The sequence number that stands for none. */
const unassigned = -2

export function seqNoOf(number: number): number | undefined {
  if (number === unassigned) return undefined
  if (number < 0) throw illegalArgument(`sequence numbers must be non negative. got [${number}].`)
  return number
}

export function primaryTermOf(number: number): number {
  if (number < 0) throw illegalArgument(`primary term must be non negative. got [${number}]`)
  return number
}

/** Versions are written as varints and shown as numbers of JSON, so that they end at 2^53. */
export function isVersion(version: number): boolean {
  return Number.isSafeInteger(version) && version >= 0
}

export function illegalVersion(version: number, type: VersionType): string {
  return `illegal version value [${version}] for version type [${type.toUpperCase()}]`
}

export interface WriteConditions {
  /** Fails when a document with this id exists. */
  readonly create?: boolean
  readonly version?: number | undefined
  readonly versionType?: VersionType
  readonly ifSeqNo?: number | undefined
  readonly ifPrimaryTerm?: number | undefined
}

/** The current state of an id. */
interface CurrentState {
  readonly version: number
  readonly seqNo: number
  readonly primaryTerm: number
  readonly isDeleted: boolean
}

/** Where a conflict happened, for the error body. */
export interface WritePlace {
  readonly index: string
  readonly uuid: string
  readonly shard: number
}

/**
 * Returns the new version of the document; throws `version_conflict_engine_exception`. Every write comes past here
 * before it is in the log, and a version that the log cannot hold goes no further.
 */
export function nextVersion(
  id: string,
  current: CurrentState | undefined,
  conditions: WriteConditions,
  place: WritePlace,
): number {
  const version = versionAfter(id, current, conditions, place)
  if (!isVersion(version))
    throw illegalArgument(illegalVersion(version, conditions.versionType ?? 'internal'))
  return version
}

function versionAfter(
  id: string,
  current: CurrentState | undefined,
  conditions: WriteConditions,
  place: WritePlace,
): number {
  const { create = false, ifSeqNo, ifPrimaryTerm, version, versionType = 'internal' } = conditions
  const isThere = current !== undefined && !current.isDeleted
  const refuse = (what: string) => conflict(id, what, place)
  if (ifSeqNo !== undefined) {
    const wanted = `required seqNo [${ifSeqNo}], primary term [${ifPrimaryTerm ?? 0}]`
    if (!isThere) throw refuse(`${wanted}. but no document was found`)
    if (current.seqNo !== ifSeqNo || current.primaryTerm !== ifPrimaryTerm)
      throw refuse(
        `${wanted}. current document has seqNo [${current.seqNo}] and primary term [${current.primaryTerm}]`,
      )
  }
  if (versionType !== 'internal') {
    const given = version ?? 0
    const isHigher =
      current === undefined ||
      (versionType === 'external' ? given > current.version : given >= current.version)
    if (!isHigher) {
      const relation = versionType === 'external' ? 'higher or equal to' : 'higher than'
      throw refuse(`current version [${current.version}] is ${relation} the one provided [${given}]`)
    }
    return given
  }
  if (create && isThere) throw refuse(`document already exists (current version [${current.version}])`)
  return (current?.version ?? 0) + 1
}

export function conflict(id: string, what: string, { index, uuid, shard }: WritePlace): SearchError {
  return new SearchError('version_conflict_engine_exception', `[${id}]: version conflict, ${what}`, {
    details: { index_uuid: uuid, shard: String(shard), index },
  })
}
