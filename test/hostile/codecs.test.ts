/**
 * Every codec of the catalogue on bytes nobody expects, on the way an input's bytes take, and on events nobody
 * expects, on the way an output's take: no exception leaves the pipeline, and the next record arrives.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { Event } from '../../src/event/event.ts'
import type { Frame } from '../../src/pipeline/frames/frame.ts'
import { InputPort } from '../../src/pipeline/frames/input-port.ts'
import { Execution } from '../../src/pipeline/run/execution.ts'
import { PluginFactory } from '../../src/pipeline/run/plugin-factory.ts'
import type { Block, CodecDefinition, CodecInstance } from '../../src/plugin/define.ts'
import { catalogue } from '../../src/plugins/catalogue.ts'
import { environmentOf, frameOf } from '../support/in-process.ts'
import { hostileBytes, hostileValues } from './hostile-data.ts'

const folder = mkdtempSync(join(tmpdir(), 'millrace-codecs-'))
const avroSchema = join(folder, 'any.avsc')
writeFileSync(avroSchema, '{"type":"record","name":"any","fields":[{"name":"message","type":"string"}]}')
const protoFile = join(folder, 'any.proto')
writeFileSync(protoFile, 'syntax = "proto3"; message Any { string message = 1; }')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const required: Readonly<Record<string, string>> = {
  avro: `avro { schema_uri => "${avroSchema}" }`,
  protobuf: `protobuf { class_name => "Any" class_file => "${protoFile}" }`,
  multiline: 'multiline { pattern => "^\\s" what => "previous" }',
}

const definitions = await Promise.all(
  catalogue.names('codec').map((name) => catalogue.load('codec', name) as Promise<CodecDefinition>),
)

/** The codec of an input of a pipeline, and the events that frames become in it. */
async function decodingPipeline(codec: string) {
  const env = await environmentOf(
    `input { udp { port => 1 codec => ${codec} type => "t" tags => ["in"] add_field => { "[host][x]" => "y" } } }
     output { record { } }`,
    { 'pipeline.ecs_compatibility': 'v8' },
  )
  const instance = new PluginFactory(env).decoding(env.plan.inputs[0]!).codec
  const execution = new Execution(env)
  return { instance, frames: frames(instance), run: (list: Frame[]) => execution.run(list) }
}

function frames(codec: CodecInstance): (bytes: Buffer) => Promise<Frame[]> {
  return async (bytes) => {
    const made: Frame[] = []
    const port = new InputPort(codec)
    port.redirect({ input: 0, accept: (frame) => void made.push(frame) })
    const origin = { fields: [['[host][ip]', '127.0.0.1']] as const }
    await port.record(bytes, origin)
    const stream = port.stream(origin)
    await stream.write(bytes)
    await stream.write(Buffer.from('\n'))
    await stream.end()
    return made
  }
}

const decoding = definitions.filter(({ name }) => !['dots', 'rubydebug'].includes(name))

describe('every codec that reads', () => {
  it.each(decoding.map(({ name }) => name))('%s survives hostile bytes', async (name) => {
    const pipeline = await decodingPipeline(required[name] ?? name)
    for (const bytes of hostileBytes.values()) await pipeline.run(await pipeline.frames(Buffer.from(bytes)))
    // A fresh frame is decoded as if nothing had been.
    await pipeline.run(await pipeline.frames(Buffer.from('{"message":"last"}')))
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
  })

  it.each(['json', 'json_lines'])('%s keeps a text where the input wants to put a map', async (name) => {
    const { instance } = await decodingPipeline(name)
    const events = await eventsOf(name, instance, '{"host":"web1","message":"m"}')
    expect(events.map((event) => [event.get('host'), event.get('tags')])).toEqual([
      ['web1', ['in', '_inputfailure']],
    ])
  })

  it.each([1000, 1001, 100_000])('json takes documents up to a depth of 1,000: %d', async (depth) => {
    const { instance } = await decodingPipeline('json')
    const text = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    const [event] = await eventsOf('json', instance, text)
    const isTagged = (event!.get('tags') as string[]).includes('_jsonparsefailure')
    expect(isTagged).toBe(depth > 1000)
  })
})

async function eventsOf(codec: string, instance: CodecInstance, text: string): Promise<Event[]> {
  const seen: Event[] = []
  const env = await environmentOf(
    `input { udp { port => 1 codec => ${codec} tags => ["in"] } } filter { ruby { code => "" } } output { record { } }`,
    { 'pipeline.ecs_compatibility': 'v8' },
  )
  const execution = new Execution(env)
  const made: Frame[] = []
  const port = new InputPort(instance)
  port.redirect({ input: 0, accept: (frame) => void made.push(frame) })
  await port.record(Buffer.from(text), { fields: [['[host][ip]', '127.0.0.1']] })
  const { run } = execution.outputProgram
  Object.assign(execution.outputProgram, {
    run: (batch: Event[]) => {
      seen.push(...batch)
      return run(batch)
    },
  })
  await execution.run(made)
  return seen
}

const encoding = [
  'cef',
  'csv',
  'dots',
  'fluent',
  'graphite',
  'json',
  'json_lines',
  'line',
  'msgpack',
  'plain',
  'rubydebug',
]

describe('every codec that writes', () => {
  it.each(encoding)('%s survives hostile events and writes the next one', async (name) => {
    const written: Block[][] = []
    const env = {
      ...(await environmentOf(`input { given { } } output { stdout { codec => ${name} } }`)),
      write: (_: unknown, blocks: Block[]) => void written.push(blocks),
    }
    const execution = new Execution(env)
    for (const value of hostileValues.values()) {
      const events = [Event.from({ message: value, host: value, tags: ['t'], n: { deep: value } })]
      await execution.run([frameOf([...events, Event.from({ message: 'last', a: 1 })])])
      // The good event of the batch was written whatever became of the other.
      expect(written.pop()?.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(1)
    }
  })
})
