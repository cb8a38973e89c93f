// Floor of the tcp-json-mutate case: node tcp-json-mutate.mjs PORT OUTPUT, until SIGTERM
// Per line: JSON.parse, the tag, the rename and the added field as plain assignments, JSON.stringify. Each received
// chunk becomes one synchronous write, so whatever was received is in the file when the signal comes.
import { isAscii } from 'node:buffer'
import { openSync, writeSync } from 'node:fs'
import { createServer } from 'node:net'

const [port, path] = process.argv.slice(2)
const output = openSync(path, 'w')

function writeAll(text) {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; ) from += writeSync(output, bytes, from)
}

function convert(line, timestamp, peer) {
  const event = JSON.parse(line)
  event['@timestamp'] = timestamp
  event['@version'] = '1'
  event.host = peer.address
  event.port = peer.port
  if (event.level === 'error') event.tags = ['alert']
  event.message = event.msg
  event.msg = undefined // JSON.stringify leaves it out; `delete` would slow the object down
  event.env = 'prod'
  return JSON.stringify(event)
}

function receive(socket) {
  const peer = { address: socket.remoteAddress, port: socket.remotePort }
  let kept = Buffer.alloc(0)
  socket.on('data', (received) => {
    const chunk = kept.length === 0 ? received : Buffer.concat([kept, received])
    const end = chunk.lastIndexOf(10) + 1
    kept = chunk.subarray(end)
    const whole = chunk.subarray(0, end)
    const text = isAscii(whole) ? whole.latin1Slice(0, end) : whole.utf8Slice(0, end)
    const timestamp = new Date().toISOString()
    let json = ''
    let start = 0
    for (let stop = text.indexOf('\n'); stop >= 0; stop = text.indexOf('\n', start)) {
      json += `${convert(text.slice(start, stop), timestamp, peer)}\n`
      start = stop + 1
    }
    writeAll(json)
  })
}

createServer(receive).listen(Number(port), '127.0.0.1')
