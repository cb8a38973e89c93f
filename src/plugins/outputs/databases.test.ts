/** The outputs jdbc, mongodb and zabbix. */
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { OutputDefinition } from '../../plugin/define.ts'
import { outputFor, type TestOptions } from '../../plugin/testing.ts'
import { type FakeDatabase, fakeDatabase, fakePg } from '../jdbc/test-drivers.ts'
import jdbc from './jdbc.ts'
import mongodb from './mongodb.ts'
import zabbix from './zabbix.ts'

let database: FakeDatabase = fakeDatabase()
const stored: Record<string, unknown>[] = []
let refusals: unknown[] = []
vi.mock('pg', () => ({ default: fakePg(databaseInUse()) }))
vi.mock('mongodb', () => ({
  ObjectId: class {
    readonly hex: string
    constructor(hex = 'ffffffffaaaaaaaaaabbbbbb') {
      this.hex = hex
    }
    toString() {
      return this.hex
    }
  },
  Double: Number,
  Long: { fromBigInt: (value: bigint) => `long ${value}` },
  MongoClient: class {
    db = (name: string) => ({
      collection: (collection: string) => ({
        insertMany: async (documents: Record<string, unknown>[]) => {
          const refusal = refusals.shift()
          if (refusal !== undefined) throw refusal
          stored.push(...documents.map((document) => ({ place: `${name}.${collection}`, ...document })))
        },
      }),
    })
    close = async () => undefined
  },
}))

function databaseInUse(): FakeDatabase {
  return {
    get statements() {
      return database.statements
    },
    get settings() {
      return database.settings
    },
    types: {},
    answer: (statement) => database.answer(statement),
  }
}
beforeEach(() => {
  database = fakeDatabase()
  stored.length = 0
  refusals = []
})
const atEnd: (() => unknown)[] = []
afterEach(async () => {
  for (const end of atEnd.splice(0)) await end()
})

async function output(definition: OutputDefinition, options: TestOptions) {
  const given: [string, string][] = []
  const made = outputFor(definition, options)
  await made.instance.register?.()
  atEnd.push(() => made.instance.close?.())
  return { ...made, given }
}

