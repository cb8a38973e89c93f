/**
 * Every condition of the golden table through a compiled pipeline. The rows of one expression run as one
 * batch, so that an event that cannot be evaluated is seen to take no neighbour with it.
 */
import { describe, expect, it } from 'vitest'
import { type ConditionRow, golden } from '../support/golden.ts'
import { check, eventOf, openPipeline } from '../support/in-process.ts'

const mark = (branch: string) => `mutate { add_field => { "[@metadata][branch]" => "${branch}" } }`
const filters = (expr: string) => `if ${expr} { ${mark('T')} } else { ${mark('F')} }`

const groups = new Map<string, ConditionRow[]>()
for (const row of golden.conditions) groups.set(row.expr, [...(groups.get(row.expr) ?? []), row])

const refused = [...groups].filter(([, rows]) => rows.some(({ result }) => result === 'config_error'))
const accepted = [...groups].filter(([, rows]) => rows.every(({ result }) => result !== 'config_error'))

/** Where each row went: true, false, or dropped. */
async function outcomes(
  expr: string,
  rows: ConditionRow[],
): Promise<{ went: unknown[]; warnings: string[] }> {
  const pipeline = await openPipeline(filters(expr))
  const events = rows.map(({ event }, index) => {
    const made = eventOf(event)
    made.set('[@metadata][row]', index)
    return made
  })
  const went: unknown[] = rows.map(() => 'dropped')
  for (const event of await pipeline.run(events)) {
    went[event.get('[@metadata][row]') as number] = event.get('[@metadata][branch]') === 'T'
  }
  return { went, warnings: pipeline.warnings }
}

describe('conditions in a pipeline', () => {
  it('has the whole table', () => {
    expect(golden.conditions.length).toBeGreaterThan(400)
    expect(refused.length).toBeGreaterThan(0)
  })

  it.each(accepted)('%s', async (expr, rows) => {
    const { went, warnings } = await outcomes(expr, rows)
    const expected = rows.map(({ result }, i) => {
      if (result === 'eval_error') return 'dropped'
      // Logstash stops with a null pointer here; false or dropped will do, stopping will not.
      return result === 'crash' ? expect.toSatisfy(() => went[i] !== true) : result
    })
    expect(went).toEqual(expected)
    const dropped = went.filter((branch) => branch === 'dropped').length
    const told = warnings.filter((text) =>
      text.endsWith("Event was dropped, enable debug logging to see the event's payload"),
    )
    expect(told).toHaveLength(dropped)
  })

  it.each(refused)('%s is refused by the check', async (expr, rows) => {
    expect(rows.every(({ result }) => result === 'config_error')).toBe(true)
    const found = await check(`filter { ${filters(expr)} }`)
    expect(found.filter(({ severity }) => severity === 'error')).not.toEqual([])
  })
})
