// The digest of an output: how many lines, and one SHA-256 that does not depend on their order. A speed counts only
// if the digest equals that of the limit program. JSON lines are compared by value: keys sorted, and a volatile
// field replaced by a marker when it has the right form; a missing or malformed one stays and shows.
// The hash is taken over the sorted hashes of the lines, so memory does not grow with their length.
import { createHash, hash as hashOf } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'

const CHUNK = 1 << 20
const MAX_LINE_LENGTH = 16 << 20

const volatileForms = {
  '@timestamp': (value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.(\d{3}|\d{6}|\d{9})Z$/.test(value),
  port: (value) => Number.isInteger(value) && value > 0 && value < 65_536,
}

/**
 * `rule.kind`: `json-lines` (with `rule.volatile`, a list of field names), `bytes`, `empty`, or `count`, which counts
 * lines and compares nothing.
 * JSON lines also answer `known`, the set of their hashes; given the set of another output, they answer `stranger`,
 * the first line that is not in it.
 */
export function digestFile(path, rule, known) {
  if (rule.kind === 'json-lines') return digestJsonLines(path, rule.volatile, known)
  if (rule.kind === 'count') return { count: lineCount(path), unit: 'lines', sha256: undefined }
  const hash = createHash('sha256')
  let count = 0
  for (const chunk of chunksOf(path)) {
    hash.update(chunk)
    count += chunk.length
  }
  if (rule.kind === 'bytes') return { count, unit: 'bytes', sha256: hash.digest('hex') }
  return { count, unit: 'bytes', sha256: count === 0 ? 'empty' : hash.digest('hex') }
}

function lineCount(path) {
  let count = 0
  for (const chunk of chunksOf(path)) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count++
  }
  return count
}

function digestJsonLines(path, volatile, known) {
  const hashes = []
  let stranger
  for (const line of linesOf(path)) {
    const canonical = canonicalLine(line, volatile)
    const hash = hashOf('sha256', canonical, 'base64')
    if (known !== undefined && stranger === undefined && !known.has(hash)) stranger = canonical
    hashes.push(hash)
  }
  const all = createHash('sha256')
  for (const hash of hashes.sort()) all.update(hash)
  const digest = { count: hashes.length, unit: 'lines', sha256: all.digest('hex') }
  return known === undefined ? { ...digest, known: new Set(hashes) } : { ...digest, stranger }
}

export function canonicalLine(line, volatile) {
  let event
  try {
    event = JSON.parse(line)
  } catch {
    return `not JSON: ${line}`
  }
  if (event === null || typeof event !== 'object') return `not an object: ${line}`
  for (const field of volatile) {
    if (Object.hasOwn(event, field) && volatileForms[field](event[field])) event[field] = `<${field}>`
  }
  return JSON.stringify(sorted(event))
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  )
}

function* chunksOf(path) {
  const file = openSync(path)
  try {
    const chunk = Buffer.allocUnsafe(CHUNK)
    for (let got; (got = readSync(file, chunk, 0, CHUNK, null)) > 0; ) yield chunk.subarray(0, got)
  } finally {
    closeSync(file)
  }
}

// A last line without its line end is marked, so that it never equals a complete one.
function* linesOf(path) {
  let kept = Buffer.alloc(0)
  for (const chunk of chunksOf(path)) {
    const data = Buffer.concat([kept, chunk])
    let start = 0
    for (let stop = data.indexOf(10); stop >= 0; stop = data.indexOf(10, start)) {
      yield data.toString('utf8', start, stop)
      start = stop + 1
    }
    kept = data.subarray(start)
    if (kept.length > MAX_LINE_LENGTH) throw new Error(`${path}: a line is longer than 16 MiB`)
  }
  if (kept.length > 0) yield `${kept.toString()} (no line end)`
}
