import { describe, expect, it } from 'vitest'
import { busyIn, stolenIn } from './machine.mjs'

describe('processor time that others took', () => {
  it('is the eighth figure of all processors together', () => {
    const text = 'cpu  100 1 50 9000 7 0 3 250 0 0\ncpu0 50 0 25 4500 3 0 1 125 0 0\nintr 1\n'
    expect(stolenIn(text)).toBe(2.5)
  })

  it('is not known to old systems and others', () => {
    expect(stolenIn('cpu  100 1 50 9000\n')).toBeUndefined()
    expect(stolenIn('')).toBeUndefined()
  })
})

describe('processor time that programs used', () => {
  it('is all but idle time, waits for disks and what was stolen', () => {
    expect(busyIn('cpu  100 1 50 9000 7 2 3 250 0 0\ncpu0 50 0 25 4500 3 0 1 125 0 0\n')).toBe(1.56)
  })

  it('is not known to old systems', () => {
    expect(busyIn('cpu  100 1 50 9000\n')).toBeUndefined()
  })
})
