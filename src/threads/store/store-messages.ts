/**
 * What the control thread and the store's thread say to each other, and what pipelines say to the store over the
 * ports they are given. Documents travel as the bytes of bulk requests.
 */
import type { MessagePort } from 'node:worker_threads'
import type { ClusterStatus } from '../../cluster/cluster-watch.ts'
import type { SettingsData } from '../../settings/settings.ts'
import type { Failure } from '../messages.ts'
import type { StoreHealth } from './store-health.ts'

/** Control thread to store. */
export type ToStore =
  /** `port`: the one it had before, when it is started again; `apiPort`: that of the monitoring API, when it is on. */
  | {
      kind: 'start'
      settings: SettingsData
      nodeId: string
      port: number | undefined
      apiPort: number | undefined
    }
  | { kind: 'accept'; port: MessagePort }
  | { kind: 'stop' }
  /** Answers a request for hot threads; `error` is set when a parameter was wrong. */
  | { kind: 'hot-threads'; number: number; text?: string; error?: string }

/** Store to control thread. */
export type FromStore =
  | { kind: 'ready'; port: number }
  /** `isRefusal`: the settings ask for what cannot be had, and waiting will not help. */
  | { kind: 'failed'; failure: Failure; isRefusal: boolean }
  | { kind: 'stopped' }
  /** The cluster that keeps the documents, whenever something about it changes. */
  | { kind: 'cluster'; status: ClusterStatus }
  /** The store of this process, whenever something about it changes. */
  | { kind: 'health'; health: StoreHealth }
  /** Threads are watched from the control thread; `parameters` is a query string. */
  | { kind: 'hot-threads'; number: number; parameters: string }

/** Pipeline to store: a request of the search API. */
export interface StoreRequest {
  readonly number: number
  readonly method: string
  /** With its query string. */
  readonly path: string
  readonly body: Uint8Array | undefined
  /** What an `Authorization` header would say; absent from pipelines that are trusted. */
  readonly authorization?: string | undefined
  /** Whence the request came to this process. */
  readonly address?: string | undefined
}

export interface StoreAnswer {
  readonly number: number
  readonly status: number
  readonly body: string
}
