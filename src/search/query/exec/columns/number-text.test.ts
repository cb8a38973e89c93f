import { expect, it } from 'vitest'
import { numberTexts } from './number-text.ts'

it('prints scaled numbers beyond all longs as the nearest long', () => {
  expect(numberTexts('price', '{1e+302 2275 4825}', 'scaled_float', true).both).toBe(
    'IndexOrDocValuesQuery(indexQuery=price:{2275 4825 9223372036854775807}, dvQuery=price: [9223372036854775807, 4825, 2275])',
  )
})

it('prints a range of one value as a range, and a term as a term', () => {
  const range = numberTexts('long', '[5 TO 5]', 'long', false, false, true)
  expect(range.approximation).toContain('approximationQuery=Approximate(long:[5 TO 5])')
  expect(numberTexts('long', '[5 TO 5]', 'long', false).approximation).toBeUndefined()
})

it('prints floats with the fewest digits, whole ones too', () => {
  expect(numberTexts('float', '[9007199254740992 TO 73.99999237060547]', 'float', false).index).toBe(
    'float:[9.007199E15 TO 73.99999]',
  )
})
