import { expect, it } from 'vitest'
import { fleetFor, measuredCosts } from './model.mjs'

it('is never smaller than what survives one failure', () => {
  expect(fleetFor({ rate: 10, documents: 1000 })).toMatchObject({
    edges: 2,
    brokers: 3,
    nodes: 3,
    dataNodes: 3,
  })
})

it('grows with the rate, and with what is kept', () => {
  const small = fleetFor({ rate: 1e6, documents: 1e9 })
  const large = fleetFor({ rate: 2e6, documents: 1e9 })
  expect(large.nodes / small.nodes).toBeCloseTo(2, 0)
  expect(large.readers).toBeGreaterThan(1.9 * small.readers)
  expect(fleetFor({ rate: 1e6, documents: 1e12 }).dataNodes).toBeGreaterThan(small.dataNodes)
})

it('has a partition for every reader, with room', () => {
  const { partitions, readers } = fleetFor({ rate: 1e6, documents: 1e9 })
  expect(partitions).toBe(4 * readers)
  expect(readers).toBeGreaterThanOrEqual(1e6 * measuredCosts.readCpu)
})
