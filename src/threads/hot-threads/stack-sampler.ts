/**
 * Stacks of every JavaScript thread over a while. An inspector session of this thread reaches all workers of the
 * process, also those started by workers; they answer even from a loop that never yields, because requests
 * arrive as interrupts. No port is opened. A thread that does not answer in time is left without stacks.
 */
import type { Session } from 'node:inspector'
import { isMainThread, threadId } from 'node:worker_threads'
import { type Profile, stacksOf } from './profile-stacks.ts'

const startLimit = 1000
const stopLimit = 2000
const maxWorkers = 512

/** One thread as the session reaches it. */
interface Target {
  readonly threadId: number
  post(method: string, params?: object): Promise<unknown>
}

/** Undefined when this Node.js was built without an inspector. */
export async function startSampling(everyMicros: number): Promise<StackSampling | undefined> {
  let session: Session | undefined
  try {
    const inspector = await import('node:inspector')
    session = new inspector.Session()
    session.connect()
    return await StackSampling.start(session, everyMicros)
  } catch {
    session?.disconnect()
    return undefined
  }
}

export class StackSampling {
  readonly #session: Session
  readonly #own: Target
  readonly #workers: Target[] = []
  readonly #answers = new Map<
    string,
    { resolve: (result: unknown) => void; reject: (error: Error) => void }
  >()
  readonly #started = new Set<Target>()
  #nextId = 1

  private constructor(session: Session) {
    this.#session = session
    this.#own = {
      threadId: isMainThread ? 0 : threadId,
      post: (method, params) => this.#postOwn(method, params),
    }
    session.on('NodeWorker.attachedToWorker', ({ params }) => {
      const id = Number(/^\[worker (\d+)\]/.exec(params.workerInfo.title)?.[1])
      if (!Number.isInteger(id) || this.#workers.length >= maxWorkers) return
      const { sessionId } = params
      this.#workers.push({ threadId: id, post: (method, more) => this.#postWorker(sessionId, method, more) })
    })
    session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => this.#receive(params))
  }

  static async start(session: Session, everyMicros: number): Promise<StackSampling> {
    const sampling = new StackSampling(session)
    await sampling.#postOwn('NodeWorker.enable', { waitForDebuggerOnStart: false })
    await sampling.#all(startLimit, (target) => sampling.#begin(target, everyMicros))
    // Last, so that the work of starting the others is not seen here.
    await sampling.#begin(sampling.#own, everyMicros)
    return sampling
  }

  async #begin(target: Target, everyMicros: number): Promise<void> {
    await target.post('Profiler.enable')
    await target.post('Profiler.setSamplingInterval', { interval: everyMicros })
    await target.post('Profiler.start')
    this.#started.add(target)
  }

  async #end(target: Target, stacks: Map<number, string[][]>): Promise<void> {
    if (!this.#started.has(target)) return
    const { profile } = (await target.post('Profiler.stop')) as { profile: Profile }
    stacks.set(target.threadId, stacksOf(profile))
    await target.post('Profiler.disable')
  }

  /** Threads that live, by id of Node.js. */
  get threadIds(): Set<number> {
    return new Set([this.#own, ...this.#workers].map((target) => target.threadId))
  }

  /** Ends the session; returns the stacks by thread id in order of time, each from the innermost frame outwards. */
  async stop(): Promise<Map<number, string[][]>> {
    const stacks = new Map<number, string[][]>()
    await this.#end(this.#own, stacks)
    await this.#all(stopLimit, (target) => this.#end(target, stacks))
    this.#answers.clear()
    this.#session.disconnect()
    return stacks
  }

  /** Waits for all workers, but not for those that do not answer. */
  async #all(limit: number, work: (target: Target) => Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limit)
    })
    const done = Promise.allSettled(this.#workers.map(work))
    await Promise.race([done, late])
    clearTimeout(timer)
  }

  #postOwn(method: string, params: object = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#session.post(method, params, (error, result) => {
        if (error === null) resolve(result)
        else reject(error)
      })
    })
  }

  #postWorker(sessionId: string, method: string, params: object = {}): Promise<unknown> {
    const id = this.#nextId++
    const message = JSON.stringify({ id, method, params })
    return new Promise((resolve, reject) => {
      this.#answers.set(`${sessionId} ${id}`, { resolve, reject })
      this.#postOwn('NodeWorker.sendMessageToWorker', { sessionId, message }).catch(reject)
    })
  }

  #receive({ sessionId, message }: { sessionId: string; message: string }): void {
    const { id, result, error } = JSON.parse(message) as {
      id?: number
      result?: unknown
      error?: { message: string }
    }
    const key = `${sessionId} ${id}`
    const answer = this.#answers.get(key)
    this.#answers.delete(key)
    if (error === undefined) answer?.resolve(result)
    else answer?.reject(new Error(error.message))
  }
}
