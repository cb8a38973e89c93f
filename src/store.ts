/**
 * The composition root of the store's thread: the search engine over its directory, or the client of a cluster, the
 * search API of port 9200, and the links of pipelines. Everything that touches documents happens here, and nowhere else.
 */

import { join } from 'node:path'
import { type MessagePort, parentPort } from 'node:worker_threads'
import type { Dashboard } from './api/search/node-view.ts'
import { type SearchApi, startSearchApi } from './api/search/server.ts'
import { tlsFilesOf } from './api/tls-settings.ts'
import type { ClusterStatus } from './cluster/cluster-watch.ts'
import { compileIngestGrok, ingestGrokPatterns } from './grok/ingest-grok.ts'
import type { Reply } from './http/respond.ts'
import { PortsTaken } from './http/server.ts'
import { Logger } from './log/logger.ts'
import { closeFiles, configureLogging } from './log/sink.ts'
import { collectAfterStart, collectGarbage, collectLeftBuffers } from './memory/collect-garbage.ts'
import { compileJavaPattern } from './regex/java-pattern.ts'
import { openEngine } from './search/engine.ts'
import { StoreMemory } from './search/index/store-memory.ts'
import { ReaderPool } from './search/readers/reader-pool.ts'
import { illegalArgument } from './search/request/errors.ts'
import type { BackgroundJob } from './search/scheduling/background-work.ts'
import type { SegmentJob } from './search/shard/segment-job.ts'
import type { Security } from './security/security.ts'
import { Settings } from './settings/settings.ts'
import type { PortRange } from './settings/values.ts'
import { diskFiles } from './storage/files.ts'
import { mergeEntry, unpackEntry } from './threads/entry-url.ts'
import { failureOf } from './threads/failure.ts'
import { logging } from './threads/process-setup.ts'
import { enterRoster } from './threads/roster.ts'
import { useSharedLevels } from './threads/shared-logging.ts'
import { SideThread } from './threads/side-thread.ts'
import { startReader } from './threads/store/reader-thread.ts'
import { type StoreHealth, StoreHealthWatch } from './threads/store/store-health.ts'
import type { FromStore, StoreRequest, ToStore } from './threads/store/store-messages.ts'
import { userAgentFacts } from './user-agent/facts.ts'

const logger = new Logger('millrace.search')

interface RunningStore {
  readonly api: SearchApi
  close(): Promise<void>
}

class StoreRunner {
  readonly #post: (message: FromStore) => void
  readonly #links = new Set<MessagePort>()
  /** Links that came before the store was open. */
  #early: MessagePort[] = []
  #store: RunningStore | undefined
  /** Reports on hot threads that were asked for. */
  readonly #reports = new Map<number, (report: { text?: string; error?: string }) => void>()
  #nextReport = 0

  constructor(post: (message: FromStore) => void) {
    this.#post = post
  }

  receive(message: ToStore): void {
    if (message.kind === 'accept') this.#accept(message.port)
    else if (message.kind === 'start') void this.#start(message)
    else if (message.kind === 'hot-threads') this.#reports.get(message.number)?.(message)
    else void this.#stop()
  }

