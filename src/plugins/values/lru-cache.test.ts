import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LruCache } from './lru-cache.ts'

const key = fc.integer({ min: 0, max: 9 }).map(String)
const step = fc.oneof(
  fc.record({ do: fc.constant('get' as const), key }),
  fc.record({ do: fc.constant('set' as const), key }),
  fc.record({ do: fc.constant('delete' as const), key }),
)

describe('a cache with an upper size', () => {
  it('forgets what was used longest ago, and nothing else', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 200 }), (size, steps) => {
        const cache = new LruCache<number>(size)
        /** The oldest first; a get moves what it finds only when half of the places are taken. */
        let model: [string, number][] = []
        const move = (name: string, value: number) => {
          model = [...model.filter(([known]) => known !== name), [name, value]]
        }
        steps.forEach(({ do: what, key: name }, n) => {
          const known = model.find(([other]) => other === name)
          if (what === 'get') {
            expect(cache.get(name)).toBe(known?.[1])
            if (known !== undefined && model.length * 2 > size) move(name, known[1])
          } else if (what === 'set') {
            cache.set(name, n)
            if (known !== undefined) known[1] = n
            else {
              if (model.length === size) model.shift()
              move(name, n)
            }
          } else {
            cache.delete(name)
            model = model.filter(([other]) => other !== name)
          }
          expect(cache.size).toBe(model.length)
        })
        for (const [name, value] of model) expect(cache.get(name)).toBe(value)
      }),
    )
  })

  it('keeps nothing when its size is zero', () => {
    const cache = new LruCache<number>(0)
    cache.set('a', 1)
    expect([cache.get('a'), cache.size]).toEqual([undefined, 0])
  })
})
