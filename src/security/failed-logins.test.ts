import { describe, expect, it } from 'vitest'
import { FailedLogins } from './failed-logins.ts'

describe('failed logins', () => {
  it('lock an address out after five in a second, each time for longer, up to a minute', () => {
    let now = 0
    const logins = new FailedLogins(() => now)
    const locks: number[] = []
    for (let round = 0; round < 9; round++) {
      for (let n = 0; n < 5; n++) {
        expect(logins.lockedFor('10.0.0.1')).toBe(0)
        logins.failed('10.0.0.1')
      }
      const locked = logins.lockedFor('10.0.0.1')
      locks.push(locked)
      expect(logins.lockedFor('10.0.0.2')).toBe(0)
      now += locked
    }
    expect(locks).toEqual([1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000, 60000])
    now += 3_600_000
    logins.failed('10.0.0.1')
    expect(logins.lockedFor('10.0.0.1')).toBe(0)
  })

  it('that come slowly lock nobody out', () => {
    let now = 0
    const logins = new FailedLogins(() => now)
    for (let n = 0; n < 100; n++) {
      logins.failed('10.0.0.1')
      expect(logins.lockedFor('10.0.0.1')).toBe(0)
      now += 300
    }
  })

  it('count attempts that are still being checked, and IPv6 addresses by their network', async () => {
    const logins = new FailedLogins(() => 0)
    let finish: (right: boolean) => void = () => {}
    const checking = Array.from({ length: 5 }, () =>
      logins.attempt(
        '2001:db8::1',
        () =>
          new Promise<boolean>((resolve) => {
            const before = finish
            finish = (right) => {
              before(right)
              resolve(right)
            }
          }),
      ),
    )
    expect(logins.lockedFor('2001:db8::ffff:2')).toBe(1000)
    expect(logins.lockedFor('2001:db8:0:1::2')).toBe(0)
    finish(true)
    await Promise.all(checking)
    expect(logins.lockedFor('2001:db8::1')).toBe(0)
  })
})
