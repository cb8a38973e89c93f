import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { inputFor, type TestInput, type TestOptions } from '../../plugin/testing.ts'
import { eventually, TestAws } from '../aws/test-server.ts'
import { unpackRecord } from './kinesis/aggregated-record.ts'
import kinesis from './kinesis.ts'

interface TestShard {
  parent?: string
  records: string[]
  isClosed?: boolean
}

let aws: TestAws
let folder: string
let shards: Record<string, TestShard>
const running: { input: TestInput; run: Promise<void> }[] = []
const servers: Server[] = []

/** Iterators are `shard/position`, sequence numbers positions from 1 on. */
beforeEach(async () => {
  aws = await TestAws.start()
  folder = mkdtempSync(join(tmpdir(), 'kinesis-'))
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIATEST')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
  shards = { s1: { records: ['one', 'two'] } }
  aws.handlers.set('ListShards', () => ({
    Shards: Object.entries(shards).map(([ShardId, { parent }]) => ({ ShardId, ParentShardId: parent })),
  }))
  aws.handlers.set('GetShardIterator', ({ ShardId, ShardIteratorType, StartingSequenceNumber }) => {
    const { length } = shards[String(ShardId)]!.records
    const position =
      ShardIteratorType === 'TRIM_HORIZON'
        ? 0
        : ShardIteratorType === 'LATEST'
          ? length
          : StartingSequenceNumber
    return { ShardIterator: `${ShardId}/${position}` }
  })
  aws.handlers.set('GetRecords', ({ ShardIterator }) => {
    const [name = '', position] = String(ShardIterator).split('/')
    const { records, isClosed } = shards[name]!
    const from = Number(position)
    return {
      Records: records.slice(from).map((text, n) => ({
        Data: Buffer.from(text, 'latin1').toString('base64'),
        PartitionKey: 'key',
        SequenceNumber: String(from + n + 1),
        ApproximateArrivalTimestamp: 1700000000.5,
      })),
      MillisBehindLatest: 0,
      ...(!isClosed && { NextShardIterator: `${name}/${records.length}` }),
    }
  })
})
afterEach(async () => {
  for (const { input } of running) input.environment.stop()
  await endAll()
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
  await aws.close()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

async function endAll(): Promise<void> {
  for (const { input, run } of running.splice(0)) {
    await input.instance.stop()
    await run
    await input.instance.close?.()
  }
}

async function start(options: TestOptions = {}, prepare?: (input: TestInput) => void): Promise<TestInput> {
  const additional_settings = { kinesis_endpoint: aws.url, idle_time_between_reads_in_millis: 20 }
  const input = inputFor(
    kinesis,
    { kinesis_stream_name: 'stream', additional_settings, ...options },
    { settings: { 'path.data': folder } },
  )
  prepare?.(input)
  await input.instance.register?.()
  running.push({ input, run: input.instance.run(input.sink) })
  return input
}

function checkpoints(): unknown {
  const path = join(folder, 'plugins', 'inputs', 'kinesis')
  return JSON.parse(readFileSync(join(path, readdirSync(path)[0]!), 'utf8'))
}

describe('kinesis input', () => {
  it('reads records with what is known of them, and goes on behind the last', async () => {
    const first = await start()
    const events = await first.sink.waitFor(2)
    expect(events[0]).toEqual({
      message: 'one',
      '@metadata': {
        approximate_arrival_timestamp: 1700000000500,
        partition_key: 'key',
        sequence_number: '1',
      },
    })
    await endAll()
    expect(checkpoints()).toEqual({ s1: '2' })
    shards['s1']!.records.push('three')
    const second = await start()
    expect((await second.sink.waitFor(1))[0]).toMatchObject({ message: 'three' })
  })

  it('remembers a position only up to where every record is safe', async () => {
    shards['s1']!.records.push('three')
    const { sink, environment } = await start({ checkpoint_interval_seconds: 0.05 }, (input) =>
      input.sink.hold(),
    )
    await sink.waitFor(3)
    sink.releaseAt(0)
    sink.releaseAt(1)
    await eventually(() => expect(checkpoints()).toEqual({ s1: '1' }))
    environment.stop()
    await endAll()
    expect(checkpoints()).toEqual({ s1: '1' })
  })

  it('reads the children of a shard after it', async () => {
    shards = { s1: { records: ['parent'] }, s2: { parent: 's1', records: ['child'] } }
    const { sink } = await start({ initial_position_in_stream: 'TRIM_HORIZON' })
    await sink.waitFor(1)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(sink.received).toHaveLength(1)
    shards['s1']!.isClosed = true
    expect((await sink.waitFor(2)).map((event) => event['message'])).toEqual(['parent', 'child'])
    await endAll()
    expect(checkpoints()).toEqual({ s1: 'SHARD_END', s2: '1' })
  })

  it('begins with the latest when it is told to', async () => {
    const { sink } = await start({ initial_position_in_stream: 'LATEST' })
    await eventually(() => expect(aws.inputsOf('GetRecords').length).toBeGreaterThan(1))
    shards['s1']!.records.push('new')
    expect((await sink.waitFor(1)).map((event) => event['message'])).toEqual(['new'])
  })

  it('asks for another iterator when one has expired, and reads nothing twice', async () => {
    const { sink, environment } = await start()
    await sink.waitFor(2)
    const answer = aws.handlers.get('GetRecords')!
    aws.handlers.set('GetRecords', () => {
      throw { status: 400, code: 'ExpiredIteratorException' }
    })
    await eventually(() => expect(environment.logger.messages('warn')).toHaveLength(1))
    shards['s1']!.records.push('three')
    aws.handlers.set('GetRecords', answer)
    expect((await sink.waitFor(3)).map((event) => event['message'])).toEqual(['one', 'two', 'three'])
  })
})

describe('kinesis input and who it is', () => {
  /** A server for one kind of request, which is away at the end of the test. */
  async function serving(server: Server): Promise<number> {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    servers.push(server)
    return (server.address() as AddressInfo).port
  }

  it('remembers under its application_name how far it has read', async () => {
    const first = await start({ checkpoint_interval_seconds: 0.05 })
    await first.sink.waitFor(2)
    await eventually(() => expect(checkpoints()).toEqual({ s1: '2' }))
    await endAll()
    const second = await start({ application_name: 'other' })
    expect((await second.sink.waitFor(2)).map((event) => event['message'])).toEqual(['one', 'two'])
  })

  it('goes through http_proxy', async () => {
    const asked: string[] = []
    const proxy = createServer()
    proxy.on('connect', (request, socket) => {
      asked.push(request.url!)
      const server = connect(Number(new URL(aws.url).port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        server.pipe(socket).pipe(server)
      })
      socket.on('error', () => server.destroy())
      server.on('error', () => socket.destroy())
    })
    const port = await serving(proxy)
    const { sink } = await start({
      http_proxy: `http://127.0.0.1:${port}`,
      additional_settings: { kinesis_endpoint: 'http://kinesis.invalid:80' },
    })
    expect(await sink.waitFor(2)).toHaveLength(2)
    expect(new Set(asked)).toEqual(new Set(['kinesis.invalid:80']))
  })

  it('is who its profile says', async () => {
    const path = join(folder, 'credentials')
    const section = (name: string, id: string) =>
      `[${name}]\naws_access_key_id = ${id}\naws_secret_access_key = s\n`
    writeFileSync(path, section('default', 'NOBODY') + section('mine', 'AKIATEST'))
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', path)
    vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'none'))
    vi.stubEnv('AWS_ACCESS_KEY_ID', undefined)
    const { sink } = await start({ profile: 'mine' })
    expect(await sink.waitFor(2)).toHaveLength(2)
  })

  it('takes the role of role_arn', async () => {
    const forms: URLSearchParams[] = []
    const tokens = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      forms.push(new URLSearchParams(text))
      const expires = new Date(Date.now() + 3_600_000).toISOString()
      const secret = '<SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>'
      const own = `<AccessKeyId>AKIATEST</AccessKeyId>${secret}<Expiration>${expires}</Expiration>`
      const result = `<AssumeRoleResult><Credentials>${own}</Credentials></AssumeRoleResult>`
      response.setHeader('content-type', 'text/xml')
      response.end(
        `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">${result}</AssumeRoleResponse>`,
      )
    })
    vi.stubEnv('AWS_ENDPOINT_URL_STS', `http://127.0.0.1:${await serving(tokens)}`)
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'NOBODY')
    const { sink } = await start({ role_arn: 'arn:aws:iam::1:role/reader', role_session_name: 'me' })
    expect(await sink.waitFor(2)).toHaveLength(2)
    expect(forms[0]!.get('RoleArn')).toBe('arn:aws:iam::1:role/reader')
    expect(forms[0]!.get('RoleSessionName')).toBe('me')
  })
})

