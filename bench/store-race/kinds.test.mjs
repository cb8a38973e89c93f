import { expect, test } from 'vitest'
import { seeded } from '../generate/random.mjs'
import { lines } from '../generate/store-logs.mjs'
import { seedOf } from './alone.mjs'
import { bulkBodies } from './bodies.mjs'
import { shuffled } from './crowd.mjs'
import { kinds, requestOf } from './kinds.mjs'
import { index } from './mapping.mjs'
import { vocabularyOf } from './vocabulary.mjs'

const documents = [...lines(5000, 42)]
const vocabulary = vocabularyOf(documents)
const bodies = (kind, seed, count) => {
  const random = seeded(seed)
  return Array.from({ length: count }, () => requestOf(kind, vocabulary, random, 'logs').body)
}

test('there are at least fifteen kinds, each with a name of its own', () => {
  expect(kinds.length).toBeGreaterThanOrEqual(15)
  expect(new Set(kinds.map(({ name }) => name)).size).toBe(kinds.length)
})

test.each(kinds.map((kind) => [kind.name, kind]))(
  '%s: values vary, and a seed repeats them',
  (_name, kind) => {
    const first = bodies(kind, 1, 20)
    expect(bodies(kind, 1, 20)).toEqual(first)
    expect(bodies(kind, 2, 20)).not.toEqual(first)
    expect(new Set(first).size).toBeGreaterThan(8)
    for (const body of first) for (const line of body.trim().split('\n')) JSON.parse(line)
  },
)

test('no request is answered from a cache', () => {
  for (const kind of kinds) {
    const { path, body } = requestOf(kind, vocabulary, seeded(1), 'logs')
    if (kind.endpoint === '_msearch') expect(body.match(/"request_cache":false/g)).toHaveLength(5)
    else if (kind.endpoint !== '_count') expect(path).toBe('/logs/_search?request_cache=false')
  }
})

test('the vocabulary is what the documents have', () => {
  const text = documents.join('\n')
  for (const word of vocabulary.words.slice(0, 50)) expect(text).toMatch(new RegExp(`\\b${word}\\b`))
  for (const pair of vocabulary.pairs.slice(0, 50)) expect(text).toContain(pair)
  expect(vocabulary.frequent.length).toBeGreaterThan(8)
  expect(vocabulary.words).toEqual(expect.arrayContaining(vocabulary.frequent))
  expect(vocabulary.to).toBeGreaterThan(vocabulary.from)
})

test('the mapping declares every field of the documents, and no other', () => {
  const leaves = (value, path) =>
    Object.entries(value).flatMap(([name, inner]) =>
      typeof inner === 'object' && !Array.isArray(inner)
        ? leaves(inner, `${path}${name}.`)
        : [`${path}${name}`],
    )
  const fields = ({ properties }, path) =>
    Object.entries(properties).flatMap(([name, inner]) =>
      inner.properties === undefined ? [`${path}${name}`] : fields(inner, `${path}${name}.`),
    )
  expect(fields(index.mappings, '').sort()).toEqual(leaves(JSON.parse(documents[0]), '').sort())
})

test('bodies have all documents, a thousand each', () => {
  const made = bulkBodies(documents.slice(0, 2500))
  expect(made.map((body) => body.documents)).toEqual([1000, 1000, 500])
  const sent = made.flatMap(({ bytes }) => bytes.toString().trimEnd().split('\n'))
  expect(sent.filter((_, at) => at % 2 === 1)).toEqual(documents.slice(0, 2500))
  expect(new Set(sent.filter((_, at) => at % 2 === 0))).toEqual(new Set(['{"index":{}}']))
})

test('seeds of different rounds and kinds differ', () => {
  const all = Array.from({ length: 2500 }, (_, n) => seedOf(1, n % 50, Math.floor(n / 50)))
  expect(new Set(all).size).toBe(2500)
})

test('a shuffled list has the same entries', () => {
  const list = Array.from({ length: 30 }, (_, n) => n)
  const mixed = shuffled(list, seeded(3))
  expect(mixed).not.toEqual(list)
  expect(mixed.sort((a, b) => a - b)).toEqual(list)
})
