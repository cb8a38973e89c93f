/**
 * Runs a search under a clock. A `vm` script with a time limit is the one thing that stops V8 inside a
 * regular expression; arming the limit costs a quarter of a millisecond, so only searches come here that
 * have already used up their backtracks.
 */
import type { Script } from 'node:vm'

interface Sandbox {
  job: (() => unknown) | null
}

let sandbox: Sandbox | undefined
let script: Script | undefined

/** The limit was reached. Callers turn it into a `PatternTimeout` that names the pattern. */
export class TimeLimitReached extends Error {
  override readonly name = 'TimeLimitReached'
}

/** Returns what `job` returns, or throws `TimeLimitReached` after `timeout` ms; 0 means no limit. */
export function runWithin<T>(timeout: number, job: () => T): T {
  if (timeout <= 0) return job()
  if (sandbox === undefined || script === undefined) {
    const vm = process.getBuiltinModule('node:vm')
    sandbox = vm.createContext({ job: null }) as Sandbox
    script = new vm.Script('job()')
  }
  sandbox.job = job
  try {
    return script.runInContext(sandbox, { timeout: Math.max(1, Math.ceil(timeout)) }) as T
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new TimeLimitReached()
    throw error
  } finally {
    sandbox.job = null
  }
}
