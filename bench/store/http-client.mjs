// Sends documents as official clients do: node bench/store/http-client.mjs PORT DATA, started by bench/store/http.mjs,
// which it tells before each part. One request of 5,000 documents at a time, each with its line of metadata. It is the
// official client of Elasticsearch where `npm run test:extra -- clients` has installed it, or where the variable
// MILLRACE_CLIENTS says; without it requests of the same bytes are made by node:http.
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const PER_BODY = 5000
const PER_REFRESH = 10_000
const PER_FLUSH = 125_000
const WARM_UP = 50_000
const READ = 16 * 1024 * 1024

const [port, data] = process.argv.slice(2)
const clients = process.env.MILLRACE_CLIENTS ?? join(import.meta.dirname, '..', '..', '.tmp', 'clients')
const client = existsSync(join(clients, 'node_modules', 'es8')) ? officialClient() : plainClient()

/** Lists of lines, action and document in turn. */
function* bodies(index, most) {
  const file = openSync(data, 'r')
  const head = `{"index":{"_index":"${index}"}}`
  let rest = Buffer.alloc(0)
  let lines = []
  let docs = 0
  for (;;) {
    const bytes = Buffer.allocUnsafe(READ)
    const got = readSync(file, bytes)
    if (got === 0 || docs >= most) break
    const read = Buffer.concat([rest, bytes.subarray(0, got)])
    const end = read.lastIndexOf('\n') + 1
    rest = read.subarray(end)
    for (const line of read.toString('utf8', 0, end).split('\n')) {
      if (docs === most || line === '') break
      docs += 1
      lines.push(head, line)
      if (docs % PER_BODY !== 0) continue
      yield lines
      lines = []
    }
  }
  closeSync(file)
}

function officialClient() {
  const { Client } = createRequire(join(clients, 'package.json'))('es8')
  const { version } = JSON.parse(readFileSync(join(clients, 'node_modules', 'es8', 'package.json'), 'utf8'))
  const official = new Client({ node: `http://127.0.0.1:${port}` })
  return {
    name: `@elastic/elasticsearch ${version}`,
    async send(operations, refresh) {
      const { errors, items } = await official.bulk({ operations, refresh })
      if (errors || items.length !== PER_BODY) throw new Error(JSON.stringify(items[0]))
    },
    close: () => official.close(),
  }
}

function plainClient() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = {
    'content-type': 'application/vnd.elasticsearch+x-ndjson; compatible-with=8',
    accept: 'application/vnd.elasticsearch+json; compatible-with=8',
  }
  const send = (operations, refresh) =>
    new Promise((resolve, reject) => {
      const body = Buffer.from(`${operations.join('\n')}\n`)
      const sent = request(
        {
          port,
          host: '127.0.0.1',
          method: 'POST',
          path: `/_bulk${refresh ? '?refresh=true' : ''}`,
          headers: { ...headers, 'content-length': body.length },
          agent,
        },
        async (answer) => {
          const chunks = []
          for await (const chunk of answer) chunks.push(chunk)
          const text = Buffer.concat(chunks).toString()
          if (answer.statusCode === 200 && text.includes('"errors":false')) resolve()
          else reject(new Error(text.slice(0, 300)))
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
  return { name: 'node:http', send, close: () => agent.destroy() }
}

async function tell(message) {
  process.send(message)
  await once(process, 'message')
}

async function play(index, most) {
  await tell({ kind: 'begin' })
  let docs = 0
  for (const operations of bodies(index, most)) {
    docs += PER_BODY
    await client.send(operations, docs % PER_REFRESH === 0)
    if (docs % PER_FLUSH === 0) await tell({ kind: 'flush', index })
  }
  return docs
}

await play('warm-up', WARM_UP)
const docs = await play('logs', Number.POSITIVE_INFINITY)
await tell({ kind: 'end', docs, client: client.name })
process.disconnect()
await client.close()
