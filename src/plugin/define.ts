/**
 * The plugin contract. A plugin is one file with one `define…({ name, summary, options, create })`;
 * the declaration is data that config check, docs, stats and tests read; `create` runs once per
 * pipeline worker and returns the functions that run per event.
 */
import type { Event } from '../event/event.ts'
import type { Timestamp } from '../event/timestamp.ts'
import type { Fields, Value } from '../event/value.ts'
import type { Compile } from './compile.ts'
import type { GiveUp } from './dead-letter.ts'
import type { OptionTable, OptionValues } from './option.ts'

export type { DeadLetter, DeadLetterSink, GiveUp } from './dead-letter.ts'
export { OutputUnusable, Undelivered } from './dead-letter.ts'
export type { CodecChoice, HashValue, Option, OptionTable, OptionValues } from './option.ts'
export { oldName, option, Password, withAliases, withoutEffect } from './option.ts'

export type PluginType = 'input' | 'filter' | 'output' | 'codec'
export type EcsCompatibility = 'disabled' | 'v1' | 'v8'

export interface PluginLogger {
  debug(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

/** A declared metric of a plugin; lives in shared memory, reading it costs the worker nothing. */
export interface Metric {
  increment(by?: number): void
  set(value: number): void
}

export type MetricTable = Record<string, string>

/** Numbers to show beside a plugin's metrics. */
export type PluginFacts = Readonly<Record<string, number | Readonly<Record<string, number>>>>

/** Something in the options that will work, but hardly as meant; shown by the config check and in the log. */
export interface Concern {
  readonly option: string
  readonly message: string
  readonly hint?: string
  /** The plugin will refuse to start. */
  readonly fatal?: boolean
}

/** What every plugin gets when it is created. */
export interface PluginContext<O extends OptionTable, M extends MetricTable> {
  readonly options: OptionValues<O>
  readonly metrics: { readonly [K in keyof M]: Metric }
  /** A metric of `metricsOf`. */
  metric(name: string): Metric
  readonly logger: PluginLogger
  readonly id: string
  readonly pipelineId: string
  readonly ecs: EcsCompatibility
  readonly compile: Compile
  /** Aborted when the pipeline has to stop now; long waits must end. */
  readonly abort: AbortSignal
  /** Any setting of the node or pipeline, e.g. `path.data`. */
  setting(name: string): unknown
}

interface Declaration<O extends OptionTable, M extends MetricTable> {
  name: string
  summary: string
  /** Longer text for the reference page, Markdown. */
  description?: string
  options: O
  metrics?: M
  /** Further metrics that depend on the options; a dot in a name nests, `ext.` puts it under `ext`. */
  metricsOf?(options: OptionValues<O>): MetricTable
  /** Numbers that follow from the options and are shown among the metrics. */
  factsOf?(options: OptionValues<O>): PluginFacts
  concerns?(options: OptionValues<O>, ecs: EcsCompatibility): Concern[]
}

// ---------------------------------------------------------------------------------------------- filters

export interface FilterInstance {
  register?(): void | Promise<void>
  /**
   * Works on one event; true means it matched, and the host then applies add_field … remove_tag.
   * Events given to `emit` follow the event into the next stage. A cancelled event leaves the pipeline.
   */
  filter?(event: Event, emit: (event: Event) => void): boolean | undefined
  /** Instead of `filter`: one call per batch, may be async; calls `context.matched` itself. */
  filterBatch?(events: readonly Event[], emit: (event: Event) => void): void | Promise<void>
  flush?(final: boolean): Event[] | Promise<Event[]>
  close?(): void | Promise<void>
}

export interface FilterContext<O extends OptionTable, M extends MetricTable> extends PluginContext<O, M> {
  /** Hands an event over that leaves the pipeline for good; the filter cancels it and says so, when nobody took it. */
  readonly giveUp: GiveUp
  /** For `filterBatch`: an exception concerns this event, which gets the tag of a failure and goes on. */
  failed(event: Event, error: unknown): void
  /** Applies add_field, remove_field, add_tag, remove_tag: for `filterBatch` and for emitted events. */
  matched(event: Event): void
}

export interface FilterExample {
  title: string
  /** One plugin block, e.g. `mutate { lowercase => ["a"] }`. */
  config: string
  in: Fields | Fields[]
  /** Expected fields; `@timestamp`, `@version` only when given; null in place of an event: dropped. */
  out: Fields | Fields[]
}

export type FilterConcurrency = 'stateless' | 'shared-state'

export interface FilterDefinition<O extends OptionTable = OptionTable, M extends MetricTable = MetricTable>
  extends Declaration<O, M> {
  type: 'filter'
  /** `stateless`: one copy per worker. `shared-state`: the pipeline falls back to one worker. */
  concurrency?: FilterConcurrency | ((options: OptionValues<O>) => FilterConcurrency)
  /** Never emits events and keeps nothing from one event to the next: batches may run in any grouping. */
  oneToOne?: boolean | ((options: OptionValues<O>) => boolean)
  examples?: FilterExample[]
  create(context: FilterContext<O, M>): FilterInstance
}

// ----------------------------------------------------------------------------------------------- inputs

/** Where a payload came from: fields set on its events if absent, or always. */
export interface Origin {
  /** Set when the event does not have the field yet. */
  readonly fields?: readonly (readonly [reference: string, value: Value])[]
  /** Set whatever the event has. */
  readonly overwrite?: readonly (readonly [reference: string, value: Value])[]
  /** What the input tells its own reader, see `payloads`; plain values, because it may go to another thread. */
  readonly facts?: Readonly<Record<string, Value>>
}

/** Where a chunk stands in a source that can be read again: its events then have the same names as the first time. */
export interface SourcePosition {
  /** Names the source for ever: one that begins anew, such as a file that was truncated, is another one. */
  readonly source: string
  /** Position of the first byte of the chunk. */
  readonly offset: number
}

export interface ByteStream {
  /**
   * Hands over bytes: the buffer belongs to the pipeline from now on and must not be written again.
   * A returned promise means: wait for it before writing more. `done` is called when every event of
   * the records completed by this write has left the pipeline.
   */
  write(chunk: Uint8Array, done?: () => void, at?: SourcePosition): void | Promise<void>
  /** The stream is over: what is buffered becomes a last record. */
  end(done?: () => void): void | Promise<void>
}

/**
 * Every method resolves when the queue has room for more. `done` is called when the events are safe: on stable storage
 * where the queue is persisted, delivered by the outputs where it is in memory. Only then may a sender be told that
 * they arrived, or a position be remembered. It is never called for events that the pipeline could not keep.
 */
export interface Sink {
  /** A stream of bytes, cut into records by the codec's delimiter, or by the one given here. */
  stream(origin: Origin, options?: { delimiter?: Uint8Array | undefined }): ByteStream
  /**
   * One payload, decoded as a whole. Resolves when the queue has accepted it.
   * `codec`: position in `additionalCodecs`, when not the input's own codec decodes it. `name`: what names the payload
   * for ever, when its source may give it again.
   */
  record(
    payload: Uint8Array,
    origin: Origin,
    options?: { done?: () => void; codec?: number; name?: string },
  ): void | Promise<void>
  /** `count` copies of one payload, the field `counter` set to `first`, `first + 1`, … on them. */
  repeat(
    payload: Uint8Array,
    origin: Origin,
    count: number,
    counter?: { reference: string; first: number },
  ): void | Promise<void>
  /** Payloads for the input's own reader, see `reader`; `done` as with `stream`. */
  payloads(
    payloads: readonly Uint8Array[],
    origin: Origin,
    options?: { done?: () => void },
  ): void | Promise<void>
  /** Events the input made itself; common decorations still apply. */
  events(events: Event[], options?: { done?: () => void }): void | Promise<void>
  /** Events of another pipeline in wire form; common decorations still apply. */
  wire(bytes: Uint8Array, count: number, options?: { done?: () => void }): void | Promise<void>
}

export interface InputInstance {
  register?(): void | Promise<void>
  /** Resolves when the input has come to its end; a rejection restarts it after a second. */
  run(sink: Sink): Promise<void>
  /** Asks `run` to end; called once. */
  stop(): void | Promise<void>
  close?(): void | Promise<void>
}

export interface InputContext<O extends OptionTable, M extends MetricTable> extends PluginContext<O, M> {
  readonly codec: CodecInstance
  /** Name of the codec in use, after replacement of plain and json for streams. */
  readonly codecName: string
  readonly pipelineBus: PipelineBus
}

/**
 * The part of an input that makes events of its payloads, in the worker that runs their filters, so that the thread
 * with the sockets has nothing to do but to cut payloads out of what arrives. An exception ends the pipeline.
 */
export interface PayloadReader {
  read(payload: Uint8Array, origin: Origin, emit: Emit, time: Timestamp): void
}

export interface ReaderContext<O extends OptionTable, M extends MetricTable> extends PluginContext<O, M> {
  readonly codec: CodecInstance
  readonly codecName: string
  /** Applies type, add_field and tags of the input; the reader does, at the place where Logstash does. */
  decorate(event: Event): void
}

export interface InputDefinition<O extends OptionTable = OptionTable, M extends MetricTable = MetricTable>
  extends Declaration<O, M> {
  type: 'input'
  /** Default codec, `plain` unless said. */
  codec?: string
  /** Replace codec plain by line and json by json_lines, as the input reads a stream. */
  streaming?: boolean
  /** Fields of the origin are set after type, add_field and tags instead of before. */
  originLast?: boolean
  /** False: a pipeline with this input cannot be reloaded. */
  reloadable?: boolean
  /** Makes events of what the input gives to `sink.payloads`; nothing else is done to them. */
  reader?(context: ReaderContext<O, M>): PayloadReader
  /** Names of further codecs the input picks per payload, read from its options. */
  additionalCodecs?(options: OptionValues<O>): string[]
  create(context: InputContext<O, M>): InputInstance
}

/** Delivery between pipelines of one process. */
export interface PipelineBus {
  listen(address: string, receive: BusReceive, options?: BusListenOptions): Promise<BusListener>
  sender(address: string): BusSender
}
/** Resolves when there is room for more; `done` is to be called when the events are safe, as with `Sink`. */
export type BusReceive = (frames: Uint8Array, count: number, done: () => void) => void | Promise<void>
export interface BusListenOptions {
  /** Events are safe before any output has them, so that waiting for them never waits for another pipeline. */
  readonly isPersisted?: boolean
}
export interface BusListener {
  /** Resolves when no sender is connected any more; at once unless the whole process is stopping. */
  drained(): Promise<void>
  /**
   * Takes nothing more and waits up to so many milliseconds for what was taken to be safe. Whatever is not safe by
   * then its sender sends again, to whoever listens next.
   */
  close(milliseconds?: number): Promise<void>
}
export interface BusSender {
  /**
   * Resolves true once the events are safe with the receiver; false when nobody listens on the address, or when the
   * receiver went away before. May be called again before it has resolved: events arrive in the order of the calls.
   */
  send(frames: Uint8Array, count: number): Promise<boolean>
  close(): Promise<void>
}

/** The search store of this process. */
export interface StoreLink {
  /** Undefined when there is none; waits until it is open. */
  connect(): Promise<StoreConnection | undefined>
}

export interface StoreConnection {
  /** Port of the search API, on a loopback address. */
  readonly port: number
  /** A request of the search API, answered without a connection. Rejects when the store is closed. */
  request(
    method: string,
    path: string,
    body?: Uint8Array,
    /**
     * As an `Authorization` header, empty for none: the request is then treated as one that came over a connection.
     * Without it the store trusts the pipeline.
     */
    authorization?: string,
  ): Promise<{ readonly status: number; readonly body: string }>
}

// ---------------------------------------------------------------------------------------------- outputs

/** Encoded events on their way to one place: a file path, a connection. */
export interface Block {
  readonly target: string
  readonly bytes: Uint8Array
  readonly count: number
}

export interface OutputInstance {
  register?(): void | Promise<void>
  /** Resolves when the events are delivered. */
  receive?(events: readonly Event[]): void | Promise<void>
  /**
   * `receive`, or `write`, may be called again before it has resolved: the output keeps the order and may join what
   * waits.
   */
  readonly overlaps?: boolean
  /** `single` outputs: pure and cheap, runs in any worker … */
  encode?(events: readonly Event[]): Block[]
  /** True when `write` keeps no bytes once it is done, so that their memory can be used again. */
  readonly writesThrough?: boolean
  /**
   * … and the one place that writes, in the pipeline's host thread, one call at a time. Rejects with `Undelivered`
   * when some of the blocks will never be delivered, after it has tried all of them.
   */
  write?(blocks: readonly Block[]): void | Promise<void>
  close?(): void | Promise<void>
}

export interface OutputContext<O extends OptionTable, M extends MetricTable> extends PluginContext<O, M> {
  readonly codec: CodecInstance
  readonly codecName: string
  readonly pipelineBus: PipelineBus
  readonly store: StoreLink
  /** Hands an event over that will never be delivered; the output says so in the log, when nobody took it. */
  readonly giveUp: GiveUp
}

export interface OutputDefinition<O extends OptionTable = OptionTable, M extends MetricTable = MetricTable>
  extends Declaration<O, M> {
  type: 'output'
  codec?: string
  /** `shared`: an instance per worker with `receive`. `single`: one instance that writes, see `encode`/`write`. */
  concurrency: 'shared' | 'single'
  create(context: OutputContext<O, M>): OutputInstance
}

// ----------------------------------------------------------------------------------------------- codecs

export type Emit = (event: Event) => void

export interface StreamDecoder {
  decode?(text: string, emit: Emit, time: Timestamp): void
  /** Instead of `decode`, for binary formats and encodings other than UTF-8. */
  decodeBytes?(bytes: Uint8Array, emit: Emit, time: Timestamp): void
  /** It marks events whose records were too long itself, because they may be part of a larger event. */
  readonly boundsRecords?: boolean
  /** Something of what was decoded is held back for a later event, and is not safe before that is. */
  readonly isHolding?: boolean
  /** Milliseconds without a write after which what is held back is flushed. */
  readonly idleMilliseconds?: number | undefined
  flush(emit: Emit, time: Timestamp): void
}

export interface CodecInstance {
  /** Present: records of a byte stream end with these bytes. Absent: each payload is one record. */
  readonly delimiter?: Uint8Array | undefined
  /** Longest record of a stream; longer ones are cut. */
  readonly maxRecordBytes?: number
  /** How the bytes of a record become text; UTF-8 unless said. */
  readonly charset?: string
  /**
   * Payloads come packed: their plain bytes, piece by piece, which are then cut at the delimiter and decoded as any. A codec
   * that cannot read on says why in the log, and throws.
   */
  unpack?(payload: Uint8Array): AsyncIterable<Uint8Array>
  /** All records of a frame at once, before they are decoded one by one; then undefined. Lets a codec look once. */
  preview?(records: Uint8Array | undefined): void
  /** Stateless: one record without its delimiter; may run in any worker. */
  decode?(text: string, emit: Emit, time: Timestamp): void
  /** Instead of `decode`, for binary formats. */
  decodeBytes?(bytes: Uint8Array, emit: Emit, time: Timestamp): void
  /** Stateful codecs: a decoder per stream, run in the host thread. */
  decoder?(): StreamDecoder
  /** Text (or bytes) of one event. */
  encode?(event: Event): string | Uint8Array
  /** `encode` gives the event's JSON and a newline and nothing else. */
  readonly writesJsonLines?: boolean
}

export interface CodecExample {
  title: string
  config: string
  /** Decoding: text in, fields of each event out. */
  decode?: { text: string; out: Fields[] }
  /** Encoding: fields in, text out. */
  encode?: { in: Fields; text: string }
}

export interface CodecDefinition<O extends OptionTable = OptionTable, M extends MetricTable = MetricTable>
  extends Declaration<O, M> {
  type: 'codec'
  examples?: CodecExample[]
  create(context: PluginContext<O, M>): CodecInstance
}

export type PluginDefinition = InputDefinition | FilterDefinition | OutputDefinition | CodecDefinition

/** What `define…` returns: the declaration with the types of its options forgotten. */
type Declared<T, D> = Omit<D, 'type'> & { type: T }

function seal<D extends { name: string }>(definition: D): D {
  return Object.freeze(definition)
}

export function defineFilter<O extends OptionTable, M extends MetricTable = Record<never, never>>(
  definition: Omit<FilterDefinition<O, M>, 'type'>,
): FilterDefinition {
  return seal({ ...definition, type: 'filter' }) as unknown as FilterDefinition
}

export function defineInput<O extends OptionTable, M extends MetricTable = Record<never, never>>(
  definition: Omit<InputDefinition<O, M>, 'type'>,
): InputDefinition {
  return seal({ ...definition, type: 'input' }) as unknown as InputDefinition
}

export function defineOutput<O extends OptionTable, M extends MetricTable = Record<never, never>>(
  definition: Omit<OutputDefinition<O, M>, 'type'>,
): OutputDefinition {
  return seal({ ...definition, type: 'output' }) as unknown as OutputDefinition
}

export function defineCodec<O extends OptionTable, M extends MetricTable = Record<never, never>>(
  definition: Omit<CodecDefinition<O, M>, 'type'>,
): CodecDefinition {
  return seal({ ...definition, type: 'codec' }) as unknown as CodecDefinition
}

export type { Declared, Event, Fields, Timestamp, Value }
