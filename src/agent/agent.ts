/**
 * Keeps the running pipelines equal to the configured ones: creates, reloads, stops and deletes them, and
 * counts how that went. A configuration that cannot be loaded leaves the running pipeline alone.
 */
import { type LogFields, Logger } from '../log/logger.ts'
import { inspect } from '../log/ruby-inspect.ts'
import type { BusBroker } from '../threads/bus/bus-broker.ts'
import { failureOf } from '../threads/failure.ts'
import type { Failure } from '../threads/messages.ts'
import { PipelineFailure, PipelineThread } from '../threads/pipeline-thread.ts'
import { traceOf } from '../threads/queues/loss-report.ts'
import { AbandonedQueues } from '../threads/queues/waiting-queues.ts'
import { configFingerprint, type PipelineConfig, PipelineState, setupOf } from './pipeline-state.ts'
import { settledLoad, vanishedTexts } from './settled-load.ts'
import { ShadowReload, shadowRefusal } from './shadow-reload.ts'
import type { Watches } from './watches.ts'

interface AgentOptions {
  /** Reads the configured pipelines anew. */
  load(): Promise<PipelineConfig[]>
  /** With reload on, an agent without pipelines waits for a better configuration. */
  readonly autoReload: boolean
  /** Threads started ahead of time, while settings were still being read. */
  readonly spareThreads?: PipelineThread[]
  readonly broker: BusBroker
  /** Who looks at events. */
  readonly watches?: Watches | undefined
}

