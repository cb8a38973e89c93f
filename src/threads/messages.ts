/**
 * What the control thread, the pipelines' host threads and their workers say to each other.
 * Everything here survives structured clone; event data travels as bytes.
 */
import type { MessagePort } from 'node:worker_threads'
import type { BoardLayout } from '../metrics/board.ts'
import type { FrameFault } from '../pipeline/frames/frame.ts'
import type { PipelineGraph } from '../pipeline/plan/graph.ts'
import type { SourcePart } from '../pipeline/plan/source.ts'
import type { WatchOrder, WatchReport } from '../pipeline/watch/watch-order.ts'
import type { Block, Origin, PluginFacts } from '../plugin/define.ts'
import type { DeadLetterStats } from '../queue/dead-letters/queue.ts'
import type { QueueFigures } from '../queue/persisted/persisted-queue.ts'
import type { SettingsData } from '../settings/settings.ts'
import type { WrittenOption } from './configuration/option-text.ts'

export interface Setup {
  settings: SettingsData
  parts: readonly SourcePart[]
  /** Configurations that records in a persisted queue come from. */
  sources?: readonly (readonly SourcePart[])[]
}

/** Control thread to host thread. */
export type ToHost =
  | { kind: 'start'; setup: Setup }
  | { kind: 'reload'; setup: Setup }
  /** `last`: the whole process stops, so senders are let out before the pipelines they feed. */
  | { kind: 'stop'; last: boolean }
  | { kind: 'abort' }
  | { kind: 'pending' }
  /** Events in wire form that go through the pipeline once more. */
  | { kind: 'replay'; request: number; bytes: Uint8Array; count: number }
  | { kind: 'watch'; order: WatchOrder }
  /** Every worker answers with its last events. */
  | { kind: 'collect'; request: number }
  | BusReply

/** One plugin of a running pipeline, for the monitoring API. */
export interface PluginSummary {
  type: 'input' | 'filter' | 'output'
  name: string
  id: string
  /** Whether the user chose the id. */
  explicitId: boolean
  metrics: readonly string[]
  /** Numbers that follow from its options. */
  facts?: PluginFacts
  /** Inputs and outputs: the codec in use. */
  codec?: { id: string; name: string }
  /** What it does, in a sentence. */
  summary?: string
  /** As the configuration writes them, without secrets. */
  options?: readonly WrittenOption[]
  /** Outputs that encode in the worker, whose bytes are counted. */
  encodes?: boolean
}

export interface PipelineSummary {
  hash: string
  /** Hash of the same texts as Logstash 5.0 made it. */
  oldHash: string
  workers: number
  batchSize: number
  batchDelay: number
  reloadable: boolean
  plugins: PluginSummary[]
  graph: PipelineGraph
  board: BoardLayout
}

export interface Failure {
  message: string
  /** Names the exception class Logstash would report. */
  type: string
  /** The message with frames of the source, for people. */
  explanation?: string
  stack?: string
}

/** Host thread to control thread. */
export type FromHost =
  | { kind: 'started'; summary: PipelineSummary }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'reloaded'; summary: PipelineSummary }
  /** `summary`: what runs now, when the earlier configuration still does. */
  | { kind: 'reload-failed'; failure: Failure; summary: PipelineSummary | undefined }
  | { kind: 'finished' }
  | { kind: 'crashed'; failure: Failure }
  /** An exception outside of any event reached the thread; what could be drained is out, the thread is to be replaced. */
  | { kind: 'faulted'; failure: Failure }
  /** A worker thread ended and is started again. */
  | { kind: 'worker-lost'; failure: Failure }
  /** A record ended every worker it was given to. */
  | { kind: 'gave-up' }
  | { kind: 'stopped' }
  | { kind: 'pending'; queued: number; batches: number; waiting: number }
  | { kind: 'dead-letters'; stats: DeadLetterStats }
  | { kind: 'replayed'; request: number; error?: string }
  | { kind: 'queue'; figures: QueueFigures }
  | { kind: 'watched'; report: WatchReport }
  | BusRequest

/**
 * Delivery between pipelines, and to the store: the control thread introduces senders to listeners, then they
 * talk directly.
 */
export type BusRequest =
  | StoreRequestToConnect
  | { kind: 'bus-listen'; request: number; address: string; isPersisted: boolean }
  | { kind: 'bus-unlisten'; address: string }
  | { kind: 'bus-connect'; request: number; address: string }
  | { kind: 'bus-disconnected'; connection: number }

/** Sent by a pipeline's thread that wants to reach the search store. */
interface StoreRequestToConnect {
  kind: 'store-connect'
  request: number
}

/** `met` is undefined when there is no store. */
export interface StoreConnected {
  kind: 'store-connected'
  request: number
  met: { link: MessagePort; port: number } | undefined
}

export type BusReply =
  | StoreConnected
  | { kind: 'bus-listening'; request: number; error?: string }
  /** `met` is undefined when nobody listens. */
  | { kind: 'bus-connected'; request: number; met: { connection: number; port: MessagePort } | undefined }
  | { kind: 'bus-accept'; address: string; connection: number; port: MessagePort }
  /** Whether the sender of a connection would wait for itself. */
  | { kind: 'bus-cycle'; address: string; connection: number; isCyclic: boolean }

/** A frame as it crosses threads: only the bytes of its own records. */
export interface PortableFrame {
  input: number
  codec: number
  origin: Origin
  millis: number
  nanos: number
  bytes: Uint8Array
  ends: Uint32Array | null
  gap: number
  /** First record, and how many. */
  from: number
  count: number
  repeated: boolean
  counter: { reference: string; first: number } | undefined
  wire: boolean
  fault: FrameFault | undefined
  lineage: string | null
  /** Number of record 0 of this frame. */
  base: number
  byOffset: boolean
}

/** Host thread to worker thread. */
export type ToWorker =
  | { kind: 'start'; setup: Setup; board: BoardLayout; row: number }
  | { kind: 'run'; batch: number; frames: PortableFrame[] }
  | { kind: 'flush'; batch: number; final: boolean }
  /** `undelivered`: the targets of blocks that will never be delivered, when that is the error. */
  /** Answers `write` and `letters`. */
  | { kind: 'written'; write: number; error?: string; undelivered?: readonly string[] | undefined }
  | StoreConnected
  | { kind: 'watch'; order: WatchOrder }
  | { kind: 'collect'; request: number }
  | { kind: 'abort' }
  | { kind: 'close' }

/** Worker thread to host thread. */
export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'done'; batch: number; error?: Failure }
  | { kind: 'write'; write: number; output: number; blocks: Block[] }
  | { kind: 'letters'; write: number; entries: Uint8Array[] }
  | { kind: 'watched'; report: WatchReport }
  | StoreRequestToConnect
  | { kind: 'closed' }
