/** A good client in a thread of its own, so that the work of the attacker is not taken for that of the program. */
import { Worker } from 'node:worker_threads'

const program = `
const { parentPort, workerData: { url, body } } = require('node:worker_threads')
const { request, Agent } = require('node:http')
const agent = new Agent({ keepAlive: true })
const times = []
let failures = 0
let isOver = false
parentPort.on('message', () => { isOver = true })
function ask() {
  return new Promise((resolve) => {
    const options = { agent, timeout: 30000, method: body === undefined ? 'GET' : 'POST' }
    if (body !== undefined) options.headers = { 'content-type': 'application/json' }
    const call = request(url, options, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode === 200))
      response.on('error', () => resolve(false))
    })
    call.on('timeout', () => call.destroy())
    call.on('error', () => resolve(false))
    call.end(body)
  })
}
async function main() {
  while (!isOver) {
    const began = performance.now()
    if (!(await ask())) failures += 1
    times.push(performance.now() - began)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  parentPort.postMessage({ times, failures })
  agent.destroy()
  process.exit(0)
}
main()
`

export interface PingFigures {
  count: number
  p99: number
  max: number
  failures: number
}

export class Pings {
  readonly #worker: Worker
  #figures: Promise<PingFigures> | undefined

  constructor(url: string, body?: unknown) {
    const workerData = { url, ...(body !== undefined && { body: JSON.stringify(body) }) }
    this.#worker = new Worker(program, { eval: true, workerData })
  }

  stop(): Promise<PingFigures> {
    this.#figures ??= new Promise((resolve, reject) => {
      this.#worker.once('error', reject)
      this.#worker.once('message', ({ times, failures }: { times: number[]; failures: number }) => {
        const sorted = times.toSorted((a, b) => a - b)
        const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN
        resolve({ count: times.length, p99, max: sorted.at(-1) ?? Number.NaN, failures })
      })
      this.#worker.postMessage('stop')
    })
    return this.#figures
  }
}
