/**
 * BM25 to the last bit of Lucene's: every step is rounded to 32 bits, in Lucene's order, because scores are
 * compared and printed as floats. The part that depends on a document's length is a table of 256 entries.
 */
import { lengthOfNorm } from '../segment/encoding/length-norm.ts'

const f = Math.fround

export const defaultK1 = f(1.2)
export const defaultB = f(0.75)

/** The numerator that Elasticsearch, and OpenSearch before 3.0, kept: scores are k1 + 1 times as high. */
export const legacyFactor = f(1 + defaultK1)

/** The norm of a field without norms: a length of one. */
export const noNorm = 1

/** How rare a term is: `df` documents of `docs` that have the field hold it. */
export function inverseDocumentFrequency(df: number, docs: number): number {
  return f(Math.log(1 + (docs - df + 0.5) / (df + 0.5)))
}

/** The idf of a phrase: that of its terms together. */
export function phraseIdf(idfs: Iterable<number>): number {
  let sum = 0
  for (const idf of idfs) sum += idf
  return f(sum)
}

/** Mean length of a field: tokens in all documents by documents that have it. */
export function averageLength(totalTerms: number, docs: number): number {
  return f(totalTerms / docs)
}

/** What a sloppy phrase match counts for, by how far its words were moved. */
export function sloppyFrequency(distance: number): number {
  return f(1 / f(1 + distance))
}

/** 1 / (k1 · (1 − b + b · length / average)) by norm byte. */
export function inverseNorms(average: number, k1 = defaultK1, b = defaultB): Float32Array {
  const table = new Float32Array(256)
  for (let norm = 0; norm < 256; norm++) {
    const relative = f(f(b * lengthOfNorm[norm]!) / average)
    table[norm] = 1 / f(k1 * f(f(1 - b) + relative))
  }
  return table
}

/** boost · factor · idf, the most a term can score. */
export function termWeight(idf: number, boost = 1, factor = 1): number {
  return f(f(f(boost) * f(factor)) * idf)
}

/** The score of a term that occurs `frequency` times in a document; `inverseNorm` from the table. */
export function bm25(weight: number, frequency: number, inverseNorm: number): number {
  return f(weight - f(weight / f(1 + f(frequency * inverseNorm))))
}

/** The share of the weight that `frequency` earns, as explanations print it. */
export function termFrequencyShare(frequency: number, inverseNorm: number): number {
  return f(1 - f(1 / f(1 + f(frequency * inverseNorm))))
}

/** The score of several clauses: added in double precision, rounded once. */
export function sumScores(scores: Iterable<number>): number {
  let sum = 0
  for (const score of scores) sum += score
  return f(sum)
}