  async #start({
    settings: data,
    nodeId,
    port: earlier,
    apiPort,
  }: Extract<ToStore, { kind: 'start' }>): Promise<void> {
    try {
      const settings = Settings.fromData(data)
      enterRoster('search')
      useSharedLevels()
      configureLogging({ ...logging(settings), thread: 'search' })
      this.#store = await openStore({
        settings,
        nodeId,
        ports: earlier === undefined ? settings.get('search.http.port') : { first: earlier, last: earlier },
        hotThreads: (parameters) => this.#hotThreads(parameters),
        apiPort,
        clusterChanged: (status) => this.#post({ kind: 'cluster', status }),
        healthChanged: (health) => this.#post({ kind: 'health', health }),
      })
      const { port } = this.#store.api
      for (const link of this.#early.splice(0)) this.#accept(link)
      logger.info('Search API endpoint started', { port })
      this.#post({ kind: 'ready', port })
      collectAfterStart()
    } catch (error) {
      const isRefusal = (error as Error).cause instanceof PortsTaken
      this.#post({ kind: 'failed', failure: failureOf(error), isRefusal })
    }
  }

  /** The control thread watches the threads and always answers. */
  async #hotThreads(parameters: ReadonlyMap<string, string>): Promise<string> {
    const number = this.#nextReport++
    const asked = new URLSearchParams([...parameters]).toString()
    const { text, error } = await new Promise<{ text?: string; error?: string }>((resolve) => {
      this.#reports.set(number, resolve)
      this.#post({ kind: 'hot-threads', number, parameters: asked })
    })
    this.#reports.delete(number)
    if (text === undefined) throw illegalArgument(error ?? '')
    return text
  }

  #accept(link: MessagePort): void {
    const store = this.#store
    if (store === undefined) return void this.#early.push(link)
    this.#links.add(link)
    link.on('close', () => this.#links.delete(link))
    link.on('message', (request: StoreRequest) => {
      void store.api.answer(request).then(
        ({ status, content }) => {
          const body = textOf(content)
          link.postMessage({ number: request.number, status, body })
        },
        // Without an answer the pipeline sends it again.
        () => link.close(),
      )
    })
  }

  async #stop(): Promise<void> {
    for (const link of this.#links) link.close()
    try {
      await this.#store?.close()
    } catch (error) {
      logger.error('The search store could not be closed properly', { message: (error as Error).message })
    }
    closeFiles()
    this.#post({ kind: 'stopped' })
  }
}

function textOf(content: Reply['content']): string {
  if ('text' in content) return content.text
  return 'pieces' in content ? Buffer.concat(content.pieces).toString('utf8') : ''
}

let isCollectionDue = false

/** One collection for all that is dropped at about the same time. */
function collectSoon(): void {
  if (isCollectionDue) return
  isCollectionDue = true
  setTimeout(() => {
    isCollectionDue = false
    collectGarbage()
  }, collectDelayMillis).unref()
}

/** Work on segments takes much memory and comes in bursts; what searches need may come at any time. */
const segmentThreadIdleMillis = 2_000
const unpackThreadIdleMillis = 30_000
const collectDelayMillis = 100

interface StoreOptions {
  readonly settings: Settings
  readonly nodeId: string
  readonly ports: PortRange
  readonly hotThreads: (parameters: ReadonlyMap<string, string>) => Promise<string>
  /** Port of the monitoring API, where the dashboard is. */
  readonly apiPort: number | undefined
  readonly clusterChanged: (status: ClusterStatus) => void
  readonly healthChanged: (health: StoreHealth) => void
}

async function openStore(options: StoreOptions): Promise<RunningStore> {
  const { settings, ports, clusterChanged } = options
  try {
    const serving = await servingOf(options)
    if (settings.get('search.backend') === 'embedded') return await openEmbedded(options, serving)
    const { openClusterStore } = await import('./cluster-store.ts')
    return await openClusterStore({ settings, serving, changed: clusterChanged })
  } catch (error) {
    throw error instanceof PortsTaken ? new Error(portsTakenText(ports), { cause: error }) : error
  }
}

/** Where the API is served and what stands in front of it, whoever keeps the documents. */
async function servingOf({ settings, ports, apiPort }: StoreOptions) {
  const tlsFiles = tlsFilesOf(settings, 'search')
  return {
    host: settings.get('search.http.host'),
    ports,
    dashboard: dashboardOf(settings, apiPort),
    security: await openSecurity(settings),
    allowedHosts: allowedHosts(settings),
    corsOrigins: settings.get('search.http.cors.enabled')
      ? settings.get('search.http.cors.allow-origin')
      : undefined,
    tls: tlsFiles && (await (await import('./http/tls-files.ts')).readTls(tlsFiles)),
    tlsFiles,
    tlsRenewed: (error: Error | undefined) => {
      if (error === undefined) logger.info('The certificate of the search API was replaced')
      else logger.error('The new certificate of the search API cannot be used', { message: error.message })
    },
  }
}

