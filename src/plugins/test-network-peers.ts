/** Further ends of connections for the tables of plugins: an SNMP agent, CouchDB, a receiver of Lumberjack, a schema of Avro. */
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { inflateSync } from 'node:zlib'
import { testAgent } from './inputs/snmp/test-agent.ts'
import type { Peer } from './test-peers.ts'
import { certificateFiles, testCertificate, testKey } from './tls/test-certificate.ts'

/** AGENT stands for its address. */
export async function agentPeer(): Promise<Peer> {
  const agent = await testAgent()
  return {
    words: { AGENT: `host => "udp:127.0.0.1/${agent.port}" retries => 0` },
    give() {},
    sent: () => [],
    close: () => agent.close(),
  }
}

/** COUCH stands for its address. Sends `{"changes": [{…}]}` to whoever follows; tells what was asked. */
export async function couchPeer(): Promise<Peer> {
  const lines: string[] = []
  const feeds = new Set<ServerResponse>()
  const asked: Record<string, unknown>[] = []
  let status = 200
  const server = createServer(({ url = '', headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://x')
    asked.push({ path: pathname, ...Object.fromEntries(searchParams), login: headers.authorization ?? null })
    response.writeHead(status)
    if (status !== 200) return void response.end()
    feeds.add(response)
    response.write(`\n${lines.splice(0).join('')}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    words: { COUCH: `host => "127.0.0.1" port => ${port} sequence_path => "PATH" reconnect_delay => 60` },
    give({ changes = [], status: given = 200 }) {
      status = Number(given)
      const texts = (changes as unknown[]).map((change) => `${JSON.stringify(change)}\n`)
      if (feeds.size === 0) lines.push(...texts)
      for (const feed of feeds) feed.write(texts.join(''))
    },
    sent: () => asked.splice(0),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** RECEIVER stands for its address and certificate. Tells the maps of fields that it was sent, all of them acknowledged. */
export async function receiverPeer(): Promise<Peer> {
  const taken: Record<string, unknown>[] = []
  const sockets = new Set<Socket>()
  const server = createTlsServer({ key: testKey, cert: testCertificate }, (socket) => {
    let kept = Buffer.alloc(0)
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      kept = Buffer.concat([kept, chunk])
      // A window, `1W` and its size, and one compressed frame, `1C`, its length and bytes.
      while (kept.length >= 12 && kept.length >= 12 + kept.readUInt32BE(8)) {
        const end = 12 + kept.readUInt32BE(8)
        taken.push(...fieldsOf(inflateSync(kept.subarray(12, end))))
        const acknowledgement = Buffer.from('1A\0\0\0\0', 'latin1')
        acknowledgement.writeUInt32BE(kept.readUInt32BE(2), 2)
        socket.write(acknowledgement)
        kept = kept.subarray(end)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { certificate } = await certificateFiles()
  const { port } = server.address() as AddressInfo
  return {
    words: { RECEIVER: `hosts => ["localhost"] port => ${port} ssl_certificate => "${certificate}"` },
    give() {},
    sent: () => taken.splice(0),
    settle: async () => {},
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Data frames: `1D`, number, count of pairs, then name and value with their lengths. */
function fieldsOf(bytes: Buffer): Record<string, string>[] {
  const maps: Record<string, string>[] = []
  for (let at = 0; at < bytes.length; ) {
    const count = bytes.readUInt32BE(at + 6)
    const map: Record<string, string> = {}
    at += 10
    const text = () => {
      const end = at + 4 + bytes.readUInt32BE(at)
      const read = bytes.toString('utf8', at + 4, end)
      at = end
      return read
    }
    for (let i = 0; i < count; i++) {
      const name = text()
      map[name] = text()
    }
    maps.push(map)
  }
  return maps
}

const schema = {
  type: 'record',
  name: 'Test',
  fields: [
    { name: 'foo', type: ['null', 'string'] },
    { name: 'bar', type: 'int' },
  ],
}

/** SCHEMA is the path of a record with `foo`, a text or nothing, and `bar`, a whole number. */
export async function schemaPeer(): Promise<Peer> {
  const path = join(mkdtempSync(join(tmpdir(), 'millrace-avro-')), 'schema.avsc')
  writeFileSync(path, JSON.stringify(schema))
  return { words: { SCHEMA: path }, give() {}, sent: () => [], close() {} }
}
