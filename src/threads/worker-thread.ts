/**
 * A further worker of a pipeline: its own copy of filters and outputs, fed with frames by the host
 * thread. Blocks of `single` outputs go back to the host, which owns the file or socket.
 */
import type { MessagePort } from 'node:worker_threads'
import { configureLogging } from '../log/sink.ts'
import { Board } from '../metrics/board.ts'
import { formerInputs } from '../pipeline/frames/former-inputs.ts'
import { buildPlan, type PlannedPlugin, pluginsOf } from '../pipeline/plan/plan.ts'
import { Execution, isWrittenByHost } from '../pipeline/run/execution.ts'
import { Watcher } from '../pipeline/watch/watcher.ts'
import { Undelivered } from '../plugin/dead-letter.ts'
import type { Block } from '../plugin/define.ts'
import { ownBlocks } from '../plugin/encode-buffer.ts'
import { LetterBuffer } from '../queue/dead-letters/letter-buffer.ts'
import { Settings } from '../settings/settings.ts'
import { closedBus } from './bus/bus-client.ts'
import {
  hideSecretsOf,
  planOptions,
  registryFor,
  type WorkerEnvironment,
  workerEnvironment,
} from './configuration/compose.ts'
import { failureOf } from './failure.ts'
import { HeapReport } from './memory/heap-report.ts'
import type { FromWorker, StoreConnected, ToWorker } from './messages.ts'
import { fromPortable } from './portable-frame.ts'
import { logging, variablesFor } from './process-setup.ts'
import { enterRoster } from './roster.ts'
import { useSharedLevels } from './shared-logging.ts'
import { ThreadStoreLink } from './store/store-link.ts'

export function runWorkerThread(port: MessagePort): void {
  const worker = new WorkerThread((message, transfer) => port.postMessage(message, transfer))
  port.on('message', (message: ToWorker) => {
    worker.receive(message).catch((error: unknown) => worker.fail(error))
  })
}

type Post = (message: FromWorker, transfer?: ArrayBuffer[]) => void

class WorkerThread {
  #post: Post
  #execution: Execution | undefined
  #watcher: Watcher | undefined
  #singles: PlannedPlugin[] = []
  #writes = new Map<number, { resolve: () => void; reject: (error: Error) => void }>()
  #nextWrite = 0
  #abort = new AbortController()
  #heap = new HeapReport()
  #introduced: ((met: StoreConnected['met']) => void) | undefined
  #store = new ThreadStoreLink(
    () =>
      new Promise((resolve) => {
        this.#introduced = resolve
        this.#post({ kind: 'store-connect', request: 0 })
      }),
  )

  constructor(post: Post) {
    this.#post = post
  }

  fail(error: unknown): void {
    this.#post({ kind: 'failed', failure: failureOf(error) })
  }

  async receive(message: ToWorker): Promise<void> {
    switch (message.kind) {
      case 'start':
        await this.#start(message)
        return this.#post({ kind: 'ready' })
      case 'run':
        return this.#settle(message.batch, this.#execution!.run(message.frames.map(fromPortable)))
      case 'flush':
        return this.#settle(message.batch, this.#execution!.flush(message.final))
      case 'written':
        return this.#written(message)
      case 'store-connected':
        return this.#introduced?.(message.met)
      case 'watch':
        return this.#watcher?.apply(message.order)
      case 'collect':
        return this.#watcher?.collect(message.request)
      case 'abort':
        return this.#abort.abort()
      case 'close':
        this.#watcher?.close()
        await this.#execution?.close()
        this.#store.close()
        this.#heap.close()
        return this.#post({ kind: 'closed' })
    }
  }

  async #start({ setup, board, row }: Extract<ToWorker, { kind: 'start' }>): Promise<void> {
    const settings = Settings.fromData(setup.settings)
    const name = `[${settings.get('pipeline.id')}]>worker${row}`
    enterRoster(name)
    useSharedLevels()
    configureLogging({ ...logging(settings), thread: name })
    hideSecretsOf(setup.parts)
    const variables = await variablesFor(settings)
    const options = planOptions(settings, registryFor(settings), variables)
    const { plan } = await buildPlan(setup.parts, options)
    if (plan === undefined) throw new Error('the configuration changed while a worker was starting')
    if (setup.sources !== undefined) plan.former.push(...(await formerInputs(plan, setup.sources, options)))
    const environment = workerEnvironment(settings, variables, closedBus, this.#store)
    this.#singles = pluginsOf(plan.outputs).filter((plugin) => isWrittenByHost(plugin, environment.isolated))
    this.#execution = new Execution({
      ...environment,
      plan,
      board: new Board(board),
      row,
      ordered: false,
      abort: this.#abort.signal,
      deadLetters: settings.get('dead_letter_queue.enable') ? this.#letters(environment) : undefined,
      write: (plugin, blocks) => this.#write(plugin, blocks),
    })
    this.#watcher = new Watcher({
      execution: this.#execution,
      pipelineId: settings.get('pipeline.id'),
      report: (report) => this.#post({ kind: 'watched', report }),
      conceal: (text) => environment.conceal?.(text) ?? text,
    })
    await this.#execution.registerOutputs(false)
    await this.#execution.registerFilters()
    this.#heap.attach(board, row)
  }

  async #settle(batch: number, work: Promise<void>): Promise<void> {
    try {
      await work
      this.#post({ kind: 'done', batch })
    } catch (error) {
      this.#post({ kind: 'done', batch, error: failureOf(error) })
    }
  }

  #write(plugin: PlannedPlugin, blocks: Block[]): Promise<void> {
    const write = this.#nextWrite++
    const own = ownBlocks(blocks)
    this.#post(
      { kind: 'write', write, output: this.#singles.indexOf(plugin), blocks: own },
      own.map(({ bytes }) => bytes.buffer as ArrayBuffer),
    )
    return new Promise((resolve, reject) => {
      this.#writes.set(write, { resolve, reject })
    })
  }

  #letters({ logger }: WorkerEnvironment): LetterBuffer {
    const append = (entries: Uint8Array[]): Promise<void> => {
      const write = this.#nextWrite++
      this.#post({ kind: 'letters', write, entries })
      return new Promise((resolve, reject) => {
        this.#writes.set(write, { resolve, reject })
      })
    }
    return new LetterBuffer(append, logger(undefined))
  }

  #written({ write, error, undelivered }: Extract<ToWorker, { kind: 'written' }>): void {
    const waiting = this.#writes.get(write)
    this.#writes.delete(write)
    if (error === undefined) waiting?.resolve()
    else waiting?.reject(undelivered === undefined ? new Error(error) : new Undelivered(error, undelivered))
  }
}
