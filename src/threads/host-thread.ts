/**
 * A pipeline's own thread: builds the plan from the texts it is given, runs the host, answers the
 * control thread. Further worker threads of the pipeline are children of this one.
 */
import type { MessagePort } from 'node:worker_threads'
import { concealedData } from '../log/hidden-texts.ts'
import { Logger } from '../log/logger.ts'
import { closeFiles, configureLogging } from '../log/sink.ts'
import { formerInputs } from '../pipeline/frames/former-inputs.ts'
import { graphOf } from '../pipeline/plan/graph.ts'
import { buildPlan, type Plan, pluginsOf } from '../pipeline/plan/plan.ts'
import { oldPipelineHash, pipelineHash } from '../pipeline/plan/source.ts'
import { type HostSettings, PipelineHost } from '../pipeline/run/host.ts'
import type { WatchReport } from '../pipeline/watch/watch-order.ts'
import { LetterBuffer } from '../queue/dead-letters/letter-buffer.ts'
import { Settings } from '../settings/settings.ts'
import { ThreadBus } from './bus/bus-client.ts'
import {
  hideSecretsOf,
  isOrdered,
  limitsFor,
  planOptions,
  registryFor,
  workerCount,
  workerEnvironment,
} from './configuration/compose.ts'
import { failureOfDiagnostics } from './configuration/configuration-failure.ts'
import { pluginSummary } from './configuration/plugin-summary.ts'
import { failureOf } from './failure.ts'
import { HeapReport } from './memory/heap-report.ts'
import type { Failure, FromHost, PipelineSummary, Setup, ToHost } from './messages.ts'
import { logging, variablesFor } from './process-setup.ts'
import { identityOf, PipelineDeadLetters } from './queues/dead-letters.ts'
import { traceOf, workerLossReport } from './queues/loss-report.ts'
import { PipelineQueue, tellUnread } from './queues/pipeline-queue.ts'
import { enterRoster } from './roster.ts'
import { useSharedLevels } from './shared-logging.ts'
import { ThreadStoreLink } from './store/store-link.ts'
import { ThreadWorker } from './thread-worker.ts'

class ConfigurationFailure extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

export function runHostThread(port: MessagePort): void {
  const thread = new HostThread((message, transfer) => port.postMessage(message, transfer))
  port.on('message', (message: ToHost) => thread.receive(message))
  // Rejections that nobody handles come here too.
  process.on('uncaughtException', (error) => thread.fault(error))
}

type Post = (message: FromHost, transfer?: ArrayBuffer[]) => void

/** How long a thread that is to be replaced may take to let out what it has, in milliseconds. */
const drainLimit = 10_000
/** A timer may throw again and again meanwhile. */
const maxFaultLines = 10

class HostThread {
  #post: Post
  #bus: ThreadBus
  #store: ThreadStoreLink
  #host: PipelineHost | undefined
  #logger = new Logger('logstash.javapipeline')
  #settings: Settings | undefined
  #plan: Plan | undefined
  #workers = 1
  #isStarted = false
  #isEnding = false
  #faults = 0
  #heap = new HeapReport()
  #letters: Promise<PipelineDeadLetters | undefined> = Promise.resolve(undefined)
  #queue: PipelineQueue | undefined

  constructor(post: Post) {
    this.#post = post
    this.#bus = new ThreadBus((request) => post(request))
    this.#store = new ThreadStoreLink(() => this.#bus.introduceToStore())
  }

  receive(message: ToHost): void {
    switch (message.kind) {
      case 'start':
        void this.#start(message.setup)
        break
      case 'reload':
        void this.#reload(message.setup)
        break
      case 'stop':
        if (message.last) this.#bus.prepareToEnd()
        void this.#stop()
        break
      case 'abort':
        void this.#host?.abort()
        break
      case 'watch':
        this.#host?.watch(message.order)
        break
      case 'collect':
        this.#host?.collect(message.request)
        break
      case 'pending':
        this.#post({ kind: 'pending', ...(this.#host?.pending() ?? { queued: 0, batches: 0, waiting: 0 }) })
        break
      case 'replay':
        void this.#replay(message.request, message.bytes, message.count)
        break
      default:
        this.#bus.receive(message)
    }
  }

