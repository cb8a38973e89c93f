/**
 * A memory cgroup around the program under test, of version 1 or 2, whichever the machine has: what goes past the limit
 * is killed by the kernel, so that "bounded" is proved and not only measured. Needs root; `create` gives the reason when
 * there is none to be had.
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const root = '/sys/fs/cgroup'

interface Version {
  readonly parent: string
  readonly limit: string
  readonly peak: string
  /** Holds a line `oom_kill N`. */
  readonly kills: string
}

const first: Version = {
  parent: join(root, 'memory'),
  limit: 'memory.limit_in_bytes',
  peak: 'memory.max_usage_in_bytes',
  kills: 'memory.oom_control',
}
const second: Version = { parent: root, limit: 'memory.max', peak: 'memory.peak', kills: 'memory.events' }

let made = 0

export class MemoryCgroup {
  readonly #path: string
  readonly #version: Version

  private constructor(path: string, version: Version) {
    this.#path = path
    this.#version = version
  }

  /** The reason as text when the machine or the user's rights do not allow one. */
  static create(limitBytes: number): MemoryCgroup | string {
    if (process.platform !== 'linux') return 'no cgroups on this system'
    if (process.getuid?.() !== 0) return 'a memory cgroup needs root'
    const version = existsSync(join(first.parent, first.limit)) ? first : second
    const path = join(version.parent, `millrace-test-${process.pid}-${++made}`)
    try {
      if (version === second) writeFileSync(join(root, 'cgroup.subtree_control'), '+memory')
      mkdirSync(path)
      writeFileSync(join(path, version.limit), String(limitBytes))
    } catch (error) {
      return `no memory cgroup: ${(error as Error).message}`
    }
    return new MemoryCgroup(path, version)
  }

  /** What to put before a command so that it runs inside; its process number stays that of the command. */
  get wrapper(): string[] {
    return ['sh', '-c', `echo $$ > ${join(this.#path, 'cgroup.procs')} && exec "$@"`, 'sh']
  }

  /** Highest use so far in bytes, the page cache of the group's files included. */
  get peakBytes(): number {
    return Number(this.#read(this.#version.peak))
  }

  /** How many processes the kernel killed for memory. */
  get kills(): number {
    return Number(/^oom_kill (\d+)/m.exec(this.#read(this.#version.kills))?.[1] ?? 0)
  }

  #read(name: string): string {
    try {
      return readFileSync(join(this.#path, name), 'utf8')
    } catch {
      return ''
    }
  }

  /** Once its processes have ended; the kernel may take a moment to notice. */
  async remove(): Promise<void> {
    for (let attempt = 0; attempt < 50 && existsSync(this.#path); attempt++) {
      try {
        rmdirSync(this.#path)
      } catch {
        await wait(100)
      }
    }
  }
}
