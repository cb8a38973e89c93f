import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { SlabPool, slabBytes } from './slab-pool.ts'

const kb = 1024

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Finalizers run after a collection, in a task of their own. */
async function until(holds: () => boolean): Promise<void> {
  for (let round = 0; round < 200 && !holds(); round++) {
    collect()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

it('sizes slabs in four steps per doubling, so that little is unused', () => {
  for (let bytes = 64 * kb; bytes < 8 * kb * kb; bytes += 4099) {
    const size = slabBytes(bytes)
    expect(size).toBeGreaterThanOrEqual(bytes)
    expect(bytes / size).toBeGreaterThan(0.79)
    expect(size % 8).toBe(0)
  }
})

it('hands out the memory of a slab that was given back', () => {
  const pool = new SlabPool(1024 * kb)
  const first = pool.take(100 * kb)
  new Uint8Array(first)[7] = 42
  expect([pool.lentBytes, pool.freeBytes]).toEqual([112 * kb, 0])
  pool.giveBack(first)
  pool.giveBack(first)
  expect([pool.lentBytes, pool.freeBytes]).toEqual([0, 112 * kb])
  const second = pool.take(90 * kb)
  expect(new Uint8Array(second)[7]).toBe(42)
  expect([pool.lentBytes, pool.freeBytes]).toEqual([112 * kb, 0])
})

it('uses no slab for something much smaller', () => {
  const pool = new SlabPool(1024 * kb)
  pool.giveBack(pool.take(512 * kb))
  expect(pool.take(100 * kb).byteLength).toBe(112 * kb)
  expect(pool.freeBytes).toBe(512 * kb)
})

it('keeps no more free than its limit', () => {
  const pool = new SlabPool(200 * kb)
  const slabs = [64, 128, 256].map((size) => pool.take(size * kb))
  for (const slab of slabs) pool.giveBack(slab)
  expect(pool.freeBytes).toBe(192 * kb)
  pool.maxFreeBytes = 100 * kb
  expect(pool.freeBytes).toBe(64 * kb)
})

it('takes a slab back once nobody can see it, and not while a view of it is left', async () => {
  const pool = new SlabPool(1024 * kb)
  let view: Uint8Array | undefined = new Uint8Array(pool.take(64 * kb), 100, 50)
  collect()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(pool.freeBytes).toBe(0)
  view[0] = 1
  view = undefined
  await until(() => pool.freeBytes > 0)
  expect([pool.lentBytes, pool.freeBytes]).toEqual([0, 64 * kb])
})
