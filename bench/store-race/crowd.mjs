// Several clients at once, each with a connection of its own and one request under way. Every client goes through all
// kinds in an order of its own, again and again, so that each subject gets the same mix, however slow one kind is. The
// same beside a client that sends documents as fast as they are taken, into an index that is searched with the other;
// it is deleted afterwards, so that every turn begins alike.
import { seeded } from '../generate/random.mjs'
import { cpuMoment, microsBetween } from '../process-cpu.mjs'
import { inTurn, seedOf } from './alone.mjs'
import { sendBulk } from './bulk.mjs'
import { Connection } from './connection.mjs'
import { requestOf } from './kinds.mjs'
import { createIndex } from './load.mjs'

const TURNS = 3
const WARM_UP_TURN = 100
const LIVE = 'race-live'

/** Returns the turns of each subject, each with all response times by kind. */
export async function playCrowd(servers, kinds, race, { seconds, clients, bodies, tell }) {
  const turns = new Map(servers.map(({ name }) => [name, []]))
  const options = { clients, bodies }
  for (const server of servers)
    await turn(server, kinds, race, { ...options, seconds: seconds / 3, at: WARM_UP_TURN })
  for (let at = 0; at < TURNS; at++) {
    for (const server of inTurn(servers, at)) {
      turns.get(server.name).push(await turn(server, kinds, race, { ...options, seconds, at }))
    }
    tell(`${clients} clients${bodies ? ' beside ingest' : ''}, turn ${at + 1} of ${TURNS}`)
  }
  return turns
}

async function turn(server, kinds, race, { seconds, clients, bodies, at }) {
  const index = bodies === undefined ? race.index : `${race.index},${LIVE}`
  if (bodies !== undefined) await createIndex(server, LIVE)
  const waits = new Map(kinds.map(({ name }) => [name, []]))
  const before = cpuMoment(server.pid)
  const began = performance.now()
  const end = began + seconds * 1000
  const client = async (number) => {
    const connection = new Connection(server.port)
    const random = seeded(seedOf(race.seed, 1_000_000 + at, number))
    for (let order = []; performance.now() < end; ) {
      if (order.length === 0) order = shuffled(kinds, random)
      const kind = order.pop()
      const request = requestOf(kind, race.vocabulary, random, index)
      const asked = performance.now()
      await connection.send(request)
      waits.get(kind.name).push(performance.now() - asked)
    }
    connection.close()
  }
  let documents = 0
  const sender = async () => {
    const connection = new Connection(server.port)
    for (let next = 0; performance.now() < end; next++) {
      const body = bodies[next % bodies.length]
      await sendBulk(connection, LIVE, body)
      documents += body.documents
    }
    connection.close()
  }
  await Promise.all([
    ...Array.from({ length: clients }, (_, number) => client(number)),
    ...(bodies === undefined ? [] : [sender()]),
  ])
  const elapsed = (performance.now() - began) / 1000
  const cpuMs = microsBetween(before, cpuMoment(server.pid)) / 1000
  if (bodies !== undefined) await server.connection.send({ method: 'DELETE', path: `/${LIVE}` })
  return { waits, elapsed, cpuMs, documents }
}

export function shuffled(list, random) {
  const mixed = [...list]
  for (let left = mixed.length; left > 1; left--) {
    const at = random.below(left)
    ;[mixed[at], mixed[left - 1]] = [mixed[left - 1], mixed[at]]
  }
  return mixed
}
