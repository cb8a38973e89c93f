/** How much a term tells of a document: `frequency · idf`, with the older of Lucene's two formulas, in floats. */
export function tellingScore(frequency: number, docFreq: number, documents: number): number {
  const idf = Math.fround(Math.log((documents + 1) / (docFreq + 1)) + 1)
  return Math.fround(frequency * idf)
}
