/** The operating system and the runtime, in the words of a Java process. */
import { arch, availableParallelism, release, type } from 'node:os'
import type { Body } from '../envelope.ts'
import type { MemoryReadings } from './memory-readings.ts'

const startedAt = Math.trunc(Date.now() - process.uptime() * 1000)

export function startTime(): number {
  return startedAt
}

export function osInfo(): Body {
  return {
    name: nameOf(type(), release()),
    arch: architectureOf(arch(), type()),
    version: release(),
    available_processors: availableParallelism(),
  }
}

/** Java's names. */
export function nameOf(system: string, version: string): string {
  if (system === 'Darwin') return 'Mac OS X'
  if (system !== 'Windows_NT') return system
  return `Windows ${Number(version.split('.')[2]) >= 22_000 ? '11' : '10'}`
}

export function architectureOf(name: string, system: string): string {
  if (name === 'arm64') return 'aarch64'
  if (name !== 'x64') return name
  return system === 'Darwin' ? 'x86_64' : 'amd64'
}

export function jvmInfo(memory: MemoryReadings): Body {
  return {
    pid: process.pid,
    version: process.versions.node,
    vm_version: process.versions.v8,
    vm_vendor: 'Node.js',
    vm_name: 'V8',
    start_time_in_millis: startedAt,
    mem: {
      heap_init_in_bytes: memory.initial.committed,
      heap_max_in_bytes: memory.limit,
      non_heap_init_in_bytes: 0,
      non_heap_max_in_bytes: 0,
    },
    gc_collectors: ['Scavenge', 'Mark-Compact'],
  }
}
