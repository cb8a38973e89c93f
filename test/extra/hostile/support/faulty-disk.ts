/** Disks that fail when the test says so: a small tmpfs that fills up, and a library that fails single system calls. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export interface SmallDisk {
  readonly folder: string
  /** Takes all the room that is left. */
  fill(): void
  free(): void
  remove(): void
}

/** Needs root. */
export function smallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-small-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  const filler = join(folder, 'filler')
  return {
    folder,
    fill: () => void spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k'], { stdio: 'ignore' }),
    free: () => rmSync(filler, { force: true }),
    remove() {
      // Lazily: a process that was ended a moment ago may still hold a file.
      spawnSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export interface FaultyCalls {
  readonly folder: string
  readonly env: Record<string, string>
  /** Lines such as `fsync 5`: from now on these calls fail with that errno. */
  fail(...lines: string[]): void
  mend(): void
  remove(): void
}

/** Undefined where there is no compiler. */
export function faultyCalls(): FaultyCalls | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-faulty-calls-'))
  const library = join(folder, 'disk-faults.so')
  const source = resolve('test/extra/hostile/support/disk-faults.c')
  if (spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl']).status !== 0)
    return undefined
  const control = join(folder, 'control')
  return {
    folder,
    env: { LD_PRELOAD: library, DISK_FAULTS: control, DISK_FAULTS_UNDER: join(folder, 'run') },
    fail: (...lines) => writeFileSync(control, `${lines.join('\n')}\n`),
    mend: () => rmSync(control, { force: true }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