describe('jdbc', () => {
  const base: TestOptions = {
    connection_string: 'jdbc:postgresql://db/x',
    statement: ['insert into t values (?, ?, ?, ?)', 'message', '%{a}-%{b}', '@timestamp', '[c][d]'],
    retry_initial_interval: 0.01,
    retry_max_interval: 0.02,
  }
  const row = "insert into t values ('it''s', '1-%{b}', '2015-10-01 05:06:07.089', '[1,{\"x\":2}]')"

  it('runs a statement per event, values quoted', async () => {
    const { deliver } = await output(jdbc, base)
    await deliver([{ message: "it's", a: 1, c: { d: [1, { x: 2 }] } }, {}])
    expect(database.statements[0]).toBe(row)
    expect(database.statements[1]).toContain("values (NULL, '%{a}-%{b}'")
  })

  it('connects as it is told, and tries the connection at the start unless told not to', async () => {
    await output(jdbc, {
      ...base,
      username: 'me',
      connection_timeout: 1234,
      connection_test_query: 'select 7',
    })
    expect(database.settings.at(-1)).toMatchObject({ user: 'me', connectionTimeoutMillis: 1234 })
    expect(database.statements).toEqual(['select 7'])
    const before = database.settings.length
    await output(jdbc, { ...base, connection_test: false })
    expect(database.settings).toHaveLength(before)
  })

  it('takes further states for passing, and tries flush_size events again together', async () => {
    let failures = 1
    database.answer = () => {
      if (failures-- > 0) throw Object.assign(new Error('busy'), { code: 'XX123' })
      return []
    }
    const options = { ...base, statement: ['insert ?', 'm'], retry_sql_states: ['XX123'], flush_size: 1 }
    const { deliver, environment } = await output(jdbc, options)
    await deliver([{ m: 'a' }, { m: 'b' }])
    expect(database.statements).toEqual(["insert 'a'", "insert 'a'", "insert 'b'"])
    expect(environment.logger.messages('error')).toEqual([])
  })

  it('fills the statement itself only when told to', async () => {
    const statement = ['insert into %{t} values (?)', 5]
    const { deliver } = await output(jdbc, { ...base, statement, unsafe_statement: true })
    await deliver([{ t: 'mine' }])
    expect(database.statements).toEqual(['insert into mine values (5)'])
  })

  it('tries again what may pass, gives up the rest, and only that', async () => {
    let deadlocks = 2
    database.answer = (statement) => {
      if (statement.includes("'bad'")) throw Object.assign(new Error('no'), { code: '23505' })
      if (statement.includes("'dead'") && deadlocks-- > 0)
        throw Object.assign(new Error('deadlock'), { code: '40P01' })
      return []
    }
    const { deliver, environment } = await output(jdbc, { ...base, statement: ['insert ?', 'm'] })
    await deliver([{ m: 'bad' }, { m: 'dead' }, { m: 'good' }])
    expect(database.statements).toEqual([
      "insert 'bad'",
      "insert 'dead'",
      "insert 'good'",
      "insert 'dead'",
      "insert 'dead'",
    ])
    expect(environment.logger.messages('error')).toEqual(['JDBC - Exception. Not retrying.'])
  })

  it('gives up after max_flush_exceptions, but not for lost connections', async () => {
    let lost = 5
    database.answer = () => {
      if (lost-- > 0) throw Object.assign(new Error('gone'), { code: '57P01' })
      throw Object.assign(new Error('busy'), { code: '53300' })
    }
    const { deliver, environment } = await output(jdbc, {
      ...base,
      statement: ['x ?', 1],
      max_flush_exceptions: 3,
    })
    await deliver([{}])
    expect(database.statements).toHaveLength(8)
    expect(environment.logger.messages('error')[0]).toMatch('max_flush_exceptions has been reached. 1 events')
  })
})

describe('mongodb', () => {
  const base = { uri: 'mongodb://x', database: 'db', collection: 'c-%{k}', retry_delay: 0.01 }

  it('stores documents, times as texts with quotes', async () => {
    const { deliver } = await output(mongodb, base)
    await deliver([{ k: 1, n: 2n ** 60n, nested: { list: [1.5] } }])
    expect(stored).toEqual([
      {
        place: 'db.c-1',
        '@timestamp': '"2015-10-01T05:06:07.089Z"',
        '@version': '1',
        k: 1,
        n: 'long 1152921504606846976',
        nested: { list: [1.5] },
      },
    ])
  })

  it('stores dates and ids made of the time', async () => {
    const { deliver } = await output(mongodb, { ...base, isodate: true, generateId: true, bulk: true })
    await deliver([{ k: 1 }, { k: 1 }])
    expect(stored).toHaveLength(2)
    expect(stored[0]!['@timestamp']).toEqual(new Date('2015-10-01T05:06:07.089Z'))
    expect(String(stored[0]!['_id'])).toBe('560cbf3faaaaaaaaaabbbbbb')
  })

  it('waits for the server, skips duplicates, gives up what is too large', async () => {
    refusals = [
      new Error('connection refused'),
      undefined,
      Object.assign(new Error('E11000'), { code: 11000 }),
      Object.assign(new Error('object to insert too large'), { name: 'MongoServerError', code: 10334 }),
    ]
    const { deliver, environment } = await output(mongodb, base)
    await deliver([{ k: 1 }, { k: 2 }, { k: 3 }])
    expect(stored.map(({ k }) => k)).toEqual([1])
    expect(environment.logger.messages('error')).toEqual(['A document cannot be stored in MongoDB'])
  })

  it('refuses bulks that are too large', async () => {
    await expect(output(mongodb, { ...base, bulk_size: 1001 })).rejects.toThrow("lower than '1000'")
  })
})

