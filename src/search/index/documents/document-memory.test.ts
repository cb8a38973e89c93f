import { describe, expect, it } from 'vitest'
import { StoreMemory } from '../store-memory.ts'
import { admitDocument } from './document-memory.ts'

const megabyte = 1024 * 1024
const node = (resident: number) =>
  new StoreMemory({ limit: 400 * megabyte, resident: () => resident * megabyte })

/** Short words take the most memory per byte. */
const text = (megabytes: number) => Buffer.alloc(megabytes * megabyte, 'abc ')

describe('the memory of a large document', () => {
  it('is reserved until the document is written', () => {
    const memory = node(100)
    const leave = admitDocument(memory, text(1))
    expect(memory.breakers.request.used).toBeGreaterThan(megabyte)
    leave()
    expect(memory.breakers.request.used).toBe(0)
  })

  it('may exceed the share of requests when nobody else uses it', () => {
    const memory = node(100)
    const leave = admitDocument(memory, text(6))
    expect(() => admitDocument(memory, text(1))).toThrow(/\[request\] Data too large/)
    leave()
    admitDocument(memory, text(1))()
  })

  it('may exceed that share in a bulk request, which has reserved its answer', () => {
    const memory = node(100)
    expect(memory.breakers.request.take(megabyte, 'answer')).toBeUndefined()
    admitDocument(memory, text(6))()
    expect(memory.breakers.request.used).toBe(megabyte)
  })

  it('is refused with 429 when the process has none left', () => {
    expect(() => admitDocument(node(300), text(6))).toThrow(
      expect.objectContaining({ type: 'circuit_breaking_exception', status: 429 }),
    )
  })

  it('is a client error when the node can never have it', () => {
    expect(() => admitDocument(node(100), text(20))).toThrow(
      expect.objectContaining({ type: 'illegal_argument_exception', status: 400 }),
    )
  })
})
