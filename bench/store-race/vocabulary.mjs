// What requests can ask for, taken from the documents themselves: words by how many documents have them, pairs of words
// that stand side by side, names of services in proportion to their documents, ids, and the span of time.

const SAMPLE = 20_000
const FEWEST_IN_SAMPLE = 5
/** Shares of the documents: a word of a first page, and one that fills ten thousand hits and more. */
const MAX_COMMON = 0.25
const FREQUENT = 0.05

/** `lines`: documents as JSON texts; a sample is read evenly from all of them. */
export function vocabularyOf(lines) {
  const step = Math.max(1, Math.floor(lines.length / SAMPLE))
  const documents = []
  for (let at = 0; at < lines.length; at += step) documents.push(JSON.parse(lines[at]))
  const found = new Map()
  const pairs = new Set()
  for (const { message } of documents) {
    for (const word of new Set(message.match(/(?<![\w.])[a-z]{3,}(?![\w.])/g))) {
      found.set(word, (found.get(word) ?? 0) + 1)
    }
    for (const [, one, other] of message.matchAll(/(?<!\S)(?=([a-z]{3,}) ([a-z]{3,})(?!\S))/g)) {
      pairs.add(`${one} ${other}`)
    }
  }
  const inRange = (least, most) =>
    [...found].filter(([, count]) => count >= least && count <= most).map(([word]) => word)
  const times = documents.map((document) => Date.parse(document['@timestamp']))
  return {
    words: inRange(FEWEST_IN_SAMPLE, MAX_COMMON * documents.length),
    frequent: inRange(FREQUENT * documents.length, MAX_COMMON * documents.length),
    pairs: [...pairs],
    services: documents.map((document) => document.service.name),
    hosts: documents.map((document) => document.host.name),
    paths: documents.map((document) => document.url.path),
    statuses: documents.map((document) => document.http.response.status_code),
    ids: documents.map((document) => document.trace.id),
    from: times.reduce((least, time) => Math.min(least, time)),
    to: times.reduce((greatest, time) => Math.max(greatest, time)),
  }
}
