import { describe, expect, it } from 'vitest'
import { Sessions } from './sessions.ts'

const hour = 3_600_000
const cookieOf = (set: string) => set.split(';')[0]!

describe('sessions of the dashboard', () => {
  it('stand for what somebody signed in with, until they sign out', () => {
    const sessions = new Sessions(() => '9600')
    const set = sessions.begin('Basic eDp5', false)
    expect(set).toMatch(
      /^millrace-session-9600=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=28800$/,
    )
    expect(sessions.begin('Basic eDp5', true)).toContain('; Secure')
    expect(sessions.authorizationOf(`a=b; ${cookieOf(set)}; c=d`)).toBe('Basic eDp5')
    expect(sessions.end(cookieOf(set), false)).toContain('Max-Age=0')
    expect(sessions.authorizationOf(cookieOf(set))).toBeUndefined()
  })

  it('are not those of another node on the same host', () => {
    const set = new Sessions(() => '9600').begin('Basic eDp5', false)
    expect(new Sessions(() => '9601').authorizationOf(cookieOf(set))).toBeUndefined()
  })

  it('end when nobody used them for eight hours', () => {
    let now = 0
    const sessions = new Sessions(
      () => '1',
      () => now,
    )
    const cookie = cookieOf(sessions.begin('Basic eDp5', false))
    now += 7 * hour
    expect(sessions.authorizationOf(cookie)).toBeDefined()
    now += 7 * hour
    expect(sessions.authorizationOf(cookie)).toBeDefined()
    now += 9 * hour
    expect(sessions.authorizationOf(cookie)).toBeUndefined()
    expect(sessions.size).toBe(0)
  })

  it('are at most a thousand: the one that was not used for longest goes', () => {
    const sessions = new Sessions(() => '1')
    const first = cookieOf(sessions.begin('Basic MQ==', false))
    const second = cookieOf(sessions.begin('Basic Mg==', false))
    sessions.authorizationOf(first)
    for (let i = 0; i < 999; i += 1) sessions.begin('Basic eDp5', false)
    expect(sessions.size).toBe(1000)
    expect(sessions.authorizationOf(first)).toBe('Basic MQ==')
    expect(sessions.authorizationOf(second)).toBeUndefined()
  })

  it.each([
    undefined,
    '',
    'millrace-session-1',
    'millrace-session-1=',
    `millrace-session-1=${'x'.repeat(43)}`,
    'x'.repeat(20_000),
  ])('takes %s for nobody', (cookies) =>
    expect(new Sessions(() => '1').authorizationOf(cookies)).toBeUndefined(),
  )
})
