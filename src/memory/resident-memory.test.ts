import { expect, it } from 'vitest'
import { processMemory, ResidentMemory } from './resident-memory.ts'

function outOfFiles(): never {
  throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
}

it('keeps the last reading while no descriptor is left, and reads again afterwards', () => {
  let now = 0
  let read: () => number = () => 1234
  const resident = new ResidentMemory(
    () => read(),
    () => now,
  )
  expect(resident.bytes).toBe(1234)
  now += 1000
  read = outOfFiles
  expect(resident.bytes).toBe(1234)
  now += 1000
  read = () => 99
  expect(resident.bytes).toBe(99)
})

it('is nothing when the first reading fails', () => {
  expect(new ResidentMemory(outOfFiles).bytes).toBe(0)
})

it('gives the last figures of the process when Node.js cannot ask for new ones', () => {
  const figures = { rss: 5, heapTotal: 4, heapUsed: 3, external: 2, arrayBuffers: 1 }
  processMemory(() => figures)
  expect(processMemory(outOfFiles)).toEqual(figures)
})
