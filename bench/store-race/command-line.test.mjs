import { expect, test } from 'vitest'
import { raceOptions } from './command-line.mjs'

test('without options: 300,000 documents and all kinds', () => {
  const options = raceOptions(['store-race'])
  expect(options).toMatchObject({ events: 300_000, rounds: 9, clients: 8, 'no-opensearch': false })
  expect(options.only.length).toBeGreaterThanOrEqual(15)
})

test('kinds are chosen by name, in the order of the report', () => {
  expect(raceOptions(['store-race', '--only', 'count,match']).only).toEqual(['match', 'count'])
})

test.each([
  [['store-race', 'file-json'], 'store-race runs alone, without other cases'],
  [['store-race', '--rounds', '0'], '--rounds must be a whole number from 1 to 1000'],
  [['store-race', '--seconds', '1.5'], '--seconds must be a whole number from 0 to 3600'],
  [['store-race', '--events', ''], '--events must be a whole number'],
  [['store-race', '--only', 'match,nothing'], 'no kind nothing; there are match,'],
  [['store-race', '--no-opensearch', '--opensearch', 'http://127.0.0.1:1'], 'exclude each other'],
])('%j is refused', (argv, message) => {
  expect(() => raceOptions(argv)).toThrow(message)
})
