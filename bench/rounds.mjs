// The rounds: every case and every subject once per round, so that a slow minute of the machine falls on all of
// them. The order of the subjects turns round with each round. A subject that fails or writes the wrong output has
// no speed in that case: it is not run again, and its earlier samples do not count.
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { calibrationCommand } from './calibration.mjs'
import { measure } from './measure.mjs'
import { canRun } from './peers/index.mjs'
import { withWorkDirectory } from './work-directory.mjs'

export async function playRounds(cases, subjects, options, progress) {
  const results = cases.flatMap((each) =>
    subjects
      .filter((subject) => canRun(subject, each.id))
      .map((subject) => ({ case: each, subject, samples: [], error: subject.missing })),
  )
  const calibration = []
  for (let round = 0; round < options.rounds; round++) {
    calibration.push(await calibrate(options))
    for (const each of cases) {
      const rows = results.filter((row) => row.case === each)
      for (const row of round % 2 === 0 ? rows : rows.toReversed()) {
        if (row.error !== undefined) continue
        progress(`round ${round + 1} of ${options.rounds}: ${each.id}, ${row.subject.name}`)
        await play(row, rows[0], options)
      }
      compareDigests(rows)
    }
  }
  return { results, calibration }
}

async function play(row, limitRow, options) {
  const sample = await row.case.run(row.subject, { ...options, known: limitRow.known })
  if (sample.error !== undefined) {
    Object.assign(row, { error: sample.error, said: sample.said })
    return
  }
  // One set of line hashes per case is enough, and only in memory.
  const { known, ...digest } = sample.digest ?? {}
  if (row === limitRow && known !== undefined) row.known = known
  row.samples.push(sample.digest === undefined ? sample : { ...sample, digest })
}

// The first row of a case is its limit program. Its own output must stay the same from round to round, and must be
// as long as the events it was given (a line or a dot for each), so that two equal mistakes are not taken for proof.
// An output without a hash is a peer's, whose lines are only counted.
export function compareDigests(rows) {
  for (const row of rows) {
    const expected = rows[0].error === undefined ? rows[0].samples[0] : undefined
    const sample = row.samples.at(-1)
    if (row.error !== undefined || sample?.digest === undefined) continue
    if (row === rows[0] && row.case.digest.kind !== 'empty' && sample.digest.count !== sample.events) {
      row.error = `wrong digest: no speed (${shown(sample.digest)} for ${sample.events} events)`
    } else if (sample.digest.sha256 === undefined) {
      if (sample.digest.count !== sample.events) {
        row.error = `wrong output: no speed (${sample.digest.count} lines for ${sample.events} events)`
      }
    } else if (expected === undefined) {
      row.error = 'no digest to compare with: no speed'
    } else if (sample.digest.sha256 !== expected.digest.sha256) {
      row.error = `wrong digest: no speed (${shown(sample.digest)}, expected ${shown(expected.digest)})`
      row.said = sample.digest.stranger && `unexpected line: ${sample.digest.stranger}`
    }
  }
}

const shown = ({ count, unit, sha256 }) => `${count} ${unit} ${sha256.slice(0, 8)}`

function calibrate(options) {
  return withWorkDirectory(async (directory) => {
    const path = join(directory, 'out')
    const stdout = openSync(path, 'w')
    try {
      const usage = await measure(calibrationCommand, { stdout, timeLimitMs: options.timeLimitMs })
      if (usage.failure !== undefined) throw new Error(`calibration: ${usage.failure}`)
      return JSON.parse(readFileSync(path, 'utf8'))
    } finally {
      closeSync(stdout)
    }
  })
}