describe('zabbix', () => {
  const seen: unknown[] = []
  let answer: string | undefined
  let server: Server
  beforeEach(async () => {
    seen.length = 0
    answer = '{"response":"success","info":"processed: 1; failed: 0; total: 1; seconds spent: 0.00005"}'
    server = createServer((socket) => {
      socket.on('error', () => undefined)
      let received = Buffer.alloc(0)
      socket.on('data', (chunk) => {
        received = Buffer.concat([received, chunk])
        if (received.length < 13 || received.length < 13 + received.readUInt32LE(5)) return
        expect(received.subarray(0, 5).toString('latin1')).toBe('ZBXD\x01')
        seen.push(JSON.parse(received.subarray(13).toString('utf8')))
        if (answer === undefined) return
        const head = Buffer.from('ZBXD\x01\0\0\0\0\0\0\0\0', 'latin1')
        head.writeUInt32LE(answer.length, 5)
        socket.end(Buffer.concat([head, Buffer.from(answer)]))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    atEnd.push(() => server.close())
  })
  const base = () => ({
    zabbix_server_host: '127.0.0.1',
    zabbix_server_port: (server.address() as AddressInfo).port,
    zabbix_host: '[@metadata][h]',
  })

  it('sends a value', async () => {
    const { deliver } = await output(zabbix, { ...base(), zabbix_key: 'k' })
    await deliver([{ '@metadata': { h: 'web' }, k: 'load', message: 1.5 }])
    expect(seen).toEqual([
      {
        request: 'sender data',
        data: [{ host: 'web', key: 'load', value: '1.5', clock: 1443675967, ns: 89000000 }],
      },
    ])
    const other = await output(zabbix, { ...base(), zabbix_key: 'k', zabbix_value: '[a][v]' })
    await other.deliver([{ '@metadata': { h: 'web' }, k: 'load', a: { v: 7 }, message: 1.5 }])
    expect(seen[1]).toMatchObject({ data: [{ value: '7' }] })
  })

  it('sends several, without those that are missing', async () => {
    const { deliver, environment } = await output(zabbix, {
      ...base(),
      multi_value: ['k1', 'v1', 'k2', 'v2'],
    })
    await deliver([{ '@metadata': { h: 'web' }, k1: 'a', v1: 1, k2: 'b' }])
    expect(seen).toMatchObject([{ data: [{ key: 'a', value: '1' }] }])
    expect(environment.logger.lines.find(({ level }) => level === 'warn')!.fields).toEqual({ field: 'v2' })
  })

  it.each([
    ['{"response":"success","info":"processed: 0; failed: 1; total: 1"}', 'rejected all items sent.'],
    ['{"response":"failed"}', 'answered failed.'],
    ['nonsense', 'responded atypically.'],
  ])('logs %s', async (given, expected) => {
    answer = given
    const { deliver, environment } = await output(zabbix, { ...base(), zabbix_key: 'k' })
    await deliver([{ '@metadata': { h: 'web' }, k: 'load', message: 'x' }])
    expect(environment.logger.messages('warn')).toEqual([`Zabbix server at 127.0.0.1 ${expected}`])
  })

  it('goes on when nobody answers, or listens', async () => {
    answer = undefined
    const slow = await output(zabbix, { ...base(), zabbix_key: 'k', timeout: 0.1 })
    await slow.deliver([{ '@metadata': { h: 'web' }, k: 'load', message: 'x' }])
    expect(slow.environment.logger.messages('warn')).toEqual([
      'Connection attempt to Zabbix server timed out.',
    ])
    const dead = await output(zabbix, { ...base(), zabbix_server_port: 1, zabbix_key: 'k' })
    await dead.deliver([{ '@metadata': { h: 'web' }, k: 'load', message: 'x' }])
    expect(dead.environment.logger.messages('error')[0]).toMatch('Unable to connect to Zabbix server')
  })

  it('needs a key', async () => {
    expect(() => outputFor(zabbix, base())).toThrow('Must configure either zabbix_key or multi_value')
  })
})
