/** Signatures as OpenSearch 3.8 gives them, as the UTF-16 units of their tokens. */
import { describe, expect, it } from 'vitest'
import { Analysis, type ComponentReference } from '../analysis.ts'
import { tokensOf } from '../analyzer.ts'

function signature(text: string, options: Record<string, unknown>): string[] {
  const filter: ComponentReference = { type: 'min_hash', ...options }
  const tokens = tokensOf(new Analysis({}).custom('standard', [filter], []), text)
  expect(new Set(tokens.map(({ type }) => type))).toEqual(new Set(tokens.length === 0 ? [] : ['MIN_HASH']))
  return tokens.map(({ token }) =>
    Array.from(token, (_, at) => token.charCodeAt(at).toString(16).padStart(4, '0')).join(''),
  )
}

const x = '269ca0234c3664f2ec33c5b4fd3082ca'
const y = 'ffb492687666'

describe('min_hash', () => {
  it('fills empty buckets from the next one', () => {
    const [first, ...rest] = signature('x y', { bucket_count: 4 })
    expect(first).toBe(x)
    expect(rest).toHaveLength(3)
    expect(new Set(rest).size).toBe(1)
    expect(rest[0]).toMatch(new RegExp(`^${y}`))
  })

  it('names the hash function where there are several, and leaves empty buckets out', () => {
    const found = signature('x', { hash_count: 2, bucket_count: 2, with_rotation: false })
    expect(found).toEqual([`00000000${x.slice(0, 24)}`, '000000014792b019ec211ee7e417676f'])
  })

  it('has nothing to say of no tokens, and the same of words in any order', () => {
    expect(signature('...', {})).toEqual([])
    expect(signature('c a b a', {})).toEqual(signature('a b c', {}))
    expect(signature('a b c', {})).toHaveLength(512)
  })

  it.each([
    [{ hash_count: 0 }, 'hashCount must be greater than zero'],
    [{ bucket_count: 0 }, 'bucketCount must be greater than zero'],
    [{ hash_set_size: 0 }, 'hashSetSize must be greater than zero'],
    [{ hash_count: 1e6 }, '[hash_count] times [bucket_count] must be at most 1048576'],
  ])('refuses %o', (options, reason) => {
    expect(() => signature('a', options)).toThrow(reason)
  })
})
