/**
 * What a connection is told whose bytes are not HTTP. Node.js writes a response of its own, also behind one that is
 * through while the body of its request still comes; a proxy in front would take the second response for that of the
 * next request, which may be somebody else's.
 */
import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** The statuses that Node.js answers by itself, for its error codes. */
const statuses: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

export function answerBrokenRequestsOnce(server: Server): void {
  const latest = new WeakMap<Duplex, ServerResponse>()
  server.on('request', (message, response) => latest.set(message.socket, response))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = latest.get(socket)
    const isBegun = response?.headersSent === true
    const isOver = isBegun && response.writableFinished && response.req.complete
    if (socket.writable && (!isBegun || isOver)) {
      const status = statuses[error.code ?? ''] ?? '400 Bad Request'
      socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`)
    }
    socket.destroy(error)
  })
}