async function openEmbedded(
  { settings, nodeId, hotThreads, healthChanged }: StoreOptions,
  serving: Awaited<ReturnType<typeof servingOf>>,
): Promise<RunningStore> {
  // Segments are joined in one thread and written in another, so that writing never waits for joining.
  const merges = new SideThread<SegmentJob>(mergeEntry, segmentThreadIdleMillis)
  const writes = new SideThread<SegmentJob>(mergeEntry, segmentThreadIdleMillis)
  const unpacking = new SideThread<BackgroundJob>(unpackEntry, unpackThreadIdleMillis)
  const engine = openEngine({
    files: diskFiles,
    directory: settings.get('search.path'),
    node: nodeId,
    flavor: settings.get('search.compat.flavor'),
    strict: settings.get('compat.strict'),
    compile: compileJavaPattern,
    ingest: {
      compileGrok: compileIngestGrok,
      grokPatterns: ingestGrokPatterns,
      userAgent: userAgentFacts,
    },
    async jobs(job) {
      await (job.kind === 'merge' ? merges : writes).run(job)
      // What was written is dropped right after this; its memory serves the next write buffer when it is collected.
      if (job.kind === 'write') collectSoon()
    },
    sideRunner: (job) => unpacking.run(job),
    readers: readersOf(settings),
    report: (level, message, details) => logger[level](message, details),
    memory: new StoreMemory({
      limit: settings.get('memory.limit'),
      collect: collectGarbage,
      collectLeft: collectLeftBuffers,
    }),
  })
  const { cluster, search } = engine
  try {
    const nodeName = settings.get('node.name')
    const clusterName = settings.get('search.cluster.name')
    const dataDirectory = settings.get('search.path')
    const names = { nodeId, nodeName, clusterName }
    const own = { 'reindex.remote.allowlist': settings.get('search.reindex.remote.allowlist').join(',') }
    const api = await startSearchApi({
      cluster,
      search,
      ...names,
      ...serving,
      dataDirectory,
      hotThreads,
      settings: own,
    })
    const watch = new StoreHealthWatch(cluster, healthChanged)
    return {
      api,
      async close() {
        watch.close()
        await api.close()
        await engine.close()
        for (const thread of [merges, writes, unpacking]) await thread.close()
      },
    }
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** The share of the process's memory that all readers together may cache of what they decoded. */
const readersShare = 0.15
/** With less, a thread more would take what writes and searches need. */
const minReaderMemory = 1024 ** 3

function readersOf(settings: Settings): ReaderPool | undefined {
  const maxReaders = settings.get('search.threads')
  // The setting's own default knows the machine, but not a limit below it.
  if (maxReaders <= 0 || settings.get('memory.limit') < minReaderMemory) return undefined
  const cacheBytes = (settings.get('memory.limit') * readersShare) / maxReaders
  return new ReaderPool({ maxReaders, start: (handlers) => startReader({ cacheBytes }, handlers) })
}

/** Only where a visitor of the search API reaches the other port by the same name. */
function dashboardOf(settings: Settings, port: number | undefined): Dashboard | undefined {
  const host = settings.get('api.http.host')
  const isReached = host === '0.0.0.0' || host === '::' || host === settings.get('search.http.host')
  return port !== undefined && isReached ? { port, isSecure: settings.get('api.ssl.enabled') } : undefined
}

async function openSecurity(settings: Settings): Promise<Security | undefined> {
  if (!settings.get('security.enabled')) return undefined
  const { Security } = await import('./security/security.ts')
  const path = join(settings.get('security.path'), 'security.json')
  const auditsGranted = settings.get('security.audit.granted')
  return new Security({ files: diskFiles, path, auditsGranted })
}

/** Where a password is asked for, a name that leads here from elsewhere gains nothing. */
function allowedHosts(settings: Settings): readonly string[] {
  const named = settings.get('security.allowed_hosts')
  return named.length === 0 && settings.get('security.enabled') ? ['*'] : named
}

function portsTakenText({ first, last }: PortRange): string {
  const hint =
    'Choose another one with the --search.http.port option, or switch the store off with --search.enabled=false.'
  return first === last
    ? `The search API could not be bound to port ${first}: it is already in use. ${hint}`
    : `The search API could not be bound to a port of ${first}..${last}: all are already in use. ${hint}`
}

if (parentPort !== null) {
  const port = parentPort
  const runner = new StoreRunner((message) => port.postMessage(message))
  port.on('message', (message: ToStore) => runner.receive(message))
}
