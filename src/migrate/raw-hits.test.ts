import { expect, it } from 'vitest'
import { rawHits } from './raw-hits.ts'

it('gives the hits of a search with their sources as they are written', () => {
  const source = '{ "hits": {"hits": [1]}, "n": 1.0, "big": 12345678901234567890, "t": "a\\"}]" }'
  const answer = `{"took":1,"_shards":{"total":1},"hits":{"max_score":null,"hits":[
    {"_index":"a","_id":"\\"1\\u00fc","_version":7,"_seq_no":4,"_primary_term":1,"_score":null,"_routing":"r","_source":${source},"sort":[4]},
    {"_index":"a","_id":"2","_version":1,"_seq_no":5,"_source":{}}]}}`
  expect(rawHits(answer)).toEqual([
    { index: 'a', id: '"1ü', routing: 'r', version: 7, seqNo: 4, source },
    { index: 'a', id: '2', routing: undefined, version: 1, seqNo: 5, source: '{}' },
  ])
})

it.each([
  ['{"took":1,"hits":{"hits":[]}}', 0],
  ['{}', 0],
])('finds in %s %i hits', (answer, count) => {
  expect(rawHits(answer)).toHaveLength(count)
})

it('refuses half an answer', () => {
  expect(() => rawHits('{"hits":{"hits":[{"_id":"1","_source":{"a":1')).toThrow('no valid JSON')
})
