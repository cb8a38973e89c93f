/**
 * Keeps the number of connections of a server within a limit without shutting good clients out: when there is
 * one too many, the connection goes that has waited longest without a complete request. A client that sends
 * its request at once is never that one, however many slow ones there are. Requests in progress are left alone,
 * unless their answer is ready and nobody takes it.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

interface Connection {
  readonly key: string
  readonly socket: Socket
  response: ServerResponse | undefined
}

export function limitConnections(server: Server, limit: number): void {
  const all = new Map<string, Connection>()
  /** In the order in which they began to wait. */
  const waiting = new Set<Connection>()

  server.on('connection', (socket: Socket) => {
    const key = keyOf(socket)
    const connection: Connection = { key, socket, response: undefined }
    all.set(key, connection)
    socket.once('close', () => {
      waiting.delete(connection)
      if (all.get(key) === connection) all.delete(key)
    })
    if (all.size > limit) makeRoom(connection)
    waiting.add(connection)
  })

  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = all.get(keyOf(socket))
    if (connection === undefined) return
    waiting.delete(connection)
    connection.response = response
    response.once('close', () => {
      if (connection.response !== response) return
      connection.response = undefined
      if (!connection.socket.destroyed) waiting.add(connection)
    })
  })

  function makeRoom(newest: Connection): void {
    const [longest] = waiting
    const untaken = longest ?? [...all.values()].find(({ response }) => response?.writableEnded)
    const victim = untaken ?? newest
    waiting.delete(victim)
    all.delete(victim.key)
    victim.socket.destroy()
  }
}

/** Returns one key for the socket of TLS and the one below it, which have no public way from one to the other. */
function keyOf({ localAddress, remoteAddress, remotePort }: Socket): string {
  return `${localAddress} ${remoteAddress} ${remotePort}`
}
