// Millrace beside a real OpenSearch, and beside an older build of itself: node bench/run.mjs store-race [options]. The
// same documents and the same requests for all of them, in turns; bench/README.md says what is measured and how to read
// the report. Exit code 1 when an answer of Millrace is wrong.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { machine } from '../machine.mjs'
import { cpuMoment, microsBetween } from '../process-cpu.mjs'
import { residentKb } from '../process-tree.mjs'
import { millrace } from '../subjects.mjs'
import { withWorkDirectory } from '../work-directory.mjs'
import { playAlone, wrongAnswers } from './alone.mjs'
import { bulkBodies, documentLines } from './bodies.mjs'
import { raceOptions } from './command-line.mjs'
import { playCrowd } from './crowd.mjs'
import { kinds as allKinds } from './kinds.mjs'
import { load } from './load.mjs'
import { startMillrace } from './millrace.mjs'
import { missingForOpensearch, startOpensearch } from './opensearch.mjs'
import { raceMarkdown } from './report.mjs'
import { runningServer } from './server.mjs'
import { crowdFigures, kindFigures } from './summary.mjs'
import { vocabularyOf } from './vocabulary.mjs'

const OURS = 'millrace'
const INDEX = 'race'
/** Sent again and again by the client that ingests beside searches. */
const LIVE_BODIES = 50

const tell = (text) => process.stderr.write(`store-race: ${text}\n`)

export async function storeRace(argv) {
  const options = raceOptions(argv)
  const needsJava = !options['no-opensearch'] && options.opensearch === undefined
  const missing = needsJava ? missingForOpensearch() : undefined
  if (process.platform !== 'linux')
    return tell('not run: it reads CPU times from /proc, which only Linux has')
  if (missing !== undefined) {
    return tell(`not run: it needs ${missing}. --no-opensearch compares builds of Millrace without it`)
  }
  const ours = millrace()
  const before = options.bin === undefined ? undefined : { ...millrace(options.bin), name: 'before' }
  for (const subject of [ours, before]) if (subject?.missing !== undefined) throw new Error(subject.missing)
  await withWorkDirectory(async (directory) => {
    const servers = []
    try {
      const own = (name) => {
        mkdirSync(join(directory, name))
        return join(directory, name)
      }
      if (options.opensearch !== undefined)
        servers.push(await runningServer('OpenSearch', options.opensearch))
      else if (needsJava) servers.push(await startOpensearch(own('opensearch')))
      if (before !== undefined) servers.push(await startMillrace(before, own('before')))
      servers.push(await startMillrace(ours, own(OURS)))
      const report = await race(servers, options)
      process.stdout.write(raceMarkdown(report))
      if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`)
      if (report.wrong.some(({ subject }) => subject === OURS)) process.exitCode = 1
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
    }
  })
}

async function race(servers, options) {
  const where = machine()
  const began = cpuMoment(process.pid)
  const kinds = allKinds.filter(({ name }) => options.only.includes(name))
  const { lines, bodies } = documents(options.events)
  const shared = { vocabulary: vocabularyOf(lines), index: INDEX, seed: options.seed }
  lines.length = 0
  const loads = {}
  for (const server of servers) {
    tell(`${options.events} documents into ${server.name}`)
    loads[server.name] = await load(server, INDEX, bodies, { forceMerge: options['force-merge'] })
  }
  bodies.splice(LIVE_BODIES)
  const wrong = await wrongAnswers(servers, kinds, shared)
  const { rounds, requests: count, 'warm-up': warmUp, seconds, clients } = options
  const samples = await playAlone(servers, kinds, shared, { rounds, count, warmUp, tell })
  const crowd = async (more) =>
    crowdFigures(await playCrowd(servers, kinds, shared, { seconds, clients, tell, ...more }), kinds)
  const [together, besideIngest] = seconds === 0 ? [] : [await crowd(), await crowd({ bodies })]
  for (const { name, pid } of servers) loads[name].residentAfterMB = residentKb(pid) / 1024
  const after = machine()
  return {
    machine: where,
    loadAfter: after.load,
    stolen: after.stolenSeconds === undefined ? undefined : after.stolenSeconds - where.stolenSeconds,
    ...shares(after.busySeconds - where.busySeconds, microsBetween(began, cpuMoment(process.pid)) / 1e6),
    options,
    subjects: servers.map(({ name }) => name),
    remarks: await remarksOf(servers),
    loads,
    kinds: kindFigures(kinds, samples, wrong, OURS),
    crowd: together,
    besideIngest,
    wrong: [...wrong].flatMap(([subject, byKind]) =>
      [...byKind].map(([kind, { found, request }]) => ({ subject, kind, found, request })),
    ),
  }
}

/** Splits the processor time that was used; the subjects are children of this process. */
const shares = (all, own) => ({ usedByRace: own, usedByOthers: Math.max(0, all - own) })

function documents(events) {
  const lines = documentLines(events)
  return { lines, bodies: bulkBodies(lines) }
}

/** Which version each says it is. */
async function remarksOf(servers) {
  const entries = servers.map(async ({ name, connection, remark }) => {
    const { version } = await connection.ask({ method: 'GET', path: '/' })
    return [
      name,
      [`version ${version.number}`, version.build_hash?.slice(0, 10), remark].filter(Boolean).join(', '),
    ]
  })
  return Object.fromEntries(await Promise.all(entries))
}
