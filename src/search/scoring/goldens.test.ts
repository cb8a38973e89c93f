/** Every row of numbers and hashes in the goldens printed by Lucene. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { murmur3Text } from '../../text/murmur3.ts'
import { shortestFloat } from '../request/float-text.ts'
import { shardOf } from '../routing/routing.ts'
import { sliceHashOfId, sliceOf } from '../routing/slice-hash.ts'
import { decodeLength, encodeLength } from '../segment/encoding/length-norm.ts'
import {
  averageLength,
  bm25,
  inverseDocumentFrequency,
  inverseNorms,
  legacyFactor,
  noNorm,
  phraseIdf,
  sloppyFrequency,
  sumScores,
  termFrequencyShare,
  termWeight,
} from './bm25.ts'

const goldens = readFileSync(new URL('../../../test/data/lucene-goldens.txt', import.meta.url), 'utf8')

describe('norms', () => {
  it('encode and decode lengths like Lucene', () => {
    const [, row = ''] = /norm bytes len->byte->decoded: (.*)/.exec(goldens) ?? []
    const triples = [...row.matchAll(/(\d+)->(\d+)->(\d+)/g)].map((match) => match.slice(1).map(Number))
    expect(triples.length).toBe(20)
    for (const [length, byte, decoded] of triples) {
      expect([length, encodeLength(length!)]).toEqual([length, byte])
      expect(decodeLength(byte!)).toBe(decoded)
    }
  })

  it("change at the same lengths as Lucene's", () => {
    const [, row = ''] = /first length mapping to a new byte\) 36\.\.200:\n(.*)/.exec(goldens) ?? []
    const thresholds = row.trim().split(' ').map(Number)
    expect(thresholds.length).toBe(35)
    const found: number[] = []
    for (let length = 38; length <= 280; length++)
      if (encodeLength(length) !== encodeLength(length - 1)) found.push(length)
    expect(found).toEqual(thresholds)
  })

  it('decode each byte to the smallest length it is written for', () => {
    for (let byte = 0; byte < 256; byte++) expect(encodeLength(decodeLength(byte))).toBe(byte)
  })
})

describe('BM25', () => {
  const average = averageLength(4 + 3 + 2 + 1 + 51, 5)
  const norms = inverseNorms(average)
  /** Frequencies of a term by document, and lengths. */
  const lengths = [4, 3, 2, 1, 51]
  const frequencies: Record<string, readonly number[]> = { error: [1, 2, 0, 1, 1], database: [1, 1, 0, 0, 3] }
  const idf = (term: string): number =>
    inverseDocumentFrequency(frequencies[term]!.filter((count) => count > 0).length, 5)
  const score = (term: string, doc: number, factor = 1): number =>
    bm25(termWeight(idf(term), 1, factor), frequencies[term]![doc]!, norms[encodeLength(lengths[doc]!)]!)

  it('computes idf', () => {
    const rows = [...goldens.matchAll(/^idf n=(\d+) N=(\d+) = (\S+)/gm)]
    expect(rows.length).toBe(6)
    for (const [, df, docs, expected] of rows)
      expect(shortestFloat(inverseDocumentFrequency(Number(df), Number(docs)))).toBe(Number(expected))
  })

  it.each(['error', 'database'])('scores the term %s', (term) => {
    const [, block = ''] = new RegExp(`^term ${term}\\n((?:  doc .*\\n)+)`, 'm').exec(goldens) ?? []
    const rows = [...block.matchAll(/doc (\d) score (\S+) legacy\(x2\.2\) (\S+)/g)]
    expect(rows.length).toBe(term === 'error' ? 4 : 3)
    for (const [, doc, expected, legacy] of rows) {
      expect(shortestFloat(score(term, Number(doc)))).toBe(Number(expected))
      // The column is the score times 2.2; a cluster scales the weight, and may differ in the last bit.
      const plain = score(term, Number(doc))
      expect(shortestFloat(Math.fround(plain * legacyFactor))).toBe(Number(legacy))
      expect(Math.abs(score(term, Number(doc), legacyFactor) / Number(legacy) - 1)).toBeLessThan(2 ** -23)
    }
  })

  it('computes the tf part of explanations', () => {
    expect(goldens).toContain('0.7932379 = tf,')
    expect(shortestFloat(termFrequencyShare(2, norms[encodeLength(3)]!))).toBe(0.7932379)
    expect(shortestFloat(average)).toBe(12.2)
  })

  it('sums the scores of two terms', () => {
    const rows = [...goldens.matchAll(/^ {2}OR doc (\d) (\S+)/gm)]
    expect(rows.length).toBe(4)
    for (const [, doc, expected] of rows) {
      const parts = ['error', 'database'].filter((term) => frequencies[term]![Number(doc)]! > 0)
      expect(shortestFloat(sumScores(parts.map((term) => score(term, Number(doc)))))).toBe(Number(expected))
    }
  })

  it('scores exact and sloppy phrases', () => {
    const weight = termWeight(phraseIdf([idf('database'), idf('error')]))
    const phrase = (doc: number, frequency: number): number =>
      shortestFloat(bm25(weight, frequency, norms[encodeLength(lengths[doc]!)]!))
    const rows = [...goldens.matchAll(/^ {2}phrase (slop3 )?doc (\d) (\S+)/gm)]
    expect(rows.length).toBe(3)
    // Sloppy: the words stand in reverse or two apart, which is a distance of 2 in both documents.
    for (const [, sloppy, doc, expected] of rows)
      expect(phrase(Number(doc), sloppyFrequency(sloppy === undefined ? 0 : 2))).toBe(Number(expected))
  })

  it('scores a keyword with idf times the legacy factor, but for the last bit', () => {
    // One of two documents: Elasticsearch 7 and later answer 0.6931471.
    const weight = termWeight(inverseDocumentFrequency(1, 2), 1, legacyFactor)
    expect(String(shortestFloat(bm25(weight, 1, inverseNorms(1)[noNorm]!)))).toBe('0.6931471')
  })
})

describe('hashes', () => {
  it('assigns ids to the same shards as Elasticsearch', () => {
    const rows = [...goldens.matchAll(/^"(.*)" hash (-?\d+) shard of 5=(\d) of 2=(\d) of 3=(\d)/gm)]
    expect(rows.length).toBe(10)
    for (const [, text = '', hash, five, two, three] of rows) {
      expect([text, murmur3Text(text)]).toEqual([text, Number(hash)])
      expect([text, shardOf(text, 5), shardOf(text, 2), shardOf(text, 3)]).toEqual([
        text,
        Number(five),
        Number(two),
        Number(three),
      ])
    }
    expect(['1', '2', '3'].map((id) => shardOf(id, 5, 5))).toEqual([3, 2, 4])
  })

  it('assigns ids to the same slices as Elasticsearch', () => {
    const rows = [...goldens.matchAll(/^(\d+) hash (-?\d+) slice of 2=(\d) of 3=(\d)/gm)]
    expect(rows.length).toBe(6)
    for (const [, id = '', hash, two, three] of rows) {
      expect([id, sliceHashOfId(id)]).toEqual([id, Number(hash)])
      expect([sliceOf(Number(hash), 2), sliceOf(Number(hash), 3)]).toEqual([Number(two), Number(three)])
    }
  })
})
