import { describe, expect, it } from 'vitest'
import type { SourceShape } from '../../segment/writer/source-shape.ts'
import { ByteNode, reading } from './byte-plan.ts'
import { type ShapeStep, ShapeTrie, spelling } from './shape-trie.ts'

const text = Buffer.from(`{${' '.repeat(20_000)}"k":"`)
const view = new DataView(new Uint8Array([...text, ...new Uint8Array(8)]).buffer)
const node = new ByteNode('k', reading.text, 0)

describe('the shape trie', () => {
  it('compares every constant byte', () => {
    for (let length = 1; length <= 40; length++) {
      const bytes = Uint8Array.from({ length: length + 8 }, (_, i) => 33 + ((i * 7) % 90))
      const step = new ShapeTrie().step(undefined, new DataView(bytes.buffer), 0, length, spelling.text, node)
      const isAt = (given: Uint8Array, to = length) => step.isAt(new DataView(given.buffer), 0, to)
      expect(isAt(bytes)).toBe(true)
      expect(isAt(bytes, length - 1)).toBe(false)
      for (let place = 0; place < length + 8; place++) {
        const changed = bytes.slice()
        changed[place]! ^= 1
        expect([length, place, isAt(changed)]).toEqual([length, place, place >= length])
      }
    }
  })

  it('reuses shapes, and evicts them when they are too large together', () => {
    const shapes = new ShapeTrie()
    const step = (after: ShapeStep | undefined, from: number, to: number) =>
      shapes.step(after, view, from, to, spelling.text, node)
    const made = new Set<SourceShape>()
    let first = step(undefined, 0, text.length)
    let forgotten = 0
    for (let i = 0; i < 250; i++) {
      if (shapes.first.length === 0) {
        forgotten++
        first = step(undefined, 0, text.length)
      }
      const middle = step(first, 0, 1 + (i % 16))
      const end = step(middle, 0, 1 + (i >> 4))
      const shape = shapes.shapeOf(end)
      expect(shapes.shapeOf(end)).toBe(shape)
      made.add(shape)
      const isForgotten = shapes.first.length === 0
      expect(shapes.stepsOf(shape)).toEqual(isForgotten ? undefined : [first, middle, end])
    }
    expect(made.size).toBe(250)
    expect([...made].filter((shape) => shapes.stepsOf(shape) !== undefined).length).toBeLessThan(60)
    // 250 shapes of 20,000 bytes each exceed the limit once.
    expect(forgotten).toBe(1)
    expect(shapes.isOpen).toBe(false)
  })
})
