import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { StoreMemory } from './store-memory.ts'

const mb = 1024 * 1024
const limit = 400 * mb

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

function governed(resident: number, freed: (collections: number) => number) {
  const state = { resident, collections: 0, looks: 0 }
  const memory = new StoreMemory({
    limit,
    resident: () => state.resident,
    collectLeft: () => {
      state.looks += 1
    },
    collect: () => {
      state.collections += 1
      state.resident -= freed(state.collections)
    },
  })
  memory.govern()
  return { state, memory }
}

describe('garbage collection under memory pressure', () => {
  it('does not run while there is enough memory', () => {
    const { state, memory } = governed(280 * mb, () => 0)
    vi.advanceTimersByTime(60_000)
    memory.close()
    expect(state.collections).toBe(0)
  })

  it('looks for buffers left behind from half of the limit on', () => {
    const below = governed(170 * mb, () => 0)
    const above = governed(210 * mb, () => 0)
    vi.advanceTimersByTime(10_000)
    below.memory.close()
    above.memory.close()
    expect(below.state.looks).toBe(0)
    expect(above.state.looks).toBe(40)
  })

  it('runs every second while that frees memory', () => {
    const { state, memory } = governed(1000 * mb, () => 10 * mb)
    vi.advanceTimersByTime(20_000)
    memory.close()
    expect(state.collections).toBeGreaterThanOrEqual(15)
    expect(state.collections).toBeLessThanOrEqual(20)
  })

  it('backs off while that frees nothing, and runs at once after it was better', () => {
    const { state, memory } = governed(390 * mb, () => 0)
    vi.advanceTimersByTime(60_000)
    expect(state.collections).toBeLessThanOrEqual(7)
    expect(state.collections).toBeGreaterThanOrEqual(5)
    const before = state.collections
    state.resident = 200 * mb
    vi.advanceTimersByTime(2000)
    state.resident = 390 * mb
    vi.advanceTimersByTime(2000)
    memory.close()
    expect(state.collections).toBeGreaterThan(before)
  })
})
