/**
 * The other ends that tables of plugins need, in this process: an HTTP service, Redis, memcached, Amazon's services, a socket
 * that listens. Each says what goes into the options, takes what the table gives it, and tells what it was sent.
 */
import { createHash } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TestAws } from './aws/test-server.ts'
import { geoDatabases, testDatabase } from './filters/geoip/test-database.ts'
import { TestMemcached } from './filters/memcached/test-server.ts'
import { type FakeDatabase, fakeDatabase } from './jdbc/test-drivers.ts'
import { clusterPeer } from './outputs/elasticsearch/test-peer.ts'
import { TestService } from './outputs/test-service.ts'
import { TestRedis } from './redis/test-server.ts'
import { bucketPeer, commandFilePeer, hdfsPeer, uploadsPeer } from './test-file-peers.ts'
import { imapPeer, smtpPeer } from './test-mail-peers.ts'
import { kafkaPeer, rabbitPeer, rabbitQueuePeer } from './test-message-peers.ts'
import { agentPeer, couchPeer, receiverPeer, schemaPeer } from './test-network-peers.ts'

export interface Peer {
  /** What stands for words in capitals in the options. */
  readonly words: Readonly<Record<string, string>>
  /** What it is to answer or to hold. */
  give(what: Record<string, unknown>): void
  /** What it was sent since the last time, in its order. */
  sent(): Record<string, unknown>[]
  /** Waits until what an output has sent is there, where that is not a moment later. */
  settle?(): Promise<unknown>
  close(): void | Promise<void>
}

type Answer = { status: number; headers?: Record<string, string>; body?: string }

