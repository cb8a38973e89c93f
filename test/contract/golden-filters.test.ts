/**
 * Random chains of filters as a real Logstash 8.19 ran them, row by row through the compiled pipeline. The
 * rows stand outside the repository; without them the test says that it skipped.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../support/canonical-json.ts'
import { check, eventOf, openPipeline } from '../support/in-process.ts'

interface Row {
  family: string
  ecs: 'disabled' | 'v1' | 'v8'
  filter: string
  /** JSON texts. */
  events: string[]
  /** For each event the JSON texts of the events that came out. */
  out?: string[][]
  refused?: 'configuration'
}

const file = new URL('../../../shared/conformance/filters-golden.jsonl', import.meta.url)
const rows: Row[] = existsSync(file)
  ? readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Row)
  : []

/** Share of rows that have to agree. */
const floor = 0.975

/**
 * Why a row may differ: what its text has in common with the others of its kind. All of them are in decision 26, or
 * belong to how the rows were recorded.
 */
const reasons: readonly { reason: string; filter: RegExp }[] = [
  {
    reason: 'the time of the run is in the event',
    filter: /event\.append\(e2\)/,
  },
  {
    reason: 'Time#iso8601 is there without require "time"',
    filter: /Time\.at\(0\)\.utc\.iso8601/,
  },
  {
    reason: 'csv stores below @metadata',
    filter: /csv \{[^}]*target => "\[@metadata\]\[c\]"/,
  },
  {
    reason: 'the recording kept its own marks in @metadata, or dropped events that it had not sent',
    filter: /"\[@metadata\]" => "a"|to_hash_with_metadata|new_event_block/,
  },
  {
    reason: 'Ruby shows a map, whose keys Logstash has in an order that changes with every start',
    filter:
      /inspect|to_json|json_encode|join => \{|sort_by|min_by|"#\{k\}=|mapping => \{ "arr"|"a" => "%\{BASE10NUM|"num" => \["%\{GREEDYDATA|%\{\[n\]\}|MURMUR3_128/,
  },
]

/** Texts that differ, or undefined when the row holds. */
async function difference(row: Row): Promise<string[] | undefined> {
  const settings = { 'pipeline.ecs_compatibility': row.ecs }
  const found = await check(`filter { ${row.filter} }`, settings)
  const errors = found.filter(({ severity }) => severity === 'error').map(({ message }) => message)
  if (row.out === undefined) return errors.length > 0 ? undefined : ['not refused']
  if (errors.length > 0) return ['refused', ...errors]
  const without = row.ecs === 'disabled' ? [] : ['host', 'event', '@version']
  const differences: string[] = []
  const pipeline = await openPipeline(row.filter, settings)
  for (const [index, event] of row.events.entries()) {
    const expected = row.out[index]!.map((text) => canonicalJson(text, without))
    let seen: string[]
    try {
      seen = (await pipeline.run([eventOf(event)])).map((out) => canonicalJson(out.toJson(), without))
    } catch (error) {
      seen = [`thrown: ${String(error)}`]
    }
    if (seen.join('\n') !== expected.join('\n')) {
      differences.push(
        `event    ${event}`,
        `expected ${expected.join('\n         ')}`,
        `seen     ${seen.join('\n         ')}`,
      )
    }
  }
  return differences.length === 0 ? undefined : differences
}

describe.skipIf(rows.length === 0)('filters beside a real Logstash', () => {
  it('agree on nearly all random chains', async () => {
    const families = new Map<string, { held: number; all: number }>()
    const report: string[] = []
    let held = 0
    const unexplained: string[] = []
    const explained = new Map<string, number[]>()
    for (const [index, row] of rows.entries()) {
      const family = families.get(row.family) ?? { held: 0, all: 0 }
      families.set(row.family, family)
      family.all++
      const found = await difference(row)
      if (found === undefined) {
        family.held++
        held++
        continue
      }
      const reason = reasons.find(({ filter }) => filter.test(row.filter))?.reason
      if (reason === undefined) unexplained.push(`${index} ${row.filter}\n${found.join('\n')}`)
      else explained.set(reason, [...(explained.get(reason) ?? []), index])
      report.push(`--- ${index} ${row.family} ${row.ecs}\n${row.filter}\n${found.join('\n')}\n`)
    }
    for (const [family, { held, all }] of families) console.log(`${family.padEnd(12)} ${held}/${all}`)
    console.log(`${'all'.padEnd(12)} ${held}/${rows.length}`)
    for (const [reason, indices] of explained)
      console.log(`${indices.length} rows: ${reason} (${indices.join(', ')})`)
    const path = process.env['MILLRACE_GOLDEN_REPORT']
    if (path !== undefined) writeFileSync(path, report.join('\n'))
    expect(held / rows.length).toBeGreaterThanOrEqual(floor)
    expect(unexplained).toEqual([])
  }, 300_000)
})
