import { expect, it } from 'vitest'
import { uidTexts } from './uid-text.ts'

it.each([
  [
    ['178', '77'],
    ['[fe 17 8f]', '[fe 77]'],
  ],
  [
    ['1', 'abc', '_x'],
    ['[69 b7]', '[fe 1f]', '[ff 5f 78]'],
  ],
] as const)('prints %j as OpenSearch does', (ids, expected) => {
  expect(uidTexts(ids)).toEqual(expected)
})
