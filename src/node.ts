/**
 * The composition root of the control thread: settings, the agent with its pipelines, the monitoring API,
 * signals. The only file that knows all the others.
 */
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { Agent } from './agent/agent.ts'
import { PipelineLoader } from './agent/load-pipelines.ts'
import { ShutdownWatch } from './agent/shutdown-watch.ts'
import { Watches } from './agent/watches.ts'
import { type NodeApi, startNodeApi } from './api/node/server.ts'
import { Logger, resetLevels } from './log/logger.ts'
import { closeFiles, configureLogging } from './log/sink.ts'
import { allocatorHint } from './memory/allocator-hint.ts'
import { memoryAccount } from './memory/memory-account.ts'
import type { Security } from './security/security.ts'
import { checkBinds } from './settings/bind-settings.ts'
import type { Settings } from './settings/settings.ts'
import type { VariableLookup } from './settings/substitution.ts'
import { type DataLock, lockDataDirectory } from './storage/data-lock.ts'
import { nodeId } from './storage/node-id.ts'
import { BusBroker } from './threads/bus/bus-broker.ts'
import { PipelineThread } from './threads/pipeline-thread.ts'
import { logging, variablesFor } from './threads/process-setup.ts'
import { useSharedLevels } from './threads/shared-logging.ts'
import { ThreadStoreLink } from './threads/store/store-link.ts'
import { StoreSupervisor } from './threads/store/store-supervisor.ts'
import { logstashVersion, version } from './version.ts'

/** How long the store lets pipelines go first: with few cores, a thread that loads its code slows down the others. */
const storeDelay = 200

/** For what is closed beside pipelines and store, in milliseconds. */
const closeLimit = 10_000

/** Started before settings are read: a thread takes longer to come up than a settings file to read. */
export interface EarlyStart {
  readonly broker: BusBroker
  readonly thread: PipelineThread
}

/** Takes over a thread that is coming up already, or starts one. */
export function startEarly(thread?: Worker): EarlyStart {
  const broker = new BusBroker()
  return { broker, thread: new PipelineThread(broker, thread) }
}

export class MillraceNode {
  readonly agent: Agent
  readonly settings: Settings
  /** Counts exceptions of the control thread that no handler caught and that it survived. */
  exceptions = 0
  #logger = new Logger('logstash.runner')
  #api: NodeApi | undefined
  #lock: DataLock | undefined
  #security: Security | undefined
  #broker: BusBroker
  #store: StoreSupervisor | undefined
  #storeDue: NodeJS.Timeout | undefined
  #openStore: (() => StoreSupervisor) | undefined
  /** The dashboard's way to the store. */
  #searchLink: ThreadStoreLink | undefined
  #searchPort: number | undefined
  #poll: NodeJS.Timeout | undefined
  #stopping: Promise<number> | undefined
  #finish!: (code: number) => void
  /** The exit code, once everything is closed. */
  readonly exit: Promise<number>

  private constructor(settings: Settings, agent: Agent, broker: BusBroker) {
    this.settings = settings
    this.agent = agent
    this.#broker = broker
    this.exit = new Promise((resolve) => {
      this.#finish = resolve
    })
  }