/** Answers with status, headers and body; 200 and `{}` before it is told. */
async function httpPeer(): Promise<Peer> {
  const service = await TestService.start()
  const plain = { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' }
  service.answers = [plain]
  return {
    words: { URL: service.url, PORT: String(service.port), HOST: `127.0.0.1:${service.port}` },
    give(what) {
      service.answers = [{ ...plain, ...what } as Answer]
    },
    sent: () =>
      service.seen.splice(0).map(({ method, path, parameters, headers, body }) => ({
        method,
        path,
        ...(Object.keys(parameters).length > 0 && { parameters }),
        headers,
        body: body.toString('utf8'),
      })),
    close: () => service.close(),
  }
}

/** Holds lists: `{"key": ["item"]}`, which are also what it tells. */
async function redisPeer(): Promise<Peer> {
  const redis = await TestRedis.start()
  return {
    words: { PORT: String(redis.port), HOST: `127.0.0.1:${redis.port}` },
    give(what) {
      for (const [key, items] of Object.entries(what)) redis.list(key).push(...(items as string[]))
    },
    sent() {
      const lists = [...redis.lists].filter(([, items]) => items.length > 0)
      return lists.map(([name, items]) => ({ [name.replace(/^0\//, '')]: items.splice(0) }))
    },
    close: () => redis.close(),
  }
}

/** Holds texts: `{"key": "text"}`. */
async function memcachedPeer(): Promise<Peer> {
  const memcached = await TestMemcached.start()
  return {
    words: { HOST: `127.0.0.1:${memcached.port}` },
    give(what) {
      for (const [key, text] of Object.entries(what))
        memcached.items.set(key, { value: Buffer.from(String(text)), flags: 0, seconds: 0 })
    },
    sent() {
      const items = [...memcached.items]
      memcached.items.clear()
      return items.map(([key, { value, seconds }]) => ({ [key]: value.toString('utf8'), seconds }))
    },
    close: () => memcached.close(),
  }
}

/** Answers operations: `{"ReceiveMessage": {…}}`. Tells the operation and what it was given. */
async function awsPeer(): Promise<Peer> {
  const aws = await TestAws.start()
  aws.handlers.set('GetQueueUrl', () => ({ QueueUrl: `${aws.url}/1/queue` }))
  // The SDK compares checksums.
  const md5 = (text: unknown) => createHash('md5').update(String(text)).digest('hex')
  aws.handlers.set('SendMessage', ({ MessageBody }) => ({ MD5OfMessageBody: md5(MessageBody) }))
  return {
    words: {
      SERVICE: `endpoint => "${aws.url}" access_key_id => "AKIATEST" secret_access_key => "secret"`,
    },
    give(what) {
      for (const [operation, answer] of Object.entries(what)) {
        let isGiven = false
        // What is received is received once.
        aws.handlers.set(operation, () => {
          if (isGiven) return {}
          isGiven = true
          return answer
        })
      }
    },
    sent: () => [
      ...aws.calls
        .splice(0)
        .map(({ target, input }) => ({ operation: target.replace(/.*\./, ''), ...input })),
      ...aws.forms.splice(0).map((form) => Object.fromEntries(form)),
    ],
    close: () => aws.close(),
  }
}

/** Tells what came as one text. */
async function tcpPeer(): Promise<Peer> {
  let text = ''
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      text += chunk
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    words: { PORT: String((server.address() as AddressInfo).port) },
    give() {},
    sent() {
      const came = text
      text = ''
      return came === '' ? [] : [{ text: came }]
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Tells each datagram as a text. */
async function udpPeer(): Promise<Peer> {
  const texts: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (datagram) => texts.push(datagram.toString('utf8')))
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    words: { PORT: String(socket.address().port) },
    give() {},
    sent: () => texts.splice(0).map((text) => ({ text })),
    close: () => void socket.close(),
  }
}

/** What the stand-in for the package `pg` answers from; the tests put that in its place. */
export const playedDatabase: FakeDatabase = fakeDatabase()

/** Answers every statement with `{"rows": [{…}]}`, or fails with `{"error": "…"}`. */
async function databasePeer(): Promise<Peer> {
  playedDatabase.statements.length = 0
  playedDatabase.answer = () => []
  return {
    words: {
      DATABASE:
        'jdbc_connection_string => "jdbc:postgresql://db/x" jdbc_driver_class => "org.postgresql.Driver" jdbc_user => "me"',
    },
    give({ rows, error }) {
      playedDatabase.answer = () => {
        if (error !== undefined) throw new Error(String(error))
        return rows as Record<string, string | null>[]
      }
    },
    sent: () => playedDatabase.statements.splice(0).map((statement) => ({ statement })),
    close() {},
  }
}

/** A database with two rows from the start, `ip` and `name`, as loaders want them before the first event. */
async function loadedPeer(): Promise<Peer> {
  const peer = await databasePeer()
  playedDatabase.types = {}
  peer.give({
    rows: [
      { ip: '10.0.0.1', name: 'web' },
      { ip: '10.0.0.2', name: 'db' },
    ],
  })
  return {
    ...peer,
    words: {
      DATABASE: peer.words['DATABASE']!,
      LOADED:
        'loaders => [{ "id" => "servers" "query" => "select ip, name from s" "local_table" => "servers" }] ' +
        'local_db_objects => [{ "name" => "servers" "index_columns" => ["ip"] ' +
        '"columns" => [["ip", "varchar(15)"], ["name", "varchar(255)"]] }] ' +
        `${peer.words['DATABASE']}`,
    },
    sent: () => [],
  }
}

/** For an input: rows, and types of columns as numbers of PostgreSQL; tells the statements that read rows. */
async function tablesPeer(): Promise<Peer> {
  const peer = await databasePeer()
  playedDatabase.types = {}
  return {
    ...peer,
    give(what) {
      peer.give(what)
      const { answer } = playedDatabase
      playedDatabase.answer = (text) => (/^\s*SELECT/i.test(text) ? answer(text) : [])
      if (what['types'] !== undefined) playedDatabase.types = what['types'] as Record<string, number>
    },
    sent: () =>
      playedDatabase.statements.splice(0).flatMap((text) => {
        const statement = /CURSOR FOR ([\s\S]*)$/.exec(text)?.[1]
        return statement === undefined ? [] : [{ statement }]
      }),
  }
}

/** Databases in the format of MaxMind instead of a server, each under the name of its kind. */
async function geoDatabasesPeer(): Promise<Peer> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-geoip-'))
  const words = Object.entries(geoDatabases).map(([word, [type, networks]]) => {
    const path = join(folder, `${word}.mmdb`)
    writeFileSync(path, testDatabase(type, networks))
    return [word, path] as const
  })
  return { words: Object.fromEntries(words), give() {}, sent: () => [], close() {} }
}

/** A file of names instead of a server. */
async function hostsPeer(): Promise<Peer> {
  const path = join(mkdtempSync(join(tmpdir(), 'millrace-hosts-')), 'hosts')
  writeFileSync(path, '192.0.2.1 one.example alias # comment\n192.0.2.2\ttwo.example\n')
  return { words: { HOSTSFILE: path }, give() {}, sent: () => [], close() {} }
}

const peers: ReadonlyMap<string, () => Promise<Peer>> = new Map([
  ['filter dns', hostsPeer],
  ['filter http', httpPeer],
  ['filter elasticsearch', httpPeer],
  ['filter memcached', memcachedPeer],
  ['filter jdbc_streaming', databasePeer],
  ['codec avro', schemaPeer],
  ['filter geoip', geoDatabasesPeer],
  ['filter jdbc_static', loadedPeer],
  ['input couchdb_changes', couchPeer],
  ['input http_poller', httpPeer],
  ['input imap', imapPeer],
  ['input jdbc', tablesPeer],
  ['input kafka', kafkaPeer],
  ['input rabbitmq', rabbitPeer],
  ['input s3', bucketPeer],
  ['input snmp', agentPeer],
  ['input redis', redisPeer],
  ['input sqs', awsPeer],
  ['output elasticsearch', clusterPeer],
  ['output email', smtpPeer],
  ['output kafka', kafkaPeer],
  ['output lumberjack', receiverPeer],
  ['output nagios', commandFilePeer],
  ['output rabbitmq', rabbitQueuePeer],
  ['output s3', uploadsPeer],
  ['output webhdfs', hdfsPeer],
  ['output opensearch', clusterPeer],
  ['output http', httpPeer],
  ['output influxdb', httpPeer],
  ['output redis', redisPeer],
  ['output sns', awsPeer],
  ['output sqs', awsPeer],
  ['output graphite', tcpPeer],
  ['output statsd', udpPeer],
  ['output syslog', udpPeer],
  ['output udp', udpPeer],
])

export async function peerOf(type: string, name: string): Promise<Peer | undefined> {
  return peers.get(`${type} ${name}`)?.()
}
