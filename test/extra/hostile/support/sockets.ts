/** Many connections at once, for the attacks that consist of them. */
import { connect, type Socket } from 'node:net'

export async function openMany(port: number, count: number, parallel = 200): Promise<Socket[]> {
  const sockets: Socket[] = []
  for (let done = 0; done < count; done += parallel) {
    const group = Array.from({ length: Math.min(parallel, count - done) }, () => open(port))
    for (const socket of await Promise.all(group)) if (socket !== undefined) sockets.push(socket)
  }
  return sockets
}

/** Undefined when the connection was refused. */
export function open(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(socket))
    socket.on('error', () => resolve(undefined))
    socket.on('close', () => resolve(undefined))
    socket.resume()
  })
}

/** Writes as fast as the other side takes, until the bytes or the time are over. Gives the bytes written. */
export async function flood(
  socket: Socket,
  block: Buffer,
  { bytes = Number.POSITIVE_INFINITY, milliseconds = 60_000 }: { bytes?: number; milliseconds?: number },
): Promise<number> {
  const end = performance.now() + milliseconds
  let written = 0
  while (written < bytes && performance.now() < end && !socket.destroyed) {
    const hasRoom = socket.write(block)
    written += block.length
    if (hasRoom) continue
    await roomOrEnd(socket, Math.max(0, end - performance.now()))
  }
  return written - socket.writableLength
}

/** Resolves when the socket takes more, is closed, or the time is over. */
function roomOrEnd(socket: Socket, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      socket.off('drain', done).off('close', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    socket.once('drain', done).once('close', done)
  })
}

export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** True when the condition held in time. */
export async function soon(holds: () => boolean | Promise<boolean>, limit: number): Promise<boolean> {
  const end = performance.now() + limit
  while (!(await holds())) {
    if (performance.now() > end) return false
    await pause(100)
  }
  return true
}
