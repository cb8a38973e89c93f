import { expect, it } from 'vitest'
import { reducePhases } from './reduce-phases.ts'

it.each([
  [5, 2, 4],
  [5, 4, 2],
  [5, 5, undefined],
  [1, 2, undefined],
  [600, 512, 2],
])('%i shards, %i at once: %s steps', (shards, reduceSize, phases) => {
  expect(reducePhases(shards, { reduceSize, size: 10, aggregations: undefined })).toBe(phases)
  expect(reducePhases(shards, { reduceSize, size: 0, aggregations: undefined })).toBeUndefined()
})
