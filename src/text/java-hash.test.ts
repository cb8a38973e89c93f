import { describe, expect, it } from 'vitest'
import { hashMapOrder, javaHash } from './java-hash.ts'

describe('hash codes', () => {
  // From the documentation of java.lang.String and well-known collisions.
  it.each([
    ['', 0],
    ['a', 97],
    ['Aa', 2112],
    ['BB', 2112],
    ['hello', 99162322],
    ['polygenelubricants', -2147483648],
  ])('%j', (text, code) => {
    expect(javaHash(text)).toBe(code)
  })
})

describe('the order of a HashMap', () => {
  it('is that of the buckets', () => {
    // "env" falls into bucket 12 of 16, "index" into 9: Logstash was seen to apply "index" first.
    expect(hashMapOrder(['env', 'index'])).toEqual(['index', 'env'])
    expect(hashMapOrder(['z', 'a', 'm'])).toEqual(['a', 'z', 'm'])
  })

  it('is that of insertion inside a bucket', () => {
    expect(hashMapOrder(['BB', 'Aa'])).toEqual(['BB', 'Aa'])
    expect(hashMapOrder(['Aa', 'BB'])).toEqual(['Aa', 'BB'])
  })

  it('follows the size of the table, which grows when it is three quarters full', () => {
    // a is 97: bucket 1 of 16 and of 32; q is 113: bucket 1 of 16, bucket 17 of 32.
    expect(hashMapOrder(['q', 'b', 'a'])).toEqual(['q', 'a', 'b'])
    const twelve = [...'bcdefghijk']
    expect(hashMapOrder(['q', 'a', ...twelve]).indexOf('q')).toBe(0)
    expect(hashMapOrder(['q', 'a', ...twelve, 'l']).indexOf('a')).toBe(0)
  })

  it('counts entries that are left out', () => {
    expect(hashMapOrder(['q', 'a'], 12)).toEqual(['q', 'a'])
    expect(hashMapOrder(['q', 'a'], 13)).toEqual(['a', 'q'])
  })

  it('may start with a smaller table', () => {
    // Seen in the text of a list of maps: {x=f, y z=100.0, d.t=…}, {j=1, k=2}.
    expect(hashMapOrder(['y z', 'd.t', 'x'], undefined, 3)).toEqual(['x', 'y z', 'd.t'])
    expect(hashMapOrder(['k', 'j'], undefined, 2)).toEqual(['j', 'k'])
    expect(hashMapOrder(['k', 'deep', 'e'], undefined, 3)).toEqual(['e', 'deep', 'k'])
  })
})
