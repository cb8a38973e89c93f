/**
 * Requests that one connection sends without waiting for answers (HTTP pipelining) are served one after the other, each
 * in a turn of the event loop of its own, so that other connections have theirs in between. Past a few the connection
 * is not read; past ten thousand, as many as Elasticsearch's `http.pipelining.max_events`, it is closed.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** More are parsed only as far as they are in the piece that was read. */
const maxReadAhead = 32
const maxWaiting = 10_000

type Exchange = readonly [IncomingMessage, ServerResponse]

interface Line {
  readonly waiting: Exchange[]
  willPause: boolean
}

export function oneAtATime(listener: RequestListener): RequestListener {
  /** The connections whose request is being answered, with those that came after it. */
  const busy = new WeakMap<Socket, Line>()

  return (message, response) => {
    const { socket } = message
    const line = busy.get(socket)
    if (line === undefined) return serve([message, response], { waiting: [], willPause: false })
    if (line.waiting.length >= maxWaiting) return void socket.destroy()
    if (line.waiting.push([message, response]) > maxReadAhead) pause(socket, line)
  }

  function serve([message, response]: Exchange, line: Line): void {
    const { socket } = message
    busy.set(socket, line)
    response.once('close', () => {
      if (line.waiting.length === 0) busy.delete(socket)
      else setImmediate(next, socket, line)
    })
    listener(message, response)
  }

  function next(socket: Socket, line: Line): void {
    const exchange = line.waiting.shift()
    if (exchange === undefined || socket.destroyed) return
    if (line.waiting.length === 0) socket.resume()
    serve(exchange, line)
  }
}

/** After the tick in which Node.js goes on reading, as it does at the end of each request it has parsed. */
function pause(socket: Socket, line: Line): void {
  if (line.willPause) return
  line.willPause = true
  process.nextTick(() =>
    process.nextTick(() => {
      line.willPause = false
      if (line.waiting.length > 0) socket.pause()
    }),
  )
}
