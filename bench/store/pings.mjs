// Asks a question that takes no work every few milliseconds, over one connection, from a thread of its own: what the
// thread that sends searches is busy with does not count. Tells the longest wait, and the most time the thread that
// answers was on a processor during one of them: the rest it waited for one, or other guests of the host had it, or
// whoever asked was late. Where the kernel does not tell, there is only the wait.
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { busiestClock, threadMicros } from '../process-tree.mjs'

const PING_MS = 4
/** By which the thread that answers is told from the others of its process. */
const FIRST_PINGS = 200

export class Pings {
  #worker

  /** With a connection that is open already, to a process that has nothing else to do now. */
  static async open(port, pid) {
    const pings = new Pings()
    pings.#worker = new Worker(new URL(import.meta.url), { workerData: { port, pid } })
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

  /** Milliseconds while some work was done: a ping's `wait` at most, and the most that was `run` for one. */
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

/** Tells how long the thread that answers was on a processor so far; undefined where the kernel does not tell. */
async function answeringClock({ port, pid }, agent) {
  const isTold = process.platform === 'linux'
  const before = isTold ? threadMicros(pid) : undefined
  for (let n = 0; n < FIRST_PINGS; n++) await ping(port, agent)
  return isTold ? busiestClock(pid, before) : undefined
}

if (!isMainThread && parentPort !== null && workerData?.port !== undefined) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const clock = await answeringClock(workerData, agent)
  let isOver = true
  const rounds = async () => {
    const longest = { wait: 0, run: clock && 0 }
    do {
      const began = performance.now()
      const ran = clock?.()
      await ping(workerData.port, agent)
      longest.wait = Math.max(longest.wait, performance.now() - began)
      if (clock) longest.run = Math.max(longest.run, clock() - ran)
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
  parentPort.postMessage('open')
}
