/** Error texts as OpenSearch 3.8 answers them. */
import { expect, it } from 'vitest'
import { inOpenSearchWords } from './open-search-words.ts'

it('words an error, its causes and those of shards as OpenSearch does', () => {
  const order = {
    type: 'illegal_argument_exception',
    reason: 'No enum constant org.elasticsearch.search.sort.SortOrder.UP',
  }
  const said = { ...order, reason: 'No enum constant org.opensearch.search.sort.SortOrder.UP' }
  const whole = {
    root_cause: [order],
    type: 'a',
    failed_shards: [{ shard: 0, reason: order }],
    caused_by: order,
  }
  expect(inOpenSearchWords(whole)).toEqual({
    root_cause: [said],
    type: 'a',
    failed_shards: [{ shard: 0, reason: said }],
    caused_by: said,
  })
})

it.each([
  [
    'Invalid aggregator order path [nope]. The provided aggregation',
    'Invalid aggregation order path [nope]. The provided aggregation',
  ],
  ['fuzziness cannot be [x]', 'Invalid fuzziness value: x'],
  [
    'Can only use prefix queries on keyword, text and wildcard fields - not on [int]',
    'Can only use prefix queries on keyword and text fields - not on [int]',
  ],
])('says for %s: %s', (reason, said) => {
  expect(inOpenSearchWords({ type: 'x', reason })).toEqual({ type: 'x', reason: said })
})

it('calls an unknown setting by its own type', () => {
  const reason = 'unknown setting [index.nope] did you mean [index.codec]?'
  expect(inOpenSearchWords({ type: 'illegal_argument_exception', reason })).toEqual({
    type: 'settings_exception',
    reason,
  })
})
