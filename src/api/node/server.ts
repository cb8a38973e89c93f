/**
 * Starts the monitoring API (port 9600): binds the first free port of the settings and takes readings once a second for
 * peaks and processor use. Most routes are loaded by the first request for one, so that the port opens sooner.
 */
import { randomUUID } from 'node:crypto'
import { Router } from '../../http/router.ts'
import { type HttpServer, listen, PortsTaken } from '../../http/server.ts'
import { type Handler, listenerFor } from '../../http/service.ts'
import { Logger } from '../../log/logger.ts'
import type { Security } from '../../security/security.ts'
import type { Settings } from '../../settings/settings.ts'
import type { PortRange } from '../../settings/values.ts'
import type { StoreStatus } from '../../threads/store/store-supervisor.ts'
import { tlsFilesOf } from '../tls-settings.ts'
import type { SearchLink } from '../ui/search-routes.ts'
import { Sessions } from '../ui/sessions.ts'
import { failed, notFound } from './error-bodies.ts'
import { guardFor } from './guard.ts'
import { addLiveRoutes } from './live.ts'
import { BatchReadings } from './metrics/batch-readings.ts'
import { EventTotals } from './metrics/event-totals.ts'
import { FlowReadings } from './metrics/flow-readings.ts'
import { MemoryReadings } from './metrics/memory-readings.ts'
import { ProcessReadings } from './metrics/process-readings.ts'
import { addRootRoutes } from './root.ts'
import { type AgentView, type NodeView, runningBoards } from './view.ts'

export interface NodeApi {
  /** `host:port` as bound. */
  readonly address: string
  readonly port: number
  close(): Promise<void>
}

interface NodeApiOptions {
  readonly settings: Settings
  readonly agent: AgentView
  readonly id: string
  /** The search store as it is now; undefined while there is none. */
  store?(): StoreStatus | undefined
  /** Counts exceptions of the control thread that no handler caught. */
  exceptions?(): number
  /** With users and roles; without it `api.auth.*` alone decides. */
  readonly security?: Security | undefined
  /** The way of the dashboard to the search store; undefined when there is none. */
  readonly searchLink?: SearchLink | undefined
}

const readEvery = 1000

export async function startNodeApi({
  settings,
  agent,
  id,
  store,
  exceptions,
  security,
  searchLink,
}: NodeApiOptions): Promise<NodeApi> {
  let address: string | null = null
  const closing = new AbortController()
  const totals = new EventTotals(agent)
  const flows = new FlowReadings(agent, totals)
  const node: NodeView = {
    settings,
    agent,
    store: () => store?.(),
    exceptions: () => exceptions?.() ?? 0,
    id,
    ephemeralId: randomUUID(),
    address: () => address,
    totals,
    flows,
    batches: new BatchReadings(agent),
    memory: new MemoryReadings(() => runningBoards(agent)),
    process: new ProcessReadings(),
    utilization: (pipelineId) => flows.utilization(pipelineId),
    closing: closing.signal,
  }
  const timer = setInterval(() => {
    for (const readings of [totals, flows, node.batches, node.memory, node.process]) readings.observe()
  }, readEvery)
  timer.unref()
  const stopReading = () => {
    clearInterval(timer)
    node.memory.close()
  }
  const server = await serve(node, security, searchLink).catch((error: Error) => {
    stopReading()
    throw error
  })
  address = `${bracketed(settings.get('api.http.host'))}:${server.port}`
  new Logger('logstash.agent').info('Successfully started Logstash API endpoint', {
    port: server.port,
    ssl_enabled: settings.get('api.ssl.enabled'),
  })
  return {
    address,
    port: server.port,
    async close() {
      stopReading()
      closing.abort()
      await server.close()
    },
  }
}

/** What somebody asks who waits for the node to come up. */
function firstRoutes(node: NodeView): Router<Handler> {
  const router = new Router<Handler>()
  addRootRoutes(router, node)
  addLiveRoutes(router, node)
  return router
}

async function serve(
  node: NodeView,
  security: Security | undefined,
  searchLink: SearchLink | undefined,
): Promise<HttpServer> {
  const { settings } = node
  const sessions = new Sessions(() => node.address()?.split(':').at(-1) ?? '')
  let routes: Promise<Router<Handler>> | undefined
  const later = () => {
    routes ??= import('./later-routes.ts').then(({ laterRoutes }) =>
      laterRoutes(node, { sessions, security, searchLink }),
    )
    return routes
  }
  // These addresses are checked at the start, and hold passwords that no log may show.
  if (settings.get('api.ui.enabled') && settings.get('api.ui.fleet').length > 0) await later()
  const listener = listenerFor({
    router: firstRoutes(node),
    later,
    guard: await guardFor(settings, security, sessions),
    notFound,
    failed: (error, request) =>
      failed(error, request, ['debug', 'trace'].includes(settings.get('log.level'))),
  })
  const ports = settings.get('api.http.port')
  try {
    const files = tlsFilesOf(settings, 'api')
    return await listen({
      host: settings.get('api.http.host'),
      ports,
      tls: files && (await (await import('../../http/tls-files.ts')).readTls(files)),
      tlsFiles: files,
      tlsRenewed: tellRenewal,
      listener,
    })
  } catch (error) {
    throw error instanceof PortsTaken ? new Error(portsTakenText(ports), { cause: error }) : error
  }
}

function tellRenewal(error: Error | undefined): void {
  const logger = new Logger('logstash.agent')
  if (error === undefined) logger.info('The certificate of the API was replaced')
  else logger.error('The new certificate of the API cannot be used', { message: error.message })
}

function portsTakenText({ first, last }: PortRange): string {
  const hint = 'You can specify a new port by launching logstash with the --api.http.port option.'
  return first === last
    ? `Logstash tried to bind to port ${first}, but the port is already in use. ${hint}`
    : `Logstash tried to bind to port range ${first}..${last}, but all the ports are already in use. ${hint}`
}

/** An IPv6 address needs brackets in front of a port. */
function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
