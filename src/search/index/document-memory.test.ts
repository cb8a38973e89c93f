import { describe, expect, it } from 'vitest'
import { StoreMemory } from '../store-memory.ts'
import { admitDocument } from './document-memory.ts'

const megabyte = 1024 * 1024
const node = (resident: number) =>
  new StoreMemory({ limit: 400 * megabyte, resident: () => resident * megabyte })

describe('the memory of a large document', () => {
  it('is held until the document is written', () => {
    const memory = node(100)
    const leave = admitDocument(memory, megabyte)
    expect(memory.breakers.request.used).toBeGreaterThan(megabyte)
    leave()
    expect(memory.breakers.request.used).toBe(0)
  })

  it('may be more than the share of requests when nobody else has any of it', () => {
    const memory = node(100)
    const leave = admitDocument(memory, 15 * megabyte)
    expect(() => admitDocument(memory, megabyte)).toThrow(/\[request\] Data too large/)
    leave()
    admitDocument(memory, megabyte)()
  })

  it('is refused with 429 when the process has none left', () => {
    expect(() => admitDocument(node(300), 15 * megabyte)).toThrow(
      expect.objectContaining({ type: 'circuit_breaking_exception', status: 429 }),
    )
  })
})
