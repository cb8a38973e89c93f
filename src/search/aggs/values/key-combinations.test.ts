import { expect, it } from 'vitest'
import { AnswerBytes } from '../../answer/answer-memory.ts'
import type { SearchLeaf } from '../../collect/sort/sort-key.ts'
import { KeyCombinations } from './key-combinations.ts'
import type { KeyBatch } from './key-source.ts'

const leaf = {} as SearchLeaf

/** A batch of documents with these keys each, as a source reads it. */
function part(keysOfDocs: readonly (readonly number[])[]): KeyBatch {
  const docs = keysOfDocs.flatMap((keys, doc) => keys.map(() => doc))
  return {
    leaf,
    docs: Uint32Array.from(docs),
    owners: new Uint32Array(docs.length),
    length: docs.length,
    keys: Uint32Array.from(keysOfDocs.flat()),
  }
}

function batch(length: number) {
  return {
    leaf,
    docs: Uint32Array.from({ length }, (_, doc) => doc),
    owners: new Uint32Array(length),
    length,
  }
}

it('finds each combination of the keys of a document, the last source fastest', () => {
  const combinations = new KeyCombinations([false, true, false])
  const seen: string[] = []
  const parts = [part([[1, 2], [1], [2]]), part([[], [7], []]), part([[3, 4], [3], []])]
  combinations.read(batch(3), parts, (doc, _, id) => {
    const from = id * 3
    seen.push(`${doc}: ${[...combinations.keys.subarray(from, from + 3)].join(' ')}`)
  })
  // The third document has no key of a source that wants one.
  expect(seen).toEqual(['0: 1 -1 3', '0: 1 -1 4', '0: 2 -1 3', '0: 2 -1 4', '1: 1 7 3'])
})

it('gives a combination its ordinal again, among thousands', () => {
  const combinations = new KeyCombinations([false, false])
  const count = 50_000
  const parts = [
    part(Array.from({ length: count }, (_, doc) => [doc % 250])),
    part(Array.from({ length: count }, (_, doc) => [Math.floor(doc / 250)])),
  ]
  const read = () => {
    const ids: number[] = []
    combinations.read(batch(count), parts, (_doc, _owner, id) => ids.push(id))
    return ids
  }
  const inOrder = Array.from({ length: count }, (_, id) => id)
  expect(read()).toEqual(inOrder)
  expect(read()).toEqual(inOrder)
  expect(combinations.size).toBe(count)
})

it('is refused where hundreds of sources would take more memory than there is', () => {
  const sources = 500
  const count = 4000
  const parts = Array.from({ length: sources }, () => part(Array.from({ length: count }, (_, doc) => [doc])))
  const read = (bytes: number) => {
    const combinations = new KeyCombinations(new Array<boolean>(sources).fill(false), new AnswerBytes(bytes))
    combinations.read(batch(count), parts, () => {})
    return combinations.size
  }
  // The keys alone are eight million bytes.
  expect(() => read(sources * count * 4)).toThrow('Data too large')
  expect(read(3 * sources * count * 4)).toBe(count)
})