/** What became of a request to load one pipeline anew. */
export type ReloadResult =
  | { readonly kind: 'done' }
  /** Nothing of that name is configured. */
  | { readonly kind: 'unknown' }
  /** Nothing was tried. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string }

export class Agent {
  readonly pipelines = new Map<string, PipelineState>()
  readonly reloads = { successes: 0, failures: 0 }
  #options: AgentOptions
  #logger = new Logger('logstash.agent')
  readonly #abandoned = new AbandonedQueues((message) => this.#logger.warn(message))
  #shadow: ShadowReload | undefined
  #converging: Promise<boolean> | undefined
  #following: Promise<boolean> | undefined
  #stopping = false
  /** Whether a pipeline was created, reloaded or removed since `Pipelines running` was said. */
  #hasActed = false
  #allDone!: () => void
  /** Resolves when no pipeline is left and none is coming. */
  readonly done: Promise<void>

  constructor(options: AgentOptions) {
    this.#options = options
    this.#shadow = options.watches && new ShadowReload(options.watches)
    this.done = new Promise((resolve) => {
      this.#allDone = resolve
    })
  }

  get watches(): Watches | undefined {
    return this.#options.watches
  }

  /**
   * One pass: true when every action succeeded. Passes never overlap; a pass that has begun may have read
   * the texts already, so whoever asks meanwhile gets one more after it.
   */
  converge(): Promise<boolean> {
    if (this.#converging !== undefined) {
      this.#following ??= this.#converging
        .catch(() => false)
        .then(() => {
          this.#following = undefined
          return this.converge()
        })
      return this.#following
    }
    this.#converging = this.#pass().finally(() => {
      this.#converging = undefined
    })
    return this.#converging
  }

  /** Loads one pipeline anew because somebody asks for it, unchanged or not; one that does not run is started. */
  async reload(id: string): Promise<ReloadResult> {
    while (this.#converging !== undefined) await this.#converging.catch(() => false)
    const renewal = this.#renew(id)
    this.#converging = renewal
      .then(
        ({ kind }) => kind === 'done',
        () => false,
      )
      .finally(() => {
        this.#converging = undefined
      })
    return renewal
  }

  async #renew(id: string): Promise<ReloadResult> {
    if (this.#stopping)
      return { kind: 'refused', message: 'Cannot reload pipeline, because Logstash is shutting down' }
    let config: PipelineConfig | undefined
    try {
      config = (await this.#options.load()).find(({ id: name, parts }) => name === id && parts.length > 0)
    } catch (error) {
      return { kind: 'failed', message: (error as Error).message }
    }
    if (config === undefined) return { kind: 'unknown' }
    const state = this.pipelines.get(id)
    const isRunning = state?.thread !== undefined && state.status === 'running'
    const refusal = isRunning ? this.#notReloadable(state, config) : undefined
    if (refusal !== undefined) return { kind: 'refused', message: refusal }
    const isDone = isRunning ? await this.#reload(state, config) : await this.#create(config, true)
    this.#report()
    if (isDone) return { kind: 'done' }
    return {
      kind: 'failed',
      message: this.pipelines.get(id)?.reloads.lastError?.message ?? 'the pipeline did not start',
    }
  }

  async #pass(): Promise<boolean> {
    if (this.#stopping) return true
    let configs: PipelineConfig[] | undefined
    try {
      configs = await settledLoad(
        () => this.#options.load(),
        (found) => this.#isKnown(found),
      )
    } catch (error) {
      this.#logger.error('Could not fetch all the sources', { message: (error as Error).message })
      if (this.pipelines.size === 0) throw error
      return false
    }
    if (this.#stopping) return true
    if (configs === undefined) {
      this.#logger.warn('The configuration keeps changing while it is read; pipelines stay as they are')
      return false
    }
    const wanted = new Set(configs.map(({ id }) => id))
    const results = await Promise.all([
      ...configs.map((config) => this.#apply(config)),
      ...[...this.pipelines.values()].filter(({ id }) => !wanted.has(id)).map((state) => this.#remove(state)),
    ])
    this.#report()
    await this.#abandoned.tell(configs.map(({ settings }) => settings))
    return results.every((ok) => ok)
  }

  /** The first start believes what it finds, and so does a reading that finds what runs. */
  #isKnown(configs: readonly PipelineConfig[]): boolean {
    if (this.pipelines.size === 0) return true
    const found = configs.filter(({ id, parts }) => parts.length > 0 || this.pipelines.has(id))
    return (
      found.length === this.pipelines.size &&
      found.every((config) => {
        const state = this.pipelines.get(config.id)
        return state !== undefined && configFingerprint(state.config) === configFingerprint(config)
      })
    )
  }

  #report(): void {
    if (!this.#hasActed) return
    this.#hasActed = false
    const all = [...this.pipelines.values()]
    const running = all.filter(({ status }) => status === 'running').map(({ id }) => Symbol.for(id))
    const others = all.filter(({ status }) => status !== 'running').map(({ id }) => Symbol.for(id))
    if (running.length === 0) return
    this.#logger.info('Pipelines running', {
      count: running.length,
      running_pipelines: running,
      non_running_pipelines: others,
    })
  }

  #apply(config: PipelineConfig): Promise<boolean> {
    const state = this.pipelines.get(config.id)
    if (this.#goesOn(state, config)) return Promise.resolve(true)
    const isSame = state !== undefined && configFingerprint(state.config) === configFingerprint(config)
    // Its back-off decides when.
    if (isSame && state.status === 'restarting') return Promise.resolve(true)
    if (state === undefined || state.thread === undefined) return this.#create(config)
    if (isSame) return this.#recover(state, config)
    return state.status === 'running' ? this.#reload(state, config) : this.#create(config)
  }

  /** A configuration that vanished is not one without plugins: the pipeline keeps what it has, and that is said once. */
  #goesOn(state: PipelineState | undefined, config: PipelineConfig): boolean {
    if (state === undefined) return config.parts.length === 0
    const vanished = vanishedTexts(state.lastGood, config)
    if (vanished.length > 0 && !state.hasVanished) {
      this.#logger.error(
        'The configuration of a pipeline is missing or empty; the pipeline goes on with the one it has',
        { 'pipeline.id': state.id, sources: vanished },
      )
    }
    state.hasVanished = vanished.length > 0
    return state.hasVanished
  }

  /** A crashed pipeline starts again when it is allowed to; everything else that is unchanged stays. */
  async #recover(state: PipelineState, config: PipelineConfig): Promise<boolean> {
    if (state.status !== 'crashed' || !this.#options.autoReload) return true
    if (config.settings.get('pipeline.recoverable') !== 'true') return true
    state.recordRecovery()
    return this.#create(config)
  }

  /** What failed once is tried again when it has changed, or when somebody `insists`. */
  async #create(config: PipelineConfig, insists = false): Promise<boolean> {
    const earlier = this.pipelines.get(config.id)
    const hasFailed =
      earlier?.status === 'failed' && configFingerprint(earlier.config) === configFingerprint(config)
    if (hasFailed && !insists) return false
    clearTimeout(earlier?.restart)
    await earlier?.thread?.terminate()
    const state = earlier ?? new PipelineState(config)
    state.config = config
    state.status = 'starting'
    this.pipelines.set(config.id, state)
    try {
      await this.#launch(state, config)
      return true
    } catch (error) {
      state.status = 'failed'
      this.#fail('Create', state, error)
      return false
    }
  }

  /** Gives the pipeline a thread that runs the configuration; rejects when it does not start. */
  async #launch(state: PipelineState, config: PipelineConfig): Promise<void> {
    this.#hasActed = true
    const thread = this.#options.spareThreads?.pop() ?? new PipelineThread(this.#options.broker)
    state.thread = thread
    thread.onWorkerLost = (failure) => state.recordWorkerLoss(failure)
    thread.onGivenUp = () => {
      state.losses.givenUpEvents += 1
    }
    try {
      state.adopt(config, await thread.start(setupOf(config)))
    } catch (error) {
      state.thread = undefined
      await thread.terminate()
      throw error
    }
    state.backOff.started()
    this.watches?.attach(state.id, thread)
    void thread.ended.then((how) => this.#ended(state, thread, how))
    void thread.lost.then((failure) => this.#lost(state, thread, failure))
  }

  // -------------------------------------------------------------------------------------- lost threads

  /** Only this pipeline is affected: it gets a new thread, after a while when that keeps happening. */
  #lost(state: PipelineState, thread: PipelineThread, failure: Failure): void {
    if (state.thread !== thread || this.#stopping) return
    const { queued, inflight } = state.recordLoss(failure)
    this.#restartLater(state, 'The thread of a pipeline ended; the pipeline is started again', failure, {
      lost_events_in_queue: queued,
      lost_or_delivered_events_in_flight: inflight,
    })
  }

  #restartLater(state: PipelineState, text: string, failure: Failure, details: LogFields): void {
    const delay = state.backOff.next()
    this.#logger.error(text, {
      'pipeline.id': state.id,
      error: failure.message,
      exception: failure.type,
      ...details,
      restart_in_seconds: delay / 1000,
      backtrace: traceOf(failure),
    })
    state.restart = setTimeout(() => void this.#restart(state), delay)
  }

  async #restart(state: PipelineState): Promise<void> {
    while (this.#converging !== undefined) await this.#converging.catch(() => false)
    // Meanwhile it may have been removed, or changed and created anew.
    if (this.#stopping || state.status !== 'restarting' || this.pipelines.get(state.id) !== state) return
    this.#converging = this.#startAgain(state).finally(() => {
      this.#converging = undefined
    })
  }

  async #startAgain(state: PipelineState): Promise<boolean> {
    const asked = state.config
    try {
      await state.thread?.terminate()
      await this.#launch(state, state.lastGood)
      state.losses.hostRestarts += 1
      state.recordRecovery()
      this.#report()
      return true
    } catch (error) {
      const failure = error instanceof PipelineFailure ? error.failure : failureOf(error)
      state.losses.lastReason = failure.message
      this.#restartLater(state, 'The pipeline could not be started again; another try follows', failure, {})
      return false
    } finally {
      // A text that could not be loaded is not to be tried once more because of this.
      state.config = asked
    }
  }

  async #reload(state: PipelineState, config: PipelineConfig): Promise<boolean> {
    this.#hasActed = true
    state.shadow = await this.#shadow?.try(state.lastGood, config)
    const refusal = this.#notReloadable(state, config) ?? shadowRefusal(state.shadow, config)
    if (refusal !== undefined) {
      this.#fail('Reload', state, new Error(refusal))
      state.config = config
      return false
    }
    this.#logger.info('Reloading pipeline', { 'pipeline.id': Symbol.for(state.id) })
    try {
      state.adopt(config, await state.thread!.reload(setupOf(config)))
      this.watches?.refresh(state.id)
      state.recordSuccess()
      this.reloads.successes += 1
      return true
    } catch (error) {
      state.config = config
      if (error instanceof PipelineFailure) state.keep(error.running)
      this.#fail('Reload', state, error)
      return false
    }
  }

  #notReloadable(state: PipelineState, config: PipelineConfig): string | undefined {
    if (state.summary?.reloadable === false) {
      return 'Cannot reload pipeline, because the existing pipeline is not reloadable'
    }
    return config.settings.get('pipeline.reloadable')
      ? undefined
      : 'Cannot reload pipeline, because the new pipeline is not reloadable'
  }

  #fail(action: 'Create' | 'Reload', state: PipelineState, error: unknown): void {
    const failure: Failure = error instanceof PipelineFailure ? error.failure : failureOf(error)
    state.recordFailure(failure)
    this.reloads.failures += 1
    const backtrace = (failure.stack ?? '')
      .split('\n')
      .slice(1, 4)
      .map((line) => line.trim())
    this.#logger.error(
      `Failed to execute action {:action=>LogStash::PipelineAction::${action}/pipeline_id:${state.id}, ` +
        `:exception=>${inspect(failure.type)}, :message=>${inspect(failure.message)}, :backtrace=>${inspect(backtrace)}}`,
    )
    if (failure.explanation !== undefined) this.#logger.error(failure.explanation)
  }

  #ended(state: PipelineState, thread: PipelineThread, how: 'finished' | Failure): void {
    if (state.thread !== thread || this.#stopping) return
    state.status = how === 'finished' ? 'finished' : 'crashed'
    if (how === 'finished') {
      this.#logger.info('Pipeline terminated', { 'pipeline.id': state.id })
      void thread.terminate()
    } else {
      state.recordFailure(how)
    }
    const alive = [...this.pipelines.values()].some(
      ({ status }) => status === 'running' || status === 'starting' || status === 'restarting',
    )
    if (!alive && !this.#options.autoReload) this.#allDone()
  }

  async #remove(state: PipelineState): Promise<boolean> {
    this.#hasActed = true
    clearTimeout(state.restart)
    await state.thread?.stop(false)
    this.watches?.detach(state.id)
    this.pipelines.delete(state.id)
    return true
  }

  /** Whether there are pipelines that wait for their next thread. */
  get isRestarting(): boolean {
    return [...this.pipelines.values()].some(({ status }) => status === 'restarting')
  }

  /** Pipelines that have not ended yet. */
  get running(): PipelineState[] {
    return [...this.pipelines.values()].filter(({ status }) => status === 'running' || status === 'crashed')
  }

  /** Stops every pipeline; senders end before the pipelines they feed. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.watches?.close()
    void this.#shadow?.close()
    for (const { restart } of this.pipelines.values()) clearTimeout(restart)
    // A pipeline that is just being started or reloaded may have accepted events: it has to end properly too.
    await this.#converging?.catch(() => false)
    await Promise.all(
      this.running.map(async (state) => {
        await state.thread?.stop(true)
        state.status = 'stopped'
      }),
    )
    this.#allDone()
  }

  abort(): void {
    for (const { thread } of this.running) thread?.abort()
  }
}
