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

/**
 * Share of rows that have to agree. What stays below: texts that Ruby makes of maps, whose keys Logstash has in an
 * order that changes with every start; marks of the harness in @metadata; the time of the run; and the differences
 * on purpose of decision 26.
 */
const floor = 0.975

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
    for (const [index, row] of rows.entries()) {
      const family = families.get(row.family) ?? { held: 0, all: 0 }
      families.set(row.family, family)
      family.all++
      const found = await difference(row)
      if (found === undefined) {
        family.held++
        held++
      } else report.push(`--- ${index} ${row.family} ${row.ecs}\n${row.filter}\n${found.join('\n')}\n`)
    }
    for (const [family, { held, all }] of families) console.log(`${family.padEnd(12)} ${held}/${all}`)
    console.log(`${'all'.padEnd(12)} ${held}/${rows.length}`)
    const path = process.env['MILLRACE_GOLDEN_REPORT']
    if (path !== undefined) writeFileSync(path, report.join('\n'))
    expect(held / rows.length).toBeGreaterThanOrEqual(floor)
  }, 300_000)
})
