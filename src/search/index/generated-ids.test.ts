import { expect, it } from 'vitest'
import { documentId } from './generated-ids.ts'

it('generated ids have twenty characters, and none comes twice', () => {
  const ids = new Set(Array.from({ length: 1000 }, documentId))
  expect(ids.size).toBe(1000)
  for (const id of ids) expect(id).toMatch(/^[\w-]{20}$/)
})
