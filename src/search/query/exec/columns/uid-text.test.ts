import { expect, it } from 'vitest'
import { idsQuery } from './predicate-query.ts'
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

it('texts of ids are made only for those who ask for them', () => {
  const ids = Array.from({ length: 200_000 }, (_, at) => String(at))
  const millis = (work: () => unknown) => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  const query = idsQuery(ids)
  expect(millis(() => idsQuery(ids)) * 3).toBeLessThan(millis(() => query.described))
})