  async #replay(request: number, bytes: Uint8Array, count: number): Promise<void> {
    try {
      if (this.#host === undefined) throw new Error('the pipeline takes no events')
      await this.#host.replay(bytes, count)
      this.#post({ kind: 'replayed', request })
    } catch (error) {
      this.#post({ kind: 'replayed', request, error: (error as Error).message })
    }
  }

  async #start(setup: Setup): Promise<void> {
    const settings = Settings.fromData(setup.settings)
    const name = `[${settings.get('pipeline.id')}]>worker0`
    enterRoster(name)
    useSharedLevels()
    configureLogging({ ...logging(settings), thread: name })
    this.#logger = new Logger('logstash.javapipeline', { pipelineId: settings.get('pipeline.id') })
    const began = performance.now()
    try {
      const { plan, host } = await this.#prepare(setup, settings)
      this.#announce(settings)
      await host.start(plan)
      if (settings.get('config.debug')) this.#showCode(host)
      const seconds = Math.round((performance.now() - began) / 10) / 100
      this.#logger.info('Pipeline Java execution initialization time', { seconds })
      this.#logger.info('Pipeline started', { 'pipeline.id': settings.get('pipeline.id') })
      this.#isStarted = true
      this.#post({ kind: 'started', summary: this.#summary() })
    } catch (error) {
      this.#post({
        kind: 'failed',
        failure: error instanceof ConfigurationFailure ? error.failure : failureOf(error),
      })
    }
  }

  async #prepare(setup: Setup, settings: Settings): Promise<{ plan: Plan; host: PipelineHost }> {
    this.#queue = await this.#openQueue(settings)
    const { plan, hostSettings } = await this.#compile(setup, settings, this.#queue)
    await this.#openLetters(settings)
    this.#settings = settings
    this.#workers = hostSettings.limits.workers
    this.#plan = plan
    const watched = (report: WatchReport) => this.#post({ kind: 'watched', report })
    this.#host = new PipelineHost({
      ...hostSettings,
      logger: this.#logger,
      startWorker: (current, board, row, generation) => {
        const worker = new ThreadWorker(
          { settings: this.#settings!.toData(), parts: current.parts, ...sourcesOf(current, this.#queue) },
          board,
          row,
          generation,
          () => this.#bus.introduceToStore(),
          (entries) => this.#appendLetters(entries),
        )
        worker.onWatched = watched
        return worker
      },
      watched,
      finished: () => void this.#closeQueues().then(() => this.#finish('finished')),
      crashed: (error) => this.#crash(error),
      ...workerLossReport(this.#logger, this.#post),
    })
    return { plan, host: this.#host }
  }

  async #compile(
    setup: Setup,
    settings: Settings,
    queue: PipelineQueue | undefined,
  ): Promise<{ plan: Plan; hostSettings: HostSettings }> {
    hideSecretsOf(setup.parts)
    const ordered = isOrdered(settings)
    const variables = await variablesFor(settings)
    const options = planOptions(settings, registryFor(settings), variables)
    const { plan, diagnostics } = await buildPlan(setup.parts, options)
    for (const { severity, message, file, line, column } of diagnostics) {
      if (severity === 'warning') this.#logger.warn(`${message} (${file}:${line}:${column})`)
    }
    if (plan === undefined) throw new ConfigurationFailure(failureOfDiagnostics(diagnostics, setup.parts))
    if (queue !== undefined) plan.former.push(...(await formerInputs(plan, queue.sources, options)))
    const { workers, warning } = workerCount(plan, settings)
    if (warning !== undefined) this.#logger.warn(warning)
    const deadLetters = settings.get('dead_letter_queue.enable')
      ? new LetterBuffer((entries) => this.#appendLetters(entries), this.#logger)
      : undefined
    const environment = { ...workerEnvironment(settings, variables, this.#bus, this.#store), deadLetters }
    return { plan, hostSettings: { environment, limits: limitsFor(settings, workers), ordered, queue } }
  }

  #showCode({ generation }: PipelineHost): void {
    const { filterProgram, outputProgram } = generation!.execution
    this.#logger.debug(`Compiled pipeline code\n${filterProgram.source}\n${outputProgram.source}`)
  }

  #announce(settings: Settings): void {
    const batchSize = settings.get('pipeline.batch.size')
    this.#logger.info('Starting pipeline', {
      pipeline_id: settings.get('pipeline.id'),
      'pipeline.workers': this.#workers,
      'pipeline.batch.size': batchSize,
      'pipeline.batch.delay': settings.get('pipeline.batch.delay'),
      'pipeline.max_inflight': this.#workers * batchSize,
      'pipeline.sources': this.#plan!.parts.map(({ id }) => (id === 'config_string' ? 'config string' : id)),
    })
  }

  #summary(): PipelineSummary {
    const settings = this.#settings!
    const plan = this.#plan!
    this.#heap.attach(this.#host!.board!, 0)
    const plugins = [...plan.inputs, ...pluginsOf(plan.filters), ...pluginsOf(plan.outputs)]
    return {
      hash: plan.hash,
      oldHash: oldPipelineHash(plan.parts),
      workers: this.#workers,
      batchSize: settings.get('pipeline.batch.size'),
      batchDelay: settings.get('pipeline.batch.delay'),
      reloadable:
        settings.get('pipeline.reloadable') &&
        plan.inputs.every(({ definition }) => definition.type !== 'input' || definition.reloadable !== false),
      plugins: plugins.map(pluginSummary),
      // Conditions quote the configuration.
      graph: concealedData(graphOf(plan)),
      board: this.#host!.board!,
    }
  }

  async #reload(setup: Setup): Promise<void> {
    const settings = Settings.fromData(setup.settings)
    const before = this.#queue
    let queue: PipelineQueue | undefined
    try {
      const isPersisted = settings.get('queue.type') === 'persisted'
      queue = isPersisted ? (before ?? (await this.#openQueue(settings))) : undefined
      const { plan, hostSettings } = await this.#compile(setup, settings, queue)
      // Also those of outputs are opened with them.
      if (before === queue) queue?.adopt(settings)
      // A queue that is new is needed by the first batch; one that changes is closed after the last of the old ones.
      if ((await this.#letters) === undefined) await this.#openLetters(settings)
      await this.#host!.reload(plan, hostSettings)
      this.#queue = queue
      if (before !== queue) await before?.close()
      if (before !== undefined && queue === undefined) tellUnread(settings, this.#logger)
      if ((await this.#letters)?.identity !== (identityOf(settings) || undefined))
        await this.#replaceLetters(settings)
      this.#plan = plan
      this.#settings = settings
      this.#workers = hostSettings.limits.workers
      this.#post({ kind: 'reloaded', summary: this.#summary() })
    } catch (error) {
      if (queue !== before) await queue?.close()
      else before?.adopt(this.#settings!)
      const failure = error instanceof ConfigurationFailure ? error.failure : failureOf(error)
      const running = this.#host?.generation !== undefined
      this.#post({ kind: 'reload-failed', failure, summary: running ? this.#summary() : undefined })
    }
  }

  /**
   * An exception that belongs to no event: a timer or a socket of a plugin threw. What the thread holds may be half
   * changed, so it is replaced; but first everything it has accepted gets a moment to leave.
   */
  fault(error: unknown): void {
    const failure = failureOf(error)
    this.#faults += 1
    if (this.#faults > maxFaultLines) return
    this.#logger.error('An exception nobody handles reached the thread of the pipeline', {
      error: failure.message,
      exception: failure.type,
      backtrace: traceOf(failure),
    })
    if (!this.#isStarted) return this.#post({ kind: 'failed', failure })
    if (this.#isEnding) return
    this.#isEnding = true
    void this.#drain().then(() => this.#post({ kind: 'faulted', failure }))
  }

  async #drain(): Promise<void> {
    let limit: NodeJS.Timeout | undefined
    const over = new Promise<'late'>((resolve) => {
      limit = setTimeout(() => resolve('late'), drainLimit)
    })
    const outcome = await Promise.race([this.#host?.stop().catch(() => undefined), over])
    clearTimeout(limit)
    // What does not leave goes to the dead letters, where there are any.
    if (outcome === 'late') await this.#host?.abort()
    await this.#closeQueues()
  }

  async #stop(): Promise<void> {
    this.#isEnding = true
    await this.#host
      ?.stop()
      .catch((error: Error) => this.#logger.error('Error while stopping', { error: error.message }))
    await this.#closeQueues()
    this.#finish('stopped')
  }

  // ------------------------------------------------------------------------------- queues on the disk

  async #closeQueues(): Promise<void> {
    await this.#closeLetters()
    const queue = this.#queue
    this.#queue = undefined
    await queue?.close().catch((error: Error) => {
      this.#logger.error('The persisted queue could not be closed', { error: error.message })
    })
  }

  #openQueue(settings: Settings): Promise<PipelineQueue | undefined> {
    return PipelineQueue.open(settings, this.#logger, (figures) => this.#post({ kind: 'queue', figures }))
  }

  async #openLetters(settings: Settings): Promise<void> {
    const opening = this.#lettersOf(settings)
    this.#letters = opening.catch(() => undefined)
    await opening
  }

  #lettersOf(settings: Settings): Promise<PipelineDeadLetters | undefined> {
    return PipelineDeadLetters.open(settings, this.#logger, (stats) =>
      this.#post({ kind: 'dead-letters', stats }),
    )
  }

  /** What is given up meanwhile waits for the queue that comes; one with the settings of before is better than none. */
  async #replaceLetters(settings: Settings): Promise<void> {
    const before = this.#settings!
    this.#letters = this.#closeLetters()
      .then(() => this.#lettersOf(settings))
      .catch((error: Error) => {
        this.#logger.error('The dead letter queue keeps its former settings', { error: error.message })
        return this.#lettersOf(before)
      })
      .catch(() => undefined)
    await this.#letters
  }

  async #appendLetters(entries: readonly Uint8Array[]): Promise<void> {
    const letters = await this.#letters
    if (letters !== undefined) return letters.append(entries)
    this.#logger.error('Events could not be written to the dead letter queue, which is not open', {
      events: entries.length,
    })
  }

  async #closeLetters(): Promise<void> {
    const letters = this.#letters
    this.#letters = Promise.resolve(undefined)
    await (await letters)?.close().catch((error: Error) => {
      this.#logger.error('The dead letter queue could not be closed', { error: error.message })
    })
  }

  #crash(error: Error): void {
    this.#logger.error('Pipeline worker error, the pipeline will be stopped', {
      error: error.message,
      exception: error.name,
      backtrace: (error.stack ?? '').split('\n').slice(1, 4),
    })
    this.#post({ kind: 'crashed', failure: failureOf(error) })
  }

  #finish(kind: 'finished' | 'stopped'): void {
    this.#bus.close()
    this.#store.close()
    this.#heap.close()
    closeFiles()
    this.#post({ kind })
  }
}

/** What a worker needs to decode records of configurations before this one. */
function sourcesOf(plan: Plan, queue: PipelineQueue | undefined): Pick<Setup, 'sources'> {
  if (queue === undefined) return {}
  const hash = pipelineHash(plan.parts)
  return { sources: queue.sources.filter((parts) => pipelineHash(parts) !== hash) }
}