  /**
   * Rejects when the node cannot run at all; the caller decides how to say so. When `ending` is aborted the node
   * stops, even if it is still starting.
   */
  static async start(settings: Settings, early: EarlyStart, ending?: AbortSignal): Promise<MillraceNode> {
    configureLogging(logging(settings))
    memoryAccount.limit = settings.get('memory.limit')
    useSharedLevels()
    resetLevels()
    checkBinds(settings)
    const lock = await lockDirectories(settings)
    const variables = await variablesFor(settings)
    const security = await openSecurity(settings, variables).catch(async (error: Error) => {
      await lock.release()
      throw error
    })
    const loader = new PipelineLoader(settings, variables)
    const agent = new Agent({
      load: () => loader.load(),
      autoReload: settings.get('config.reload.automatic'),
      spareThreads: [early.thread],
      broker: early.broker,
      watches: watchesFor(settings, (id) => node.agent.pipelines.get(id)?.config.settings ?? settings),
    })
    const node: MillraceNode = new MillraceNode(settings, agent, early.broker)
    node.#lock = lock
    node.#security = security
    const stop = () => void node.stop(0)
    try {
      if (ending?.aborted) stop()
      ending?.addEventListener('abort', stop)
      // A plugin that never comes up does not keep the node from ending.
      await Promise.race([node.#begin(), node.exit])
    } catch (error) {
      // Pipelines may have accepted events by now.
      await agent.stop()
      clearTimeout(node.#storeDue)
      await node.#stopStore()
      await lock.release()
      throw error
    }
    return node
  }

  async #begin(): Promise<void> {
    const { settings } = this
    this.#logger.info('Starting Logstash', {
      'logstash.version': logstashVersion,
      'millrace.version': version,
      'node.version': process.version,
    })
    for (const { kind, message } of settings.warnings) {
      if (kind !== 'stderr') this.#logger.warn(message)
    }
    if (process.getuid?.() === 0 && !settings.get('allow_superuser')) {
      this.#logger.warn(
        'Running as superuser is strongly discouraged; set `allow_superuser: true` if it has to be.',
      )
    }
    const hint = allocatorHint(settings.get('memory.limit'))
    if (hint !== undefined) this.#logger.warn(hint)
    // Neither waits for the other: the API answers while pipelines are still starting.
    await Promise.all([this.#startApi(), this.agent.converge()])
    if (this.#stopping === undefined) this.#openStore?.()
    if (settings.get('config.reload.automatic')) this.#pollForChanges()
    else if (this.agent.running.length === 0 && !this.#endedByThemselves() && !this.agent.isRestarting)
      return void this.stop(1)
    void this.agent.done.then(() => this.stop(this.#crashed() ? 1 : 0))
  }

  async #startApi(): Promise<void> {
    const { settings, agent } = this
    const id = await nodeId(settings.get('path.data'))
    const security = this.#security
    const store = () => this.#store?.status
    if (settings.get('api.enabled'))
      this.#api = await startNodeApi({
        settings,
        agent,
        id,
        store,
        security,
        searchLink: { connect: () => this.#searchLink?.connect() ?? Promise.resolve(undefined) },
        exceptions: () => this.exceptions,
      })
    this.#offerStore(id)
  }

  /** The store opens when a pipeline asks for it, when all pipelines run, or after a moment: what comes first. */
  #offerStore(id: string): void {
    if (!this.settings.get('search.enabled')) return this.#broker.offerStore(async () => undefined)
    const open = () => {
      this.#store ??= this.#startStore(id)
      return this.#store
    }
    this.#openStore = open
    this.#searchLink = new ThreadStoreLink(() => open().connect())
    this.#broker.offerStore(() => open().connect())
    this.#storeDue = setTimeout(open, storeDelay)
  }

  #startStore(id: string): StoreSupervisor {
    clearTimeout(this.#storeDue)
    const { settings } = this
    const identity = () => [
      settings.get('node.name'),
      shortId(id),
      hostname(),
      `${settings.get('search.http.host')}:${this.#searchPort ?? ''}`,
    ]
    const store = new StoreSupervisor({
      settings: settings.toData(),
      nodeId: shortId(id),
      apiPort: settings.get('api.ui.enabled') ? this.#api?.port : undefined,
      hotThreads: async (parameters) => {
        const { clusterReport } = await import('./api/node/hot-threads/hot-threads.ts')
        return clusterReport(identity(), parameters)
      },
      refused: (message) => this.#storeRefused(message),
    })
    store.ready.then(
      (port) => {
        this.#searchPort = port
      },
      () => undefined,
    )
    return store
  }

  /** Settings that ask for what cannot be had are an error of the start; whatever happens later is not. */
  #storeRefused(message: string): void {
    if (this.#stopping !== undefined) return
    this.#logger.fatal('The search store failed', { message })
    void this.stop(1)
  }

  #crashed(): boolean {
    return [...this.agent.pipelines.values()].some(({ status }) => status === 'crashed')
  }

  #endedByThemselves(): boolean {
    return [...this.agent.pipelines.values()].some(({ status }) => status === 'finished')
  }

