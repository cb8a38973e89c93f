/**
 * Makes sure that the program under test is built. Test files run in parallel: the one that gets the
 * lock folder builds, the others wait for its end. `MILLRACE_BINARY` names another build to test.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const complete = join(root, 'dist', '.complete')
const lock = join(root, 'node_modules', '.millrace-test-build')
const buildLimit = 120_000

export const binary = process.env['MILLRACE_BINARY'] ?? join(root, 'bin', 'millrace.js')

export async function ensureBuilt(): Promise<void> {
  if (process.env['MILLRACE_BINARY'] !== undefined) return
  const end = Date.now() + buildLimit
  while (!existsSync(complete)) {
    if (takeLock()) {
      try {
        execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'pipe', timeout: buildLimit })
      } finally {
        rmdirSync(lock)
      }
    } else {
      if (Date.now() > end) throw new Error('the build does not come to an end; run `npm run build`')
      await wait(100)
    }
  }
}

function takeLock(): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}
