/** Process groups of commands that inputs run: the command and all that it started. */
import type { ChildProcess } from 'node:child_process'

/** Asks a process that leads a group of its own, and all it has started, to end. */
export function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // It is over already.
  }
}