  #pollForChanges(): void {
    const interval = this.settings.get('config.reload.interval')
    this.#poll = setInterval(() => void this.reload(), interval)
  }

  /** One pass over the configuration, as the poll or a SIGHUP asks for it. */
  async reload(): Promise<void> {
    await this.agent
      .converge()
      .catch((error: Error) => this.#logger.error('Reload failed', { message: error.message }))
  }

  /** Address of the monitoring API, when it is on. */
  get apiAddress(): string | undefined {
    return this.#api?.address
  }

  /** Where a browser finds the dashboard, when it is on. */
  get dashboardUrl(): string | undefined {
    const { settings } = this
    if (this.#api === undefined || !settings.get('api.ui.enabled')) return undefined
    const host = settings.get('api.http.host')
    const isAny = host === '0.0.0.0' || host === '::'
    const address = isAny ? `${hostname()}:${this.#api.port}` : this.#api.address
    return `${settings.get('api.ssl.enabled') ? 'https' : 'http'}://${address}/ui`
  }

  /** Address of the search API, once it answers. */
  get searchAddress(): string | undefined {
    return this.#searchPort === undefined
      ? undefined
      : `${this.settings.get('search.http.host')}:${this.#searchPort}`
  }

  /** Resolves when the search API answers; undefined when it is switched off. */
  async searchReady(): Promise<string | undefined> {
    await (this.#stopping === undefined ? this.#openStore?.() : this.#store)?.ready
    return this.searchAddress
  }

  stop(code: number): Promise<number> {
    this.#stopping ??= this.#shutDown(code)
    return this.#stopping
  }

  async #shutDown(code: number): Promise<number> {
    clearInterval(this.#poll)
    const gaveUp = await this.#stopPipelines()
    clearTimeout(this.#storeDue)
    await within(this.settings.get('shutdown.stall_limit') + closeLimit, this.#close())
    this.#logger.info('Logstash shut down.')
    closeFiles()
    const result = gaveUp === undefined ? code : gaveUp === 'unsafe' ? 255 : 1
    this.#finish(result)
    return result
  }

  async #close(): Promise<void> {
    await this.#api?.close()
    await this.#stopStore()
    await this.#lock?.release()
  }

  async #stopStore(): Promise<void> {
    await this.#store?.stop(this.settings.get('shutdown.stall_limit'))
  }

  /** How long undelivered events may take to get to the dead letters, or to be counted, in milliseconds. */
  get #rescueLimit(): number {
    return this.agent.running.some(({ config }) => config.settings.get('dead_letter_queue.enable'))
      ? 10_000
      : 500
  }

  async #stopPipelines(): Promise<'unsafe' | 'limit' | undefined> {
    let watch: ShutdownWatch | undefined
    const gaveUp = new Promise<'unsafe' | 'limit'>((resolve) => {
      watch = new ShutdownWatch({
        running: () => this.agent.running,
        unsafe: this.settings.get('pipeline.unsafe_shutdown'),
        stallLimit: this.settings.get('shutdown.stall_limit'),
        giveUp: (reason) => {
          this.agent.abort()
          resolve(reason)
        },
      })
    })
    const stopped = this.agent.stop()
    let reason: 'unsafe' | 'limit' | undefined
    const afterwards = gaveUp.then(async (why) => {
      reason = why
      await within(this.#rescueLimit, stopped)
    })
    try {
      await Promise.race([stopped, afterwards])
      return reason
    } finally {
      watch?.stop()
    }
  }
}

/** Lineage is part of what the demo shows. */
function watchesFor(settings: Settings, settingsOf: (pipelineId: string) => Settings): Watches {
  const isShown = settings.get('demo') && !settings.isSet('lineage.enabled')
  const isOn = settings.get('lineage.enabled') || isShown
  const sample = isShown && !settings.isSet('lineage.sample') ? 10 : settings.get('lineage.sample')
  return new Watches({
    traces: isOn ? { sample, until: undefined } : undefined,
    maxTraceBytes: settings.get('lineage.max_bytes'),
    recent: (id) => settingsOf(id).get('shadow_reload.events'),
  })
}

async function within(millis: number, work: Promise<void>): Promise<void> {
  let limit: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    limit = setTimeout(resolve, millis)
  })
  await Promise.race([work, over])
  clearTimeout(limit)
}

/** The directory of the node, and that of the store, which may be another node's. */
async function lockDirectories(settings: Settings): Promise<DataLock> {
  const data = await lockDataDirectory(settings.get('path.data'))
  if (!settings.get('search.enabled') || settings.get('search.backend') !== 'embedded') return data
  try {
    const store = await lockDataDirectory(settings.get('search.path'), 'search.path')
    return { release: async () => void (await Promise.all([data.release(), store.release()])) }
  } catch (error) {
    await data.release()
    throw error
  }
}

/** Users and roles, when they are asked for; the first user comes from the keystore or the environment. */
async function openSecurity(settings: Settings, variables: VariableLookup): Promise<Security | undefined> {
  if (!settings.get('security.enabled')) return undefined
  const { firstUsers, openWithFirstUser } = await import('./security/first-user.ts')
  const isOpenSearch = settings.get('search.compat.flavor') === 'opensearch'
  const { name, variable } = isOpenSearch ? firstUsers.opensearch : firstUsers.elasticsearch
  const password =
    settings.get('security.bootstrap.password') ??
    variables.secret(variable) ??
    variables.environment(variable)
  return openWithFirstUser({
    path: join(settings.get('security.path'), 'security.json'),
    auditsGranted: settings.get('security.audit.granted'),
    name,
    password,
  })
}

/** The node's id as the search API has ids: its 16 bytes in 22 characters. */
function shortId(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')
}
