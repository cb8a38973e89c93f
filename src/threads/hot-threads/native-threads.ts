/**
 * Names for threads that run no JavaScript. Newer Node.js names them itself; before that their order tells: the
 * platform of V8 starts before anything else, one scheduler and its pool, then the thread that waits for a
 * signal to open the debugger, and whatever comes later is libuv's pool.
 */
import type { KernelThread } from './kernel-threads.ts'

export type ThreadKind = 'js' | 'libuv' | 'v8' | 'other'

const ownNames: readonly (readonly [pattern: RegExp, kind: ThreadKind])[] = [
  [/^libuv-worker/, 'libuv'],
  [/^(?:V8Worker|DelayedTaskSche)/, 'v8'],
  [/^SignalInspector/, 'other'],
]
const defaultPool = 4

export function nativeNames(
  threads: readonly KernelThread[],
  args: readonly string[] = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/)],
): Map<number, { name: string; kind: ThreadKind }> {
  const names = new Map<number, { name: string; kind: ThreadKind }>()
  const counts = { v8: 0, libuv: 0 }
  const platform = poolSize(args) + 1
  const inOrder = [...threads].filter(({ id }) => id !== process.pid).sort((a, b) => a.id - b.id)
  inOrder.forEach((thread, index) => {
    const told = ownNames.find(([pattern]) => pattern.test(thread.name))?.[1]
    const kind = told ?? (index < platform ? 'v8' : index === platform ? 'other' : 'libuv')
    if (kind === 'v8') names.set(thread.id, { name: `v8-platform-${counts.v8++}`, kind })
    else if (kind === 'libuv') names.set(thread.id, { name: `libuv-worker-${counts.libuv++}`, kind })
    else names.set(thread.id, { name: 'signal-inspector', kind })
  })
  return names
}

function poolSize(args: readonly string[]): number {
  const given = args
    .map((arg) => /^--v8-pool-size=(\d+)$/.exec(arg)?.[1])
    .findLast((size) => size !== undefined)
  return given === undefined ? defaultPool : Number(given)
}
