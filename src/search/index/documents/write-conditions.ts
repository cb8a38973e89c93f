/** Optimistic concurrency control: internal and external versions, sequence numbers, create-only. */
import { SearchError } from '../../request/search-error.ts'

export type VersionType = 'internal' | 'external' | 'external_gte'

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

/** Returns the new version of the document; throws `version_conflict_engine_exception`. */
export function nextVersion(
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
