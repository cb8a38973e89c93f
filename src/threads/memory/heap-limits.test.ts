import { describe, expect, it } from 'vitest'
import { heapLimits, processMemory } from './heap-limits.ts'

const megabyte = 1024 * 1024
const gigabyte = 1024 * megabyte

describe('the memory of the process', () => {
  it('is what the control group allows, or what the machine has', () => {
    expect(processMemory(512 * megabyte, 8 * gigabyte)).toBe(512 * megabyte)
    // Without a limit Node says 0, or the largest number the kernel knows.
    expect(processMemory(0, 8 * gigabyte)).toBe(8 * gigabyte)
    expect(processMemory(2 ** 64, 8 * gigabyte)).toBe(8 * gigabyte)
  })

  it('is that of a control group whose share is the limit, where one is asked for', () => {
    expect(processMemory(0, 8 * gigabyte, 400 * megabyte)).toBe(500 * megabyte)
    expect(processMemory(gigabyte, 8 * gigabyte, 400 * megabyte)).toBe(500 * megabyte)
    // What is the standard anyway, and more than that, leaves it at what there is.
    expect(processMemory(0, 8 * gigabyte, 4 * gigabyte)).toBe(8 * gigabyte)
    expect(processMemory(512 * megabyte, 8 * gigabyte, 500 * megabyte)).toBe(512 * megabyte)
  })
})

describe('the heap of a thread', () => {
  it('is half of that memory, neither too small to work nor more than V8 takes by itself', () => {
    const heap = (bytes: number) => heapLimits(bytes).maxOldGenerationSizeMb
    expect(heap(512 * megabyte)).toBe(256)
    expect(heap(64 * megabyte)).toBe(96)
    expect(heap(64 * gigabyte)).toBe(4096)
  })

  it('has a small young generation where memory is scarce', () => {
    expect(heapLimits(512 * megabyte, 32).maxYoungGenerationSizeMb).toBe(6)
    expect(heapLimits(2 * gigabyte, 32).maxYoungGenerationSizeMb).toBe(32)
    expect(heapLimits(2 * gigabyte)).not.toHaveProperty('maxYoungGenerationSizeMb')
  })
})
