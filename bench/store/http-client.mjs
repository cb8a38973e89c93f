// Sends documents as official clients do: node bench/store/http-client.mjs PORT DATA, started by bench/store/http.mjs,
// which it tells before each part. One request of 5,000 documents at a time, each with its line of metadata.
import { once } from 'node:events'
import { closeSync, openSync, readSync } from 'node:fs'
import { Agent, request } from 'node:http'

const PER_BODY = 5000
const PER_REFRESH = 10_000
const PER_FLUSH = 125_000
const WARM_UP = 50_000
const READ = 16 * 1024 * 1024

const [port, data] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const type = 'application/vnd.elasticsearch+x-ndjson; compatible-with=8'
const accept = 'application/vnd.elasticsearch+json; compatible-with=8'

function* bodies(index, most) {
  const file = openSync(data, 'r')
  const head = `{"index":{"_index":"${index}"}}\n`
  let rest = ''
  let lines = []
  let docs = 0
  const bytes = Buffer.allocUnsafe(READ)
  for (let got = readSync(file, bytes); got > 0 && docs < most; got = readSync(file, bytes)) {
    const all = (rest + bytes.latin1Slice(0, got)).split('\n')
    rest = all.pop()
    for (const line of all) {
      if (docs === most) break
      docs += 1
      lines.push(head, line, '\n')
      if (docs % PER_BODY !== 0) continue
      yield Buffer.from(lines.join(''), 'latin1')
      lines = []
    }
  }
  closeSync(file)
}

function send(path, body) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': type, accept, 'content-length': body.length }
    const sent = request(
      { port, host: '127.0.0.1', method: 'POST', path, headers, agent },
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
}

async function tell(message) {
  process.send(message)
  await once(process, 'message')
}

async function play(index, most) {
  await tell({ kind: 'begin' })
  let docs = 0
  for (const body of bodies(index, most)) {
    docs += PER_BODY
    await send(`/_bulk${docs % PER_REFRESH === 0 ? '?refresh=true' : ''}`, body)
    if (docs % PER_FLUSH === 0) await tell({ kind: 'flush', index })
  }
  return docs
}

await play('warm-up', WARM_UP)
const docs = await play('logs', Number.POSITIVE_INFINITY)
await tell({ kind: 'end', docs })
process.disconnect()
agent.destroy()
