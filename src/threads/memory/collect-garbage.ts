/**
 * Lets go of memory that is shared between threads. V8 does not count such memory when it decides whether collecting
 * is worth it, so a thread that has just dropped much of it has to ask. Costs a few milliseconds; does nothing where
 * the runtime does not let us.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: (() => void) | undefined

export function collectGarbage(): void {
  collect ??= collector()
  collect()
}

function collector(): () => void {
  try {
    setFlagsFromString('--expose-gc')
    const gc: unknown = runInNewContext('gc')
    return typeof gc === 'function' ? () => void gc() : () => {}
  } catch {
    return () => {}
  }
}
