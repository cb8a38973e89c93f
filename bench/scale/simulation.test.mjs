import { describe, expect, it } from 'vitest'
import { simulate } from './simulation.mjs'

const fleet = {
  nodes: 2,
  cores: 2,
  partitions: 12,
  rate: 50_000,
  batch: 125,
  eventSeconds: 20e-6,
  storeCores: 8,
  documentSeconds: 20e-6,
  underWay: 16,
  sessionSeconds: 10,
  drainSeconds: 1,
  seconds: 20,
  warmUp: 5,
}
const near = (expected) => expect.closeTo(expected, -Math.floor(Math.log10(expected * 0.05)))

describe('the simulation of a fleet', () => {
  it('stores what comes while there is room for it', () => {
    const { throughput, isBehind, nodeUse } = simulate(fleet)
    expect(throughput).toEqual(near(50_000))
    expect(isBehind).toBe(false)
    expect(nodeUse).toEqual(expect.closeTo(0.25, 1))
  })

  it.each([
    ['cores of the nodes', { rate: 1e6, storeCores: 100 }, 200_000],
    ['cores of the cluster', { rate: 1e6, storeCores: 2 }, 100_000],
    [
      'partitions, where there are fewer than nodes',
      { rate: 1e6, storeCores: 100, nodes: 4, partitions: 2 },
      200_000,
    ],
  ])('is limited by the %s', (_, limits, expected) => {
    const { throughput, isBehind } = simulate({ ...fleet, ...limits })
    expect(throughput).toEqual(near(expected))
    expect(isBehind).toBe(true)
  })

  it('falls behind for a session and a rebalance when a node dies, and catches up', () => {
    const { maxLag, isBehind, pauses } = simulate({
      ...fleet,
      seconds: 60,
      troubles: [{ at: 10, kind: 'dies' }],
    })
    // Half of the load waits for ten seconds, all of it for one more.
    expect(maxLag).toBeGreaterThan(50_000 * 0.5 * 9)
    expect(maxLag).toBeLessThan(50_000 * 0.5 * 14)
    expect([isBehind, pauses]).toEqual([false, 1])
  })

  it('stands still for a rebalance when a node comes', () => {
    const { maxLag, pauses } = simulate({ ...fleet, seconds: 30, troubles: [{ at: 10, kind: 'joins' }] })
    expect([maxLag > 40_000, maxLag < 80_000, pauses]).toEqual([true, true, 1])
  })

  it('is the same for the same seed', () => {
    expect(simulate(fleet, 3)).toEqual(simulate(fleet, 3))
  })
})
