// The far end of a bulk output: node bench/bulk-sink.mjs PORT OUTPUT, until SIGTERM
// Takes bulk requests, writes their documents to a file, a line each, and answers with a status per item. It is no
// part of what is measured. Every second line of a body is a document, because nobody sends deletions here.
import { openSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import { gunzipSync } from 'node:zlib'

const [port, path] = process.argv.slice(2)
if (path === undefined) throw new Error('usage: node bench/bulk-sink.mjs PORT OUTPUT')
const output = openSync(path, 'w')

// Moves the documents together at the front of the body; answers how many there are and how long they are.
function keepDocuments(body) {
  let count = 0
  let used = 0
  for (let at = body.indexOf(10) + 1; at > 0; ) {
    const end = body.indexOf(10, at) + 1
    if (end === 0) break
    body.copy(body, used, at, end)
    used += end - at
    count += 1
    at = body.indexOf(10, end) + 1
  }
  return { count, used }
}

const answers = new Map()

function answerFor(count) {
  let answer = answers.get(count)
  if (answer === undefined) {
    const items = Array.from({ length: count }, () => '{"index":{"status":201}}').join(',')
    answer = Buffer.from(`{"took":1,"errors":false,"items":[${items}]}`)
    answers.set(count, answer)
  }
  return answer
}

function take(request, response) {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    response.setHeader('content-type', 'application/json')
    if (request.method !== 'POST') {
      response.end(request.method === 'HEAD' ? undefined : '{"version":{"number":"8.15.0"}}')
      return
    }
    const raw = Buffer.concat(chunks)
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw
    const { count, used } = keepDocuments(body)
    for (let from = 0; from < used; ) from += writeSync(output, body, from, used - from)
    response.end(answerFor(count))
  })
}

const server = createServer({ keepAliveTimeout: 60_000 }, take)
server.listen(Number(port), '127.0.0.1', () => process.stdout.write('listening\n'))
