// One subject of the race while it runs: its port, and what its process tree costs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { answers } from '../ports.mjs'
import { firstWords } from '../work-directory.mjs'
import { Connection } from './connection.mjs'

const START_LIMIT_MS = 120_000
const STOP_LIMIT_MS = 30_000
const started = new Set()

process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL')
})
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

/**
 * Starts a command and waits until its search API answers. `directory` is where it keeps its index; it ends by SIGTERM,
 * or when its standard input ends.
 */
export async function startServer({ name, command, port, directory }) {
  const said = join(directory, 'said.log')
  const log = openSync(said, 'w')
  const child = spawn(command[0], command.slice(1), { cwd: directory, stdio: ['pipe', log, log] })
  closeSync(log)
  started.add(child)
  const exited = once(child, 'exit')
  exited.catch(() => {})
  const server = { name, port, pid: child.pid, directory, connection: new Connection(port) }
  const stop = async () => {
    server.connection.close()
    child.stdin.end()
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
    if (child.exitCode === null && child.signalCode === null) await exited.catch(() => {})
    clearTimeout(timer)
    started.delete(child)
  }
  const over = new AbortController()
  const failed = (why) => {
    throw new Error(`${name} ${why}: ${firstWords(said)}`)
  }
  try {
    await Promise.race([
      answers(port, over.signal),
      exited.then(([code]) => failed(`ended with exit code ${code}`)),
      sleep(START_LIMIT_MS, undefined, { signal: over.signal }).then(() => failed('did not start')),
    ])
  } catch (error) {
    await stop()
    throw error
  } finally {
    over.abort()
  }
  return { ...server, stop }
}

/** One that runs already, on this machine; its process is the one it names itself. */
export async function runningServer(name, url) {
  const { hostname, port } = new URL(url)
  if (hostname !== '127.0.0.1' && hostname !== 'localhost') throw new Error(`${url} is not on loopback`)
  const connection = new Connection(Number(port))
  const { nodes } = await connection.ask({ method: 'GET', path: '/_nodes/_local/process' })
  const { id: pid } = Object.values(nodes)[0].process
  return { name, port: Number(port), pid, connection, stop: async () => connection.close() }
}
