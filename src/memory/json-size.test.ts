import { describe, expect, it } from 'vitest'
import { jsonBytes, jsonTooLarge } from './json-size.ts'

const heap = 256 * 1024 * 1024

describe('the size of a JSON text in memory', () => {
  it('grows with values and names, and not with what stands in texts', () => {
    expect(jsonBytes('[1,2,3]')).toBe(3 * 48)
    expect(jsonBytes('{"a":1,"b":[]}')).toBe(3 * 48 + 2 * 112)
    expect(jsonBytes('["[[[,,,:::{{{ \\" [[[ \\\\"]')).toBe(48)
    expect(jsonBytes('"never ends [[[')).toBe(0)
  })

  it('is linear in the backslashes of a text', () => {
    const began = performance.now()
    jsonBytes(`["${'\\\\'.repeat(2_000_000)}"]`)
    expect(performance.now() - began).toBeLessThan(2000)
  })

  it('lets a long text pass and refuses many small values', () => {
    expect(jsonTooLarge(JSON.stringify({ message: 'a, b: [c] '.repeat(2_000_000) }), heap)).toBeUndefined()
    expect(jsonTooLarge(`[${'[],'.repeat(6_000_000)}[]]`, heap)).toEqual({
      bytes: 12_000_002 * 48,
      limit: Math.floor(heap / 5),
    })
    expect(jsonTooLarge(`[${'1,'.repeat(100_000)}1]`, heap)).toBeUndefined()
  })
})
