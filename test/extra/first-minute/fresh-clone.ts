/** A clone of the committed state in an empty folder, whose path has a blank in it; made once for all tests of a run. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export interface FreshClone {
  /** Holds the clone and whatever else a test needs; readable by everybody. */
  readonly folder: string
  readonly clone: string
  remove(): void
}

export function freshClone(): FreshClone {
  const source = resolve('.')
  if (execFileSync('git', ['status', '--porcelain'], { cwd: source, encoding: 'utf8' }) !== '') {
    console.log('first-minute: the working tree has changes; what is tested is the last commit.')
  }
  const folder = mkdtempSync(join(tmpdir(), 'millrace first minute '))
  chmodSync(folder, 0o755)
  const clone = join(folder, 'millrace')
  execFileSync('git', ['clone', '--quiet', '--no-local', source, clone])
  return { folder, clone, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
