/**
 * The test kit for plugins, ours and other people's: runs one plugin alone, the way a pipeline would.
 * Options are plain objects (`{ length_bytes: 5 }`), events are plain fields; an event comes back without
 * the `@timestamp` and `@version` that the kit gave it, unless they changed or the test gave them.
 */
import type { Event } from '../event/event.ts'
import type { Fields } from '../event/value.ts'
import { loadPatterns } from '../regex/late-pattern.ts'
import type {
  Block,
  CodecDefinition,
  CodecInstance,
  FilterDefinition,
  InputDefinition,
  OutputDefinition,
} from './define.ts'
import {
  type CreatedFilter,
  type CreatedInput,
  type CreatedOutput,
  createCodec,
  createFilter,
  createInput,
  createOutput,
  createReader,
} from './instantiate.ts'
import { type Chunk, DecodingStream } from './testing/decode.ts'
import {
  type TestEnvironment,
  type TestSettings,
  testEnvironment,
  validOptions,
} from './testing/environment.ts'
import type { TestOptions } from './testing/raw-from-js.ts'
import { shownFields, testEvent, testTime } from './testing/shown-fields.ts'
import { type RecordingSink, recordingSink } from './testing/sink.ts'

// Whatever a plugin under test compiles, it compiles at once.
await loadPatterns()

export { recordingLogger, testEnvironment, validOptions } from './testing/environment.ts'
export { memoryBus } from './testing/memory-bus.ts'
export { block, rawOptions } from './testing/raw-from-js.ts'
export { testEvent, testTime } from './testing/shown-fields.ts'
export { recordingSink } from './testing/sink.ts'
export { standInCodec } from './testing/stand-in-codec.ts'
export type { Chunk, RecordingSink, TestEnvironment, TestOptions, TestSettings }

// ---------------------------------------------------------------------------------------------- filters

export interface TestFilter extends CreatedFilter {
  environment: TestEnvironment
  /** One batch through the filter: each event, then those it emitted; cancelled ones are gone. */
  filter(events: readonly Event[]): Promise<Event[]>
}

export function filterFor(
  definition: FilterDefinition,
  options: TestOptions = {},
  settings: TestSettings = {},
): TestFilter {
  const environment = testEnvironment(settings)
  const created = createFilter(definition, validOptions(definition, options, settings), environment)
  return { ...created, environment, filter: (events) => filterBatch(created, events) }
}

async function filterBatch(
  { instance, decorate }: CreatedFilter,
  events: readonly Event[],
): Promise<Event[]> {
  const result: Event[] = []
  const emit = (event: Event) => {
    result.push(event)
  }
  if (instance.filterBatch !== undefined) {
    result.push(...events)
    await instance.filterBatch(events, emit)
  } else {
    for (const event of events) {
      result.push(event)
      if (instance.filter?.(event, emit) === true) decorate?.(event)
    }
  }
  return result.filter((event) => !event.cancelled)
}

/** Events through one filter: created, registered, run on one batch, flushed for the last time, closed. */
export async function runFilter(
  definition: FilterDefinition,
  options: TestOptions,
  events: readonly Fields[],
  settings: TestSettings = {},
): Promise<Fields[]> {
  const { instance, filter } = filterFor(definition, options, settings)
  try {
    await instance.register?.()
    const filtered = await filter(events.map(testEvent))
    const flushed = (await instance.flush?.(true)) ?? []
    const keepVersion = events.some((fields) => fields['@version'] !== undefined)
    return [...filtered, ...flushed.filter((event) => !event.cancelled)].map((event) =>
      shownFields(event, keepVersion),
    )
  } finally {
    await instance.close?.()
  }
}

// ----------------------------------------------------------------------------------------------- codecs

export function codecFor(
  definition: CodecDefinition,
  options: TestOptions = {},
  settings: TestSettings = {},
): CodecInstance {
  return createCodec(definition, validOptions(definition, options, settings), testEnvironment(settings))
}

/** The events of a stream given in chunks; the end of the list is the end of the stream. */
export function decodeWith(codec: CodecInstance, chunks: Chunk | readonly Chunk[]): Fields[] {
  const stream = new DecodingStream(codec, { time: testTime })
  for (const chunk of typeof chunks === 'string' || chunks instanceof Uint8Array ? [chunks] : chunks)
    stream.write(chunk)
  stream.end()
  return stream.events.map((event) => shownFields(event))
}

/** The text of each event. */
export function encodeWith(codec: CodecInstance, events: readonly Fields[]): string[] {
  return events.map((fields) => {
    if (codec.encode === undefined) throw new Error('this codec does not encode')
    const encoded = codec.encode(testEvent(fields))
    return typeof encoded === 'string' ? encoded : Buffer.from(encoded).toString('utf8')
  })
}

// ---------------------------------------------------------------------------------- inputs and outputs

export interface TestInput extends CreatedInput {
  environment: TestEnvironment
  sink: RecordingSink
}

/** An input and a sink that decodes with its codec: `await instance.run(sink)`, then look at `sink.fields()`. */
export function inputFor(
  definition: InputDefinition,
  options: TestOptions = {},
  settings: TestSettings = {},
): TestInput {
  const environment = testEnvironment(settings)
  const valid = validOptions(definition, options, settings)
  const created = createInput(definition, valid, environment)
  const reader = createReader(definition, valid, environment, created)
  const { codec, decorate, additionalCodecs } = created
  const { originLast } = definition
  const sink = recordingSink(codec, { decorate, additionalCodecs, originLast, reader })
  return { ...created, environment, sink }
}

export interface TestOutput extends CreatedOutput {
  environment: TestEnvironment
  /** Delivers a batch as a pipeline does; returns the blocks of an output that encodes. */
  deliver(events: readonly Fields[]): Promise<readonly Block[]>
}

export function outputFor(
  definition: OutputDefinition,
  options: TestOptions = {},
  settings: TestSettings = {},
): TestOutput {
  const environment = testEnvironment(settings)
  const created = createOutput(definition, validOptions(definition, options, settings), environment)
  const { instance } = created
  const deliver = async (events: readonly Fields[]): Promise<readonly Block[]> => {
    const batch = events.map(testEvent)
    if (instance.encode === undefined) {
      await instance.receive?.(batch)
      return []
    }
    const blocks = instance.encode(batch)
    await instance.write?.(blocks)
    return blocks
  }
  return { ...created, environment, deliver }
}
