// Free TCP ports on the loopback interface, and waiting for an HTTP answer on one.
import { once } from 'node:events'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const RETRY_MS = 3
const ANSWER_LIMIT_MS = 2000

/** All servers are open at the same time, so the ports differ. */
export async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => server.address().port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}

function statusOf(port) {
  return new Promise((resolve) => {
    const request = get(
      { port, host: '127.0.0.1', path: '/', agent: false, timeout: ANSWER_LIMIT_MS },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      },
    )
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(undefined))
  })
}

/** Resolves when `GET /` is answered with 200. Endless until `signal` is aborted: the run has its own time limit. */
export async function answers(port, signal) {
  while ((await statusOf(port)) !== 200) {
    signal.throwIfAborted()
    await sleep(RETRY_MS)
  }
}
