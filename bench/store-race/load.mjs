// Loads the documents into one subject and says what that cost: two senders, then a refresh, a flush, and a wait until
// the merges are over, all of which counts as CPU time. A smaller index is loaded and deleted first, so that what
// compiles code while it runs has done so.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuMoment, microsBetween } from '../process-cpu.mjs'
import { residentKb } from '../process-tree.mjs'
import { sendBulk } from './bulk.mjs'
import { Connection } from './connection.mjs'
import { index as indexBody } from './mapping.mjs'

const SENDERS = 2
const WARM_UP_BODIES = 30
const POLL_MS = 250
/** This long without a merge means that they are over. */
const QUIET_POLLS = 6
const MERGE_LIMIT_MS = 600_000

export async function load(server, index, bodies, { forceMerge }) {
  await createIndex(server, 'race-warm-up')
  await sendAll(server, 'race-warm-up', bodies.slice(0, WARM_UP_BODIES))
  await server.connection.send({ method: 'DELETE', path: '/race-warm-up' })
  await createIndex(server, index)
  const before = cpuMoment(server.pid)
  const began = performance.now()
  await sendAll(server, index, bodies)
  const seconds = (performance.now() - began) / 1000
  const { connection } = server
  await connection.send({ path: `/${index}/_refresh` })
  await connection.send({ path: `/${index}/_flush` })
  await mergesOver(connection, index)
  const cpuSeconds = microsBetween(before, cpuMoment(server.pid)) / 1e6
  if (forceMerge) {
    await connection.send({ path: `/${index}/_forcemerge?max_num_segments=1` })
    await connection.send({ path: `/${index}/_flush` })
  }
  const documents = bodies.reduce((sum, body) => sum + body.documents, 0)
  const { count } = await connection.ask({ method: 'GET', path: `/${index}/_count` })
  if (count !== documents) throw new Error(`${server.name} has ${count} documents of ${documents}`)
  return {
    documentsPerCpuSecond: documents / cpuSeconds,
    documentsPerSecond: documents / seconds,
    indexMB: (await indexBytes(server, index)) / 1e6,
    segments: await segments(connection, index),
    residentMB: residentKb(server.pid) / 1024,
  }
}

export async function createIndex({ connection }, index) {
  const exists = await connection.send({ method: 'HEAD', path: `/${index}` }).then(
    () => true,
    () => false,
  )
  if (exists) await connection.send({ method: 'DELETE', path: `/${index}` })
  await connection.send({ method: 'PUT', path: `/${index}`, body: JSON.stringify(indexBody) })
}

async function sendAll({ port }, index, bodies) {
  let next = 0
  const sender = async () => {
    const connection = new Connection(port)
    while (next < bodies.length) await sendBulk(connection, index, bodies[next++])
    connection.close()
  }
  await Promise.all(Array.from({ length: SENDERS }, sender))
}

async function mergesOver(connection, index) {
  const limit = performance.now() + MERGE_LIMIT_MS
  for (let quiet = 0; quiet < QUIET_POLLS; ) {
    await sleep(POLL_MS)
    const { _all: all } = await connection.ask({ method: 'GET', path: `/${index}/_stats/merge` })
    quiet = all.primaries.merges.current === 0 ? quiet + 1 : 0
    if (performance.now() > limit) throw new Error('merges do not come to an end')
  }
}

async function segments(connection, index) {
  const { _all: all } = await connection.ask({ method: 'GET', path: `/${index}/_stats/segments` })
  return all.primaries.segments.count
}

/** Everything the subject keeps, its log too; what it says itself where its directory is not known. */
async function indexBytes({ connection, directory }, index) {
  if (directory !== undefined) return bytesIn(join(directory, 'index'))
  const { _all: all } = await connection.ask({ method: 'GET', path: `/${index}/_stats/store` })
  return all.primaries.store.size_in_bytes
}

function bytesIn(directory) {
  let sum = 0
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    if (entry.isFile())
      sum += statSync(join(entry.parentPath ?? entry.path, entry.name), { throwIfNoEntry: false })?.size ?? 0
  }
  return sum
}
