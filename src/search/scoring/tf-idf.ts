/**
 * tf-idf of a term in a document with the idf of Lucene's ClassicSimilarity, in floats; `more_like_this` and term
 * vector filters choose terms by it.
 */
export function tfIdf(frequency: number, docFreq: number, documents: number): number {
  const idf = Math.fround(Math.log((documents + 1) / (docFreq + 1)) + 1)
  return Math.fround(frequency * idf)
}
