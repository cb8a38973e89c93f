import { expect, it } from 'vitest'
import { recent } from './recent.ts'

it('reads again after half a second, not before', () => {
  let clock = 10
  let reads = 0
  const read = recent(
    () => {
      reads += 1
      return { reads }
    },
    () => clock,
  )
  expect(read()).toEqual({ reads: 1 })
  clock += 499
  expect(read()).toEqual({ reads: 1 })
  clock += 1
  expect(read()).toEqual({ reads: 2 })
  expect(reads).toBe(2)
})
