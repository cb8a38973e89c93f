import { describe, expect, it } from 'vitest'
import { nextVersion } from './write-conditions.ts'

const place = { index: 'i', uuid: 'u', shard: 0 }
const current = { version: 5, seqNo: 1, primaryTerm: 1, isDeleted: false }

describe('write conditions', () => {
  it('increment the version, or take the external one', () => {
    expect(nextVersion('1', undefined, {}, place)).toBe(1)
    expect(nextVersion('1', current, {}, place)).toBe(6)
    expect(nextVersion('1', current, { version: 9, versionType: 'external' }, place)).toBe(9)
    expect(nextVersion('1', current, { version: 5, versionType: 'external_gte' }, place)).toBe(5)
  })

  it.each([
    [{ create: true }, '[1]: version conflict, document already exists (current version [5])'],
    [
      { ifSeqNo: 10, ifPrimaryTerm: 1 },
      '[1]: version conflict, required seqNo [10], primary term [1]. current document has seqNo [1] and primary term [1]',
    ],
    [
      { version: 4, versionType: 'external' as const },
      '[1]: version conflict, current version [5] is higher or equal to the one provided [4]',
    ],
  ])('refuse %j', (conditions, reason) => {
    expect(() => nextVersion('1', current, conditions, place)).toThrow(
      expect.objectContaining({
        message: reason,
        status: 409,
        details: { index_uuid: 'u', shard: '0', index: 'i' },
      }),
    )
  })
})
