/**
 * BM25 (Robertson and Zaragoza) bit for bit as in Lucene's BM25Similarity: every step is rounded to 32 bits in
 * Lucene's order, because scores are compared and printed as floats. The length normalisation is a table of 256
 * entries by norm byte.
 */
import { lengthOfNorm } from '../segment/encoding/length-norm.ts'

const f = Math.fround

export const defaultK1 = f(1.2)
export const defaultB = f(0.75)

/** The numerator k1 + 1 that Elasticsearch, and OpenSearch before 3.0, kept (LegacyBM25Similarity). */
export const legacyFactor = f(1 + defaultK1)

/** The norm of a field without norms stands for a length of one. */
export const noNorm = 1

/** idf: `df` of the `docs` documents that have the field contain the term. */
export function inverseDocumentFrequency(df: number, docs: number): number {
  return f(Math.log(1 + (docs - df + 0.5) / (df + 0.5)))
}

/** The idf of a phrase is the sum over its terms. */
export function phraseIdf(idfs: Iterable<number>): number {
  let sum = 0
  for (const idf of idfs) sum += idf
  return f(sum)
}

/** avgdl: total term frequency divided by the number of documents that have the field. */
export function averageLength(totalTerms: number, docs: number): number {
  return f(totalTerms / docs)
}

/** The frequency of a sloppy phrase match, by the edit distance of its words. */
export function sloppyFrequency(distance: number): number {
  return f(1 / f(1 + distance))
}

/** Returns 1 / (k1 · (1 − b + b · length / average)) by norm byte. */
export function inverseNorms(average: number, k1 = defaultK1, b = defaultB): Float32Array {
  const table = new Float32Array(256)
  for (let norm = 0; norm < 256; norm++) {
    const relative = f(f(b * lengthOfNorm[norm]!) / average)
    table[norm] = 1 / f(k1 * f(f(1 - b) + relative))
  }
  return table
}

/** boost · factor · idf, the upper bound of a term's score. */
export function termWeight(idf: number, boost = 1, factor = 1): number {
  return f(f(f(boost) * f(factor)) * idf)
}

/** Returns the score of a term that occurs `frequency` times; `inverseNorm` is from the table. */
export function bm25(weight: number, frequency: number, inverseNorm: number): number {
  return f(weight - f(weight / f(1 + f(frequency * inverseNorm))))
}

/** The tf part of the score, as explanations print it. */
export function termFrequencyShare(frequency: number, inverseNorm: number): number {
  return f(1 - f(1 / f(1 + f(frequency * inverseNorm))))
}

/** Sums the scores of clauses in double precision and rounds once. */
export function sumScores(scores: Iterable<number>): number {
  let sum = 0
  for (const score of scores) sum += score
  return f(sum)
}
