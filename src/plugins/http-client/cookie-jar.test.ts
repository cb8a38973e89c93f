import { describe, expect, it } from 'vitest'
import { CookieJar } from './cookie-jar.ts'

describe('cookie jar', () => {
  it('sends back to an origin what it set', () => {
    const jar = new CookieJar()
    jar.store('a:80', ['x=1; Path=/; HttpOnly', 'y="2"', 'nonsense'])
    jar.store('a:80', ['x=3'])
    expect(jar.header('a:80')).toBe('x=3; y="2"')
    expect(jar.header('b:80')).toBeUndefined()
  })

  it('forgets what expired', () => {
    const jar = new CookieJar()
    jar.store('a', ['x=1; Max-Age=10', 'y=1; Expires=Thu, 01 Jan 1970 00:00:20 GMT', 'z=1; Max-Age=0'], 0)
    expect(jar.header('a', 5000)).toBe('x=1; y=1')
    expect(jar.header('a', 15_000)).toBe('y=1')
    expect(jar.header('a', 25_000)).toBeUndefined()
  })

  it('is bounded', () => {
    const jar = new CookieJar()
    jar.store(
      'a',
      Array.from({ length: 1000 }, (_, i) => `c${i}=1`),
    )
    expect(jar.header('a')!.split('; ')).toHaveLength(50)
  })
})
