// The benchmark suite: node bench/run.mjs [case…] [--rounds N] [--events N] [--json FILE] [--twin] [--bin FILE]
// [--before FILE] [--no-peers]; or node bench/run.mjs store-race, which has options of its own. Prints a Markdown report; how to read
// it is in bench/README.md. Exit code 1 when the limit program or Millrace has no speed in any case; a peer that fails
// is reported but decides nothing.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { cases } from './cases/index.mjs'
import { machine } from './machine.mjs'
import { foundDuckdb } from './peers/duckdb.mjs'
import { foundPeers } from './peers/index.mjs'
import { markdown, summarise } from './report.mjs'
import { playRounds } from './rounds.mjs'
import { limit, millrace, twin } from './subjects.mjs'

const MAX_ROUNDS = 1000
const MAX_EVENTS = 50_000_000

function wholeNumber(text, name, most) {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > most) {
    throw new Error(`--${name} must be a whole number from 1 to ${most}`)
  }
  return value
}

function commandLine() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '5' },
      events: { type: 'string' },
      json: { type: 'string' },
      twin: { type: 'boolean', default: false },
      bin: { type: 'string' },
      before: { type: 'string' },
      'no-peers': { type: 'boolean', default: false },
      'time-limit': { type: 'string', default: '120' },
    },
  })
  const unknown = positionals.filter((id) => !cases.some((each) => each.id === id))
  if (unknown.length > 0) {
    throw new Error(
      `no case ${unknown.join(', ')}; there are ${[...cases.map((each) => each.id), RACE].join(', ')}`,
    )
  }
  const peers = values['no-peers'] ? [] : [...foundPeers(), foundDuckdb()].filter(Boolean)
  return {
    chosen: positionals.length === 0 ? cases : cases.filter((each) => positionals.includes(each.id)),
    subjects: [limit, ...(values.twin ? [twin] : []), ...builds(values), ...peers],
    peers: peers.map(({ name, version }) => `${name} ${version}`.trim()),
    json: values.json,
    options: {
      rounds: wholeNumber(values.rounds, 'rounds', MAX_ROUNDS),
      events: values.events === undefined ? undefined : wholeNumber(values.events, 'events', MAX_EVENTS),
      timeLimitMs: wholeNumber(values['time-limit'], 'time-limit', 3600) * 1000,
    },
  }
}

/** Both builds of `--before` run in every round, so that their ratio is one of the same machine at the same time. */
function builds({ bin, before }) {
  return [...(before === undefined ? [] : [millrace(before, 'before')]), millrace(bin)]
}

/** It has options of its own and needs Java, so it is no part of a run of all cases. */
const RACE = 'store-race'

async function main() {
  const argv = process.argv.slice(2)
  if (argv.includes(RACE)) {
    const { storeRace } = await import('./store-race/race.mjs')
    return await storeRace(argv)
  }
  const { chosen, subjects, peers, json, options } = commandLine()
  const where = { ...machine(), peers }
  const { results, calibration } = await playRounds(chosen, subjects, options, (text) =>
    process.stderr.write(`${text}\n`),
  )
  const { load: loadAfter, stolenSeconds } = machine()
  const stolen = stolenSeconds === undefined ? undefined : stolenSeconds - where.stolenSeconds
  process.stdout.write(markdown({ machine: where, loadAfter, stolen, calibration, results, options }))
  if (json !== undefined) {
    const samples = results.map((row) => ({
      case: row.case.id,
      subject: row.subject.name,
      samples: row.samples,
      error: row.error,
      said: row.said,
    }))
    const summary = summarise(results)
    const report = { machine: where, loadAfter, stolen, options, calibration, summary, samples }
    writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`)
  }
  if (results.some((row) => row.error !== undefined && row.subject.kind !== 'peer')) process.exitCode = 1
}

main().catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
