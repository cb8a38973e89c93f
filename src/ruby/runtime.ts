/**
 * What running Ruby code shares: the last match, the time it has left, where `puts` writes. Ruby code never
 * waits for anything asynchronous, so one record per thread is enough.
 */
import type { RubyException } from './errors.ts'
import type { RubyMatch } from './regexp.ts'
import { RubyStop } from './ruby-stop.ts'

export const runtime = {
  /** `$~` */
  match: null as RubyMatch | null,
  /** Whether some program of this thread reads `$~` or what follows from it. */
  readsMatch: false,
  /** `$!` */
  error: null as RubyException | null,
  /** Line of the statement that runs. */
  line: 0,
  /** Loop turns and calls since the event arrived. */
  turns: 0,
  deadline: 0,
  /** Milliseconds one event may keep the code busy. */
  budget: 30_000,
  depth: 0,
  print: (text: string): void => {
    process.stdout.write(text)
  },
}

export function startClock(): void {
  runtime.turns = 0
  runtime.deadline = 0
  runtime.depth = 0
}

/** Called on every turn of a loop and every call of a block or method. */
export function tick(): void {
  if ((++runtime.turns & 1023) === 0) checkClock()
}

/** The clock starts with the first look: events that do little never pay for one. */
export function checkClock(): void {
  const now = performance.now()
  if (runtime.deadline === 0) runtime.deadline = now + runtime.budget
  else if (now > runtime.deadline) {
    throw new RubyStop(`execution of the ruby code took longer than ${runtime.budget / 1000} seconds`)
  }
}
