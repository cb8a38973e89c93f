/**
 * One row of the tables of attacks: a test that prints what was wanted and what was seen, whether it passes or fails. Rows
 * are gathered in `.tmp/hostile/table.md`. `MILLRACE_SLACK=3` multiplies limits in time on machines that do other work.
 */
import { appendFileSync, mkdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { Victim, type VictimOptions } from './victim.ts'

export const slack = Number(process.env['MILLRACE_SLACK'] ?? 1)
const folder = '.tmp/hostile'
const testLimit = 180_000

export interface Row {
  id: string
  attack: string
  wanted: string
}

/** What a test finds, and whether that is good enough. */
export interface Seen {
  figures: string
  holds: boolean
}

export interface Attack {
  /** Starts the program in its cgroup; ended with the test. */
  start(options?: VictimOptions): Promise<Victim>
  /** Runs at the end of the test, last added first. */
  cleanup(action: () => unknown): void
}

export function attack(row: Row, run: (attack: Attack) => Promise<Seen>, limit = testLimit): void {
  it(
    `${row.id} ${row.attack}: ${row.wanted}`,
    async () => {
      const cleanups: (() => unknown)[] = []
      const victims: Victim[] = []
      let seen: Seen
      try {
        seen = await run({
          async start(options = {}) {
            const victim = await Victim.start(options)
            victims.push(victim)
            cleanups.push(() => victim.dispose())
            return victim
          },
          cleanup: (action) => cleanups.push(action),
        })
      } catch (error) {
        const { message } = error as Error
        const reason = /\[FATAL\]\S*\s*(.*)/.exec(message)?.[1] ?? ''
        seen = { figures: `${message.split('\n')[0]!} ${reason}`.slice(0, 300).trim(), holds: false }
      }
      const killed = victims.some((victim) => victim.wasKilled)
      if (!seen.holds || killed) for (const victim of victims) console.log(victim.lastWords())
      for (const action of cleanups.reverse()) await action()
      const figures = `${seen.figures}${killed ? '; KILLED BY THE KERNEL FOR MEMORY' : ''}`
      const verdict = seen.holds && !killed ? 'holds' : 'BROKEN'
      print(`| ${row.id} | ${row.attack} | ${row.wanted} | ${figures} | ${verdict} |`)
      expect({ figures, verdict }).toEqual({ figures, verdict: 'holds' })
    },
    limit,
  )
}

/** A row that cannot be tried on this machine is named, never passed over in silence. */
export function cannotTry(row: Row, reason: string): void {
  it.skip(`${row.id} ${row.attack}: skipped, ${reason}`, () => {})
  print(`| ${row.id} | ${row.attack} | ${row.wanted} | ${reason} | skipped |`)
}

function print(line: string): void {
  mkdirSync(folder, { recursive: true })
  appendFileSync(`${folder}/table.md`, `${line}\n`)
  console.log(line)
}

/** All of the conditions, each with its name, its figure and whether that is within its limit. */
export function all(conditions: Record<string, [figure: string | number | boolean, holds: boolean]>): Seen {
  const figures = Object.entries(conditions)
    .map(([name, [figure, holds]]) => `${name} ${shown(figure)}${holds ? '' : ' (!)'}`)
    .join(', ')
  return { figures, holds: Object.values(conditions).every(([, holds]) => holds) }
}

function shown(figure: string | number | boolean): string {
  return typeof figure === 'number' ? String(Math.round(figure * 10) / 10) : String(figure)
}
