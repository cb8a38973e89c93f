/**
 * The plugins for Amazon's services against moto, which speaks their protocols on the loopback interface; the official SDK is
 * the witness. moto keeps everything in memory, so that a server which was killed and came back is played by a proxy that is
 * cut for some seconds. `MILLRACE_MOTO` names the Python that has moto, `MILLRACE_COUNT` how many events go each way.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { freePort, IN, jsonLines, Millrace, type MillraceOptions } from '../../support/millrace.ts'
import { ServerProcess, serverFolder } from '../support/server-process.ts'
import { CutProxy } from './cut-proxy.ts'

const command = process.env['MILLRACE_MOTO'] ?? '.tmp/moto/bin/python3'
const count = Number(process.env['MILLRACE_COUNT'] ?? 10_000)
const minutes = 60_000
const limit = 30 * minutes
const cutMilliseconds = 3000

type Call = (operation: string, input?: object) => Promise<Record<string, unknown>>
const require = createRequire(import.meta.url)
const login = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_EC2_METADATA_DISABLED: 'true' }

let moto: ServerProcess
let motoPort: number
let proxy: CutProxy
let endpoint: string
let folder: string
const running: Millrace[] = []

beforeAll(async () => {
  motoPort = await freePort()
  const port = await freePort()
  endpoint = `http://127.0.0.1:${port}`
  moto = await ServerProcess.start({
    command,
    args: ['test/extra/plugins/moto-server.py', '-H', '127.0.0.1', '-p', String(motoPort)],
    folder: serverFolder('moto'),
    cwd: process.cwd(),
    port: motoPort,
    readyMilliseconds: 120_000,
  })
  proxy = new CutProxy(port, motoPort)
  await proxy.mend()
  folder = mkdtempSync(join(tmpdir(), 'millrace-aws-'))
})
afterEach(async () => {
  for (const millrace of running.splice(0)) await millrace.dispose()
})
afterAll(async () => {
  await proxy?.cut()
  await moto?.dispose()
  rmSync(folder, { recursive: true, force: true })
})

/** A client of the official SDK, straight to the server. */
function witness(service: string, Client: string): Call {
  const sdk = require(`@aws-sdk/client-${service}`) as Record<
    string,
    new (
      input: object,
    ) => { send(command: object): Promise<Record<string, unknown>> }
  >
  const client = new sdk[Client]!({
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${motoPort}`,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    ...(service === 's3' && { forcePathStyle: true }),
    ...(service === 'kinesis' && { requestHandler: http1() }),
  })
  return (operation, input = {}) => client.send(new sdk[`${operation}Command`]!(input))
}

/** moto does not speak HTTP/2, which the SDK would speak to Kinesis. */
function http1(): object {
  const kinesis = require.resolve('@aws-sdk/client-kinesis')
  const { NodeHttpHandler } = createRequire(kinesis)('@smithy/node-http-handler') as {
    NodeHttpHandler: new () => object
  }
  return new NodeHttpHandler()
}

async function start(options: MillraceOptions): Promise<Millrace> {
  const millrace = await Millrace.start({ ...options, env: { ...login, ...options.env } })
  running.push(millrace)
  await millrace.untilStarted(2 * minutes)
  return millrace
}

const shared = () => `endpoint => "${endpoint}" access_key_id => "a" secret_access_key => "b"`

async function cutForAWhile(): Promise<void> {
  await proxy.cut()
  await wait(cutMilliseconds)
  await proxy.mend()
}

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + 28 * minutes; !(await holds()); await wait(200)) {
    if (Date.now() > end) throw new Error(`not in time: ${what}`)
  }
}

/** Prints how many of the numbers are missing and how many came more than once; nothing may be missing. */
function report(name: string, numbers: readonly number[]): { lost: number; duplicates: number } {
  const distinct = new Set(numbers)
  let lost = 0
  for (let n = 0; n < count; n++) if (!distinct.has(n)) lost += 1
  const duplicates = numbers.length - distinct.size
  console.log(`${name}: ${count} events, ${lost} lost, ${duplicates} twice`)
  return { lost, duplicates }
}

const numbered = (from = 0, to = count) =>
  jsonLines(...Array.from({ length: to - from }, (_, n) => ({ n: n + from, kind: n % 2 })))
const numbersIn = (text: string) => [...text.matchAll(/"n":(\d+)/g)].map(([, n]) => Number(n))
const fileNumbers = (path: string) => (existsSync(path) ? numbersIn(readFileSync(path, 'utf8')) : [])
const distinctIn = (path: string) => new Set(fileNumbers(path)).size

/**
 * A thousand events a second at most: moto looks through a whole queue for each message that it takes, so that a queue has to
 * stay short, which it does when its readers keep up.
 */
const slowly = 'filter { sleep { time => "0.1" every => 100 } }'

describe('sqs', () => {
  it(
    'loses nothing on the way in and out while the server goes away, and when the reader is stopped',
    async () => {
      const sqs = witness('sqs', 'SQSClient')
      await sqs('CreateQueue', { QueueName: 'events', Attributes: { VisibilityTimeout: '20' } })
      const { QueueUrl } = await sqs('GetQueueUrl', { QueueName: 'events' })
      const waiting = async () => {
        const AttributeNames = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible']
        const { Attributes } = await sqs('GetQueueAttributes', { QueueUrl, AttributeNames })
        return Object.values(Attributes as Record<string, string>).reduce(
          (sum, text) => sum + Number(text),
          0,
        )
      }
      const path = join(folder, 'sqs')
      const config = `input { sqs { queue => "events" threads => 4 polling_frequency => 1 ${shared()} } }
      output { file { path => "${path}" } }`
      const first = await start({ config })
      const writer = await start({
        config: `${IN} ${slowly} output { sqs { queue => "events" ${shared()} } }`,
      })
      writer.write(numbered())
      writer.endInput()
      await until(() => distinctIn(path) > count / 4, 'a quarter read')
      await cutForAWhile()
      await until(() => distinctIn(path) > count / 2, 'half read')
      first.signal('SIGTERM')
      expect(await first.exit(minutes)).toMatchObject({ code: 0 })
      const second = await start({ config })
      expect(await writer.exit(limit)).toMatchObject({ code: 0 })
      await until(() => distinctIn(path) === count, 'everything read')
      await until(async () => (await waiting()) === 0, 'everything deleted')
      second.signal('SIGTERM')
      expect(await second.exit(minutes)).toMatchObject({ code: 0 })
      expect(report('sqs -> sqs', fileNumbers(path)).lost).toBe(0)
    },
    limit,
  )
})

describe('s3', () => {
  it(
    'loses nothing while the server goes away and the writer is killed, nor does the reader',
    async () => {
      const s3 = witness('s3', 'S3Client')
      await s3('CreateBucket', { Bucket: 'logs' })
      const temporary = join(folder, 's3-output')
      const config = `${IN} output { s3 { bucket => "logs" prefix => "in/%{kind}/" size_file => ${Math.max(300, Math.floor(count / 2))} encoding => "gzip"
      temporary_directory => "${temporary}" codec => json_lines additional_settings => { "retry_limit" => 0 } ${shared()} } }`
      const inBucket = async () => {
        let numbers: number[] = []
        let ContinuationToken: unknown
        do {
          const page = await s3('ListObjectsV2', { Bucket: 'logs', Prefix: 'in/', ContinuationToken })
          for (const { Key } of (page['Contents'] ?? []) as { Key: string }[])
            numbers = numbers.concat(await objectNumbers(s3, Key))
          ContinuationToken = page['NextContinuationToken']
        } while (ContinuationToken !== undefined)
        return numbers
      }
      const half = Math.floor(count / 2)
      const first = await start({ config })
      first.write(numbered(0, half))
      await until(() => objectCount(s3).then((objects) => objects > 0), 'a first object')
      await cutForAWhile()
      await until(
        async () => new Set([...(await inBucket()), ...onDisk(temporary)]).size >= half,
        'half written',
      )
      await proxy.cut()
      first.write(numbered(half))
      await until(
        async () => new Set([...(await inBucket()), ...onDisk(temporary)]).size >= count,
        'all on the disk',
      )
      first.signal('SIGKILL')
      await first.exit(minutes)
      console.log(`s3 output: killed with ${readdirSync(temporary).length} files that were not uploaded`)
      await proxy.mend()
      const second = await start({ config })
      await until(() => readdirSync(temporary).length === 0, 'leftovers uploaded')
      second.endInput()
      expect(await second.exit(limit)).toMatchObject({ code: 0 })
      expect(report('s3 output', await inBucket()).lost).toBe(0)

      const path = join(folder, 's3')
      const reading = `input { s3 { bucket => "logs" prefix => "in/" interval => 1 sincedb_path => "${join(folder, 'sincedb')}"
      temporary_directory => "${join(folder, 's3-input')}" codec => json ${shared()} } } output { file { path => "${path}" } }`
      const reader = await start({ config: reading })
      await until(() => distinctIn(path) > count / 4, 'a quarter read')
      await cutForAWhile()
      reader.signal('SIGTERM')
      expect(await reader.exit(minutes)).toMatchObject({ code: 0 })
      await start({ config: reading })
      await until(() => distinctIn(path) === count, 'everything read')
      expect(report('s3 -> s3', fileNumbers(path)).lost).toBe(0)
    },
    limit,
  )
})

async function objectCount(s3: Call): Promise<number> {
  return Number((await s3('ListObjectsV2', { Bucket: 'logs', Prefix: 'in/' }))['KeyCount'])
}

const known = new Map<string, number[]>()

async function objectNumbers(s3: Call, Key: string): Promise<number[]> {
  let numbers = known.get(Key)
  if (numbers === undefined) {
    const { Body } = await s3('GetObject', { Bucket: 'logs', Key })
    const bytes = await (Body as { transformToByteArray(): Promise<Uint8Array> }).transformToByteArray()
    numbers = numbersIn(gunzipSync(bytes).toString())
    known.set(Key, numbers)
  }
  return numbers
}

/** Events in files that were not uploaded. */
function onDisk(directory: string): number[] {
  return readdirSync(directory, { recursive: true })
    .map((name) => join(directory, String(name)))
    .filter((path) => path.endsWith('.gz') && existsSync(path) && statSync(path).isFile())
    .flatMap((path) => numbersIn(unpackedText(path)))
}

function unpackedText(path: string): string {
  try {
    return gunzipSync(readFileSync(path)).toString()
  } catch {
    return ''
  }
}

describe('kinesis', () => {
  it(
    'loses nothing while the server goes away, and when the reader is stopped',
    async () => {
      const kinesis = witness('kinesis', 'KinesisClient')
      const StreamName = 'events'
      await kinesis('CreateStream', { StreamName, ShardCount: 4 })
      for (let n = 0; n < count; n += 500) {
        const size = Math.min(500, count - n)
        const Records = Array.from({ length: size }, (_, i) => ({
          Data: Buffer.from(JSON.stringify({ n: n + i })),
          PartitionKey: String(n + i),
        }))
        await kinesis('PutRecords', { StreamName, Records })
      }
      const path = join(folder, 'kinesis')
      const config = `input { kinesis { kinesis_stream_name => "events" codec => json checkpoint_interval_seconds => 1
      additional_settings => { "kinesis_endpoint" => "${endpoint}" "max_records" => 250 } } }
      output { file { path => "${path}" } }`
      const data = mkdtempSync(join(folder, 'kinesis-run-'))
      const first = await start({ config, folder: data })
      await until(() => distinctIn(path) > count / 4, 'a quarter read')
      await cutForAWhile()
      await until(() => distinctIn(path) > count / 2, 'half read')
      first.signal('SIGTERM')
      expect(await first.exit(minutes)).toMatchObject({ code: 0 })
      const beforeStop = fileNumbers(path).length
      await start({ config, folder: data })
      await until(() => distinctIn(path) === count, 'everything read')
      await wait(2000)
      console.log(`kinesis: ${beforeStop} events before the stop`)
      expect(report('kinesis', fileNumbers(path)).lost).toBe(0)
    },
    limit,
  )
})

describe('sns', () => {
  it(
    'loses nothing while the server goes away, as a subscribed queue has it',
    async () => {
      const sqs = witness('sqs', 'SQSClient')
      const sns = witness('sns', 'SNSClient')
      const { TopicArn } = await sns('CreateTopic', { Name: 'news' })
      await sqs('CreateQueue', { QueueName: 'news' })
      const Endpoint = 'arn:aws:sqs:us-east-1:123456789012:news'
      await sns('Subscribe', {
        TopicArn,
        Protocol: 'sqs',
        Endpoint,
        Attributes: { RawMessageDelivery: 'true' },
      })
      const writer = await start({
        config: `${IN} ${slowly} output { sns { arn => "${TopicArn}" codec => json ${shared()} } }`,
      })
      const { QueueUrl } = await sqs('GetQueueUrl', { QueueName: 'news' })
      const numbers: number[] = []
      let hasEnded = false
      const drain = async () => {
        for (;;) {
          const isLast = hasEnded
          const answer = await sqs('ReceiveMessage', { QueueUrl, MaxNumberOfMessages: 10 })
          const messages = (answer['Messages'] ?? []) as { Body: string; ReceiptHandle: string }[]
          if (messages.length === 0 && isLast) return
          if (messages.length === 0) await wait(100)
          for (const { Body } of messages) numbers.push(...numbersIn(Body))
          const Entries = messages.map(({ ReceiptHandle }, n) => ({ Id: String(n), ReceiptHandle }))
          if (Entries.length > 0) await sqs('DeleteMessageBatch', { QueueUrl, Entries })
        }
      }
      const drained = Promise.all([drain(), drain(), drain()])
      writer.write(numbered())
      writer.endInput()
      await until(() => numbers.length > count / 4, 'a quarter arrived')
      await cutForAWhile()
      expect(await writer.exit(limit)).toMatchObject({ code: 0 })
      hasEnded = true
      await drained
      expect(report('sns', numbers).lost).toBe(0)
    },
    limit,
  )
})

describe('cloudwatch', () => {
  it(
    'counts every event although the server goes away, and reads the sums',
    async () => {
      const metric = '"CW_metricname" => "events" "CW_unit" => "Count" "CW_value" => "1"'
      const dimensions = 'mutate { add_field => [ "CW_dimensions", "Environment", "CW_dimensions", "test" ] }'
      const writer = await start({
        config: `${IN} filter { mutate { add_field => { ${metric} } } ${dimensions} }
        output { cloudwatch { timeframe => "1s" namespace => "Own" ${shared()} } }`,
      })
      writer.write(numbered(0, Math.floor(count / 2)))
      await wait(2000)
      await cutForAWhile()
      writer.write(numbered(Math.floor(count / 2)))
      writer.endInput()
      expect(await writer.exit(limit)).toMatchObject({ code: 0 })
      const path = join(folder, 'cloudwatch')
      await start({
        config: `input { cloudwatch { namespace => "Own" metrics => ["events"] filters => { "Environment" => "test" }
        interval => 3600 period => 3600 ${shared()} } } output { file { path => "${path}" } }`,
      })
      await until(() => existsSync(path) && readFileSync(path, 'utf8').includes('\n'), 'a data point')
      const points = readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, number | string>)
      const counted = points.reduce((sum, point) => sum + Number(point['sum']), 0)
      console.log(`cloudwatch: ${count} events, ${counted} counted`)
      // A request whose answer was lost is sent again; the service has no way to know it.
      expect(counted).toBeGreaterThanOrEqual(count)
      expect(points[0]).toMatchObject({ metric_name: 'events', Environment: 'test', unit: 'Count' })
    },
    limit,
  )
})