describe('records packed into one', () => {
  /** Written by hand from the description of the format. */
  const body = Buffer.concat([
    Buffer.from([0x0a, 2]),
    Buffer.from('k0'),
    Buffer.from([0x0a, 2]),
    Buffer.from('k1'),
    Buffer.from([0x1a, 7, 0x08, 0, 0x1a, 3]),
    Buffer.from('one'),
    Buffer.from([0x1a, 9, 0x08, 1, 0x10, 0, 0x1a, 3]),
    Buffer.from('two'),
  ])
  const packed = Buffer.concat([
    Buffer.from([0xf3, 0x89, 0x9a, 0xc2]),
    body,
    createHash('md5').update(body).digest(),
  ])

  it('are unpacked with their keys', () => {
    expect(unpackRecord(packed)?.map(({ data, partitionKey }) => [String(data), partitionKey])).toEqual([
      ['one', 'k0'],
      ['two', 'k1'],
    ])
  })

  it('stay as they are when the checksum is wrong, or there is none', () => {
    const wrong = Buffer.from(packed)
    wrong[10]! ^= 1
    expect(unpackRecord(wrong)).toBeUndefined()
    expect(unpackRecord(Buffer.from('plain'))).toBeUndefined()
    expect(unpackRecord(Buffer.from([0xf3, 0x89, 0x9a, 0xc2]))).toBeUndefined()
  })

  it('become an event each, safe together', async () => {
    shards = { s1: { records: [packed.toString('latin1')] } }
    const { sink, environment } = await start({ checkpoint_interval_seconds: 0.05 }, (input) =>
      input.sink.hold(),
    )
    expect((await sink.waitFor(2)).map((event) => event['message'])).toEqual(['one', 'two'])
    sink.releaseAt(0)
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(() => checkpoints()).toThrow('ENOENT')
    sink.release()
    await eventually(() => expect(checkpoints()).toEqual({ s1: '1' }))
    environment.stop()
  })
})
