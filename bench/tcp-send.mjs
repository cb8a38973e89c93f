// Sends a file to a TCP port on the loopback interface and closes: node bench/tcp-send.mjs PORT FILE
// pipe() stops reading while the socket is full, so a slow receiver slows the sender and nothing piles up here.
// A receiver that does not listen yet is tried again until the connect limit.
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const CONNECT_LIMIT_MS = 60_000
const RETRY_MS = 10
const CLOSE_LIMIT_MS = 10_000

async function connected(port) {
  const giveUp = performance.now() + CONNECT_LIMIT_MS
  for (;;) {
    const socket = connect({ port, host: '127.0.0.1' })
    try {
      await once(socket, 'connect')
      return socket
    } catch (error) {
      socket.destroy()
      if (error.code !== 'ECONNREFUSED' || performance.now() > giveUp) throw error
      await sleep(RETRY_MS)
    }
  }
}

const [port, file] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: node bench/tcp-send.mjs PORT FILE')

const socket = await connected(Number(port))
const closed = once(socket, 'close')
socket.resume()
createReadStream(file, { highWaterMark: 65_536 }).pipe(socket)
await once(socket, 'finish')
// Everything is with the kernel now; a receiver that keeps its half open is not waited for.
const clock = setTimeout(() => socket.destroy(), CLOSE_LIMIT_MS)
await closed
clearTimeout(clock)
