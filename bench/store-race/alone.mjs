// One request at a time: rounds in which every kind is asked of every subject in turn, the same requests of each. Wall
// time is taken of every request, CPU time of a subject's turn.
import { seeded } from '../generate/random.mjs'
import { cpuMoment, microsBetween } from '../process-cpu.mjs'
import { differenceOf } from './answers.mjs'
import { requestOf } from './kinds.mjs'

const SAMPLE = 10

/** A seed for each purpose, so that no request of one is a request of another. */
export const seedOf = (seed, ...parts) =>
  parts.reduce((mixed, part) => Math.imul(mixed ^ part, 0x9e3779b1) >>> 0, (seed ^ 0x5bd1e995) >>> 0)

/** Requests of a kind; they do not depend on which other kinds are asked. */
function requests(kind, { vocabulary, index, seed }, part, count) {
  const random = seeded(seedOf(seed, part, ...Buffer.from(kind.name)))
  return Array.from({ length: count }, () => requestOf(kind, vocabulary, random, index))
}

/** Returns what is wrong with answers, by subject and kind, compared with those of the first subject. */
export async function wrongAnswers(servers, kinds, race) {
  const wrong = new Map(servers.map(({ name }) => [name, new Map()]))
  const [reference, ...others] = servers
  for (const kind of kinds) {
    for (const request of requests(kind, race, 1, SAMPLE)) {
      const expected = await reference.connection.ask(request)
      for (const { name, connection } of others) {
        if (wrong.get(name).has(kind.name)) continue
        const found = await connection.ask(request).then(
          (answer) => differenceOf(kind, expected, answer),
          (error) => error.message,
        )
        if (found !== undefined) wrong.get(name).set(kind.name, { found, request })
      }
    }
  }
  return wrong
}

/** Samples by subject and kind: `wall` of every request, `cpu` per request of every turn, in milliseconds. */
export async function playAlone(servers, kinds, race, { rounds, count, warmUp, tell }) {
  const samples = new Map(
    servers.map(({ name }) => [name, new Map(kinds.map((kind) => [kind.name, { wall: [], cpu: [] }]))]),
  )
  for (const kind of kinds) {
    const list = requests(kind, race, 2, warmUp)
    for (const server of servers) for (const request of list) await server.connection.send(request)
  }
  for (let round = 0; round < rounds; round++) {
    for (const [at, kind] of kinds.entries()) {
      const list = requests(kind, race, 3 + round, count)
      for (const server of inTurn(servers, round + at)) {
        const { wall, cpu } = await turn(server, list)
        const own = samples.get(server.name).get(kind.name)
        own.wall.push(...wall)
        own.cpu.push(cpu)
      }
    }
    tell(`round ${round + 1} of ${rounds}`)
  }
  return samples
}

/** Each subject is first equally often. */
export const inTurn = (list, round) => list.map((_, at) => list[(at + round) % list.length])

async function turn({ connection, pid }, list) {
  const wall = []
  const before = cpuMoment(pid)
  for (const request of list) {
    const began = performance.now()
    await connection.send(request)
    wall.push(performance.now() - began)
  }
  return { wall, cpu: microsBetween(before, cpuMoment(pid)) / 1000 / list.length }
}
