// Asks a question that takes no work every few milliseconds, over one connection, from a thread of its own: what the
// thread that sends searches is busy with does not count. Tells the longest wait.
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

const PING_MS = 4

export class Pings {
  #worker

  /** With a connection that is open already. */
  static async open(port) {
    const pings = new Pings()
    pings.#worker = new Worker(new URL(import.meta.url), { workerData: port })
    await pings.#next()
    return pings
  }

  #next() {
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Error('the thread that pings ended'))
      this.#worker.once('exit', ended)
      this.#worker.once('error', reject)
      this.#worker.once('message', (message) => {
        this.#worker.off('exit', ended)
        this.#worker.off('error', reject)
        resolve(message)
      })
    })
  }

  /** Milliseconds a ping took at most while some work was done. */
  async longestBeside(work) {
    this.#worker.postMessage('start')
    await this.#next()
    const longest = this.#next()
    // What ends the work ends the pings as well; it is reported once.
    longest.catch(() => {})
    try {
      await work()
    } finally {
      this.#worker.postMessage('stop')
    }
    return await longest
  }

  async close() {
    await this.#worker.terminate()
  }
}

function ping(port, agent) {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method: 'HEAD', path: '/', agent }, (answer) => {
      answer.on('end', resolve)
      answer.on('error', reject)
      answer.resume()
    })
    sent.on('error', reject)
    sent.end()
  })
}

if (!isMainThread && parentPort !== null && typeof workerData === 'number') {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let isOver = true
  const rounds = async () => {
    let longest = 0
    do {
      const began = performance.now()
      await ping(workerData, agent)
      longest = Math.max(longest, performance.now() - began)
      await sleep(PING_MS)
    } while (!isOver)
    parentPort.postMessage(longest)
  }
  parentPort.on('message', (message) => {
    isOver = message === 'stop'
    if (isOver) return
    parentPort.postMessage('started')
    void rounds()
  })
  await ping(workerData, agent)
  parentPort.postMessage('open')
}
