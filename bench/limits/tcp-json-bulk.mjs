// Floor of the json-bulk case: node tcp-json-bulk.mjs PORT SINK_PORT, until SIGTERM
// Lines are not parsed: each gets an action line in front and the members of an event at its end. What has arrived
// while a bulk request was under way goes into the next one, so one request is always under way.
import { isAscii } from 'node:buffer'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'

const [port, sinkPort] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const MAX_WAITING = 4 << 20

let waiting = []
let waitingBytes = 0
let sending = false
let resume = () => {}

function send() {
  if (sending || waiting.length === 0) return
  sending = true
  const body = Buffer.concat(waiting)
  waiting = []
  waitingBytes = 0
  resume()
  const headers = { 'content-type': 'application/json', 'content-length': body.length }
  const post = request(
    { port: sinkPort, host: '127.0.0.1', method: 'POST', path: '/_bulk', agent, headers },
    (answer) => {
      answer.resume()
      answer.on('end', () => {
        sending = false
        send()
      })
    },
  )
  post.end(body)
}

function receive(socket) {
  const peer = `"host":"${socket.remoteAddress}","port":${socket.remotePort}`
  let kept = Buffer.alloc(0)
  socket.on('data', (received) => {
    const chunk = kept.length === 0 ? received : Buffer.concat([kept, received])
    const end = chunk.lastIndexOf(10) + 1
    kept = chunk.subarray(end)
    if (end === 0) return
    const whole = chunk.subarray(0, end)
    const text = isAscii(whole) ? whole.latin1Slice(0, end) : whole.utf8Slice(0, end)
    const now = new Date().toISOString()
    const head = `{"index":{"_index":"logstash-${now.slice(0, 10).replaceAll('-', '.')}"}}\n`
    const tail = `,"@timestamp":"${now}","@version":"1",${peer}}\n`
    let bulk = ''
    let start = 0
    for (let stop = text.indexOf('\n'); stop >= 0; stop = text.indexOf('\n', start)) {
      bulk += head + text.slice(start, stop - 1) + tail
      start = stop + 1
    }
    const bytes = Buffer.from(bulk)
    waiting.push(bytes)
    waitingBytes += bytes.length
    if (waitingBytes > MAX_WAITING) {
      socket.pause()
      resume = () => socket.resume()
    }
    send()
  })
}

createServer(receive).listen(Number(port), '127.0.0.1')
