import { afterEach, expect, it } from 'vitest'
import { Analysis } from '../analysis.ts'

const { Int32Array: Original } = globalThis

afterEach(() => {
  globalThis.Int32Array = Original
})

it.each(['synonym', 'synonym_graph'])('a token buffer serves all rules of a %s filter', (type) => {
  let arrays = 0
  globalThis.Int32Array = new Proxy(Original, {
    construct(target, values) {
      arrays++
      return Reflect.construct(target, values)
    },
  })
  const synonyms = Array.from({ length: 1000 }, (_, i) => `a${i}, b${i}, c${i} d`)
  const analyzer = new Analysis().custom('standard', [{ type, synonyms }], [])
  expect(arrays).toBeLessThan(100)
  expect(analyzer).toBeDefined()
})
