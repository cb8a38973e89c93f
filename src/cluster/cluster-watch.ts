/**
 * Whether the cluster answers, and how it says it is: asked from time to time, more often while it is away. Told when
 * something changes.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClusterClient } from './cluster-client.ts'

export interface ClusterStatus {
  readonly isReachable: boolean
  /** `green`, `yellow` or `red` as the cluster says it; undefined while it does not. */
  readonly health: string | undefined
  readonly name: string | undefined
  readonly nodes: number | undefined
  /** Why it is not reachable. */
  readonly reason: string | undefined
  /** Hosts that are asked, and those of them that failed last. */
  readonly hosts: number
  readonly failedHosts: readonly string[]
}

const everyMillis = 10_000
const awayMillis = 2_000
const timeoutMillis = 5_000
const maxHealthBytes = 1024 * 1024

export class ClusterWatch {
  readonly #client: ClusterClient
  readonly #changed: (status: ClusterStatus) => void
  readonly #over = new AbortController()
  #last = ''

  constructor(client: ClusterClient, changed: (status: ClusterStatus) => void) {
    this.#client = client
    this.#changed = changed
    void this.#run()
  }

  async #run(): Promise<void> {
    const { signal } = this.#over
    while (!signal.aborted) {
      const status = await this.#look()
      if (signal.aborted) return
      const text = JSON.stringify(status)
      if (text !== this.#last) this.#changed(status)
      this.#last = text
      const millis = status.isReachable ? everyMillis : awayMillis
      await sleep(millis, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  async #look(): Promise<ClusterStatus> {
    const limit = AbortSignal.timeout(timeoutMillis)
    let answer: { status: number; body: Buffer } | undefined
    let reason: string | undefined
    try {
      const signal = AbortSignal.any([limit, this.#over.signal])
      answer = await this.#client.ask({ method: 'GET', path: '/_cluster/health', signal }, maxHealthBytes)
    } catch (error) {
      reason = limit.aborted ? `no answer within ${timeoutMillis} ms` : (error as Error).message
    }
    const known = this.#client.hosts
    const hosts = known.length
    const failedHosts = known.filter(({ isAlive }) => !isAlive).map(({ url }) => url)
    const nothing = { health: undefined, name: undefined, nodes: undefined }
    if (answer === undefined) return { isReachable: false, ...nothing, reason, hosts, failedHosts }
    // Somebody who may not see the health of the cluster may still use it.
    const body = answer.status === 200 ? parsed(answer.body) : {}
    const refused = answer.status >= 500 ? `the cluster answers ${answer.status}` : undefined
    return {
      isReachable: refused === undefined,
      health: body.status,
      name: body.cluster_name,
      nodes: body.number_of_nodes,
      reason: refused,
      hosts,
      failedHosts,
    }
  }

  close(): void {
    this.#over.abort()
  }
}

function parsed(body: Buffer): { status?: string; cluster_name?: string; number_of_nodes?: number } {
  try {
    return JSON.parse(body.toString('utf8')) as object
  } catch {
    return {}
  }
}
