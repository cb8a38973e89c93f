import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BucketDigests, bucketOf, hashOf } from './document-digest.ts'
import type { StoredDocument } from './raw-hits.ts'

const document = (id: string, given: Partial<StoredDocument> = {}): StoredDocument => ({
  index: 'a',
  id,
  routing: undefined,
  version: 1,
  seqNo: 0,
  source: '{"n":1}',
  ...given,
})

function digestsOf(documents: readonly StoredDocument[]): BucketDigests {
  const digests = new BucketDigests()
  for (const one of documents) digests.add(one.id, hashOf(one, true))
  return digests
}

it('are the same in every order', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { maxLength: 50 }), (ids) => {
      const [one, other] = [
        digestsOf(ids.map((id) => document(id))),
        digestsOf(ids.reverse().map((id) => document(id))),
      ]
      expect(one.differences(other)).toEqual([])
      expect(one.checksum).toBe(other.checksum)
    }),
  )
})

it.each([
  ['a source', { source: '{"n":2}' }],
  ['a number of other digits', { source: '{"n":1.0}' }],
  ['a routing', { routing: 'r' }],
  ['an empty routing', { routing: '' }],
  ['a version', { version: 2 }],
])('name the bucket where %s differs', (_, given) => {
  const ids = ['x', 'y', 'z']
  const one = digestsOf(ids.map((id) => document(id)))
  const other = digestsOf(ids.map((id) => document(id, id === 'y' ? given : {})))
  expect(one.differences(other)).toEqual([bucketOf('y')])
  expect(one.checksum).not.toBe(other.checksum)
})

it('name the bucket of a document that is missing', () => {
  expect(digestsOf([document('x')]).differences(digestsOf([]))).toEqual([bucketOf('x')])
})

it('leave out versions where a store gives its own', () => {
  expect(hashOf(document('x'), false)).toEqual(hashOf(document('x', { version: 9 }), false))
})
