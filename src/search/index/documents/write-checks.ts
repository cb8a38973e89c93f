/** What is wrong with a write before anybody looks at its index: its conditions do not go together, or its id is too long. */
import { illegalArgument, validationFailed } from '../../request/errors.ts'
import type { WriteAction } from './document-writes.ts'
import { illegalVersion, isVersion } from './write-conditions.ts'

const maxIdLength = 512

/** What stands for no version in error texts. */
const anyVersion = -3

/** True when there is nothing for `checkAction` to check. */
export function isPlain({
  id,
  version,
  versionType = 'internal',
  ifSeqNo,
  ifPrimaryTerm,
}: WriteAction): boolean {
  const isConditional = ifSeqNo !== undefined || ifPrimaryTerm !== undefined
  return id === undefined && version === undefined && versionType === 'internal' && !isConditional
}

export function checkAction(action: WriteAction): void {
  const { kind, id, version, versionType = 'internal', ifSeqNo, ifPrimaryTerm = 0 } = action
  const wrong: string[] = []
  if (kind === 'create' && (versionType !== 'internal' || version !== undefined))
    wrong.push('create operations only support internal versioning. use index instead')
  if (kind === 'create' && ifSeqNo !== undefined)
    wrong.push('create operations do not support compare and set. use index instead')
  if (versionType === 'internal' && version !== undefined && kind !== 'create')
    wrong.push(
      'internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead',
    )
  if (versionType !== 'internal' && kind !== 'create' && !isVersion(version ?? anyVersion))
    wrong.push(illegalVersion(version ?? anyVersion, versionType))
  if (versionType !== 'internal' && ifSeqNo !== undefined)
    wrong.push('compare and write operations can not use versioning')
  if (ifPrimaryTerm === 0 && ifSeqNo !== undefined) wrong.push('ifSeqNo is set, but primary term is [0]')
  if (ifPrimaryTerm !== 0 && ifSeqNo === undefined)
    wrong.push(`ifSeqNo is unassigned, but primary term is [${ifPrimaryTerm}]`)
  if (id !== undefined) {
    const bytes = Buffer.byteLength(id)
    if (bytes > maxIdLength)
      wrong.push(`id [${id}] is too long, must be no longer than ${maxIdLength} bytes but was: ${bytes}`)
  }
  if (wrong.length > 0) throw validationFailed(...wrong)
  if (id === '') throw illegalArgument('if _id is specified it must not be empty')
}
