/** What delivery needs of whoever takes bulk requests: a cluster over HTTP, or the store of this process. */
import type { HostPool } from './host-pool.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT'

export interface Answer {
  readonly status: number
  readonly body: string
  readonly url: string
}

export interface BulkClient {
  readonly pool: Pick<HostPool, 'anyAlive' | 'onRevival'>
  /** Aborted by `close` and when the pipeline has to stop. */
  readonly signal: AbortSignal
  /** The parameters of bulk requests that leave out of answers what nobody needs. */
  readonly bulkQuery: string
  /** A `durability` of PERMANENT means that it will never have memory for the request, as our own store says it. */
  readonly refusesForGood?: boolean
  request(method: Method, path: string, body?: Uint8Array | string, query?: string): Promise<Answer>
  close(): Promise<void>
}
