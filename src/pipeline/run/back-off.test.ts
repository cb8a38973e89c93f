import { describe, expect, it } from 'vitest'
import { BackOff } from './back-off.ts'

const limits = { first: 100, max: 1000, healthyAfter: 5000 }

describe('back-off', () => {
  it('doubles up to its bound', () => {
    const backOff = new BackOff(limits, () => 0)
    expect(Array.from({ length: 6 }, () => backOff.next())).toEqual([100, 200, 400, 800, 1000, 1000])
  })

  it('stays at its bound after thousands of failures', () => {
    const backOff = new BackOff(limits, () => 0)
    for (let i = 0; i < 5000; i++) backOff.next()
    expect(backOff.next()).toBe(1000)
  })

  it('begins anew only after a start that held long enough', () => {
    let now = 0
    const backOff = new BackOff(limits, () => now)
    backOff.next()
    backOff.started()
    now += 4999
    expect(backOff.next()).toBe(200)
    backOff.started()
    now += 5000
    expect(backOff.next()).toBe(100)
  })

  it('does not count the time in which nothing ran as healthy', () => {
    let now = 0
    const backOff = new BackOff(limits, () => now)
    backOff.started()
    backOff.next()
    now += 60_000
    expect(backOff.next()).toBe(200)
  })
})
