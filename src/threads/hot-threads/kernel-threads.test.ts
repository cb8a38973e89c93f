import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type KernelThread, readKernelThreads } from './kernel-threads.ts'
import { nativeNames } from './native-threads.ts'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** stat with user and system ticks in fields 14 and 15. */
function stat(name: string, state: string, user: number, system: number): string {
  return `7 (${name}) ${state} 1 2 3 4 5 6 7 8 9 10 ${user} ${system} 0 0 20 0`
}

function tasks(files: Record<string, { stat?: string; schedstat?: string }>): string {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-tasks-'))
  folders.push(folder)
  for (const [id, { stat: text, schedstat }] of Object.entries(files)) {
    mkdirSync(join(folder, id))
    if (text !== undefined) writeFileSync(join(folder, id, 'stat'), text)
    if (schedstat !== undefined) writeFileSync(join(folder, id, 'schedstat'), schedstat)
  }
  return folder
}

describe('threads of the kernel', () => {
  it('are read with nanoseconds', () => {
    const folder = tasks({ 12: { stat: stat('odd ) (name', 'S', 3, 4), schedstat: '123456 789 10\n' } })
    expect([...readKernelThreads(folder).values()]).toEqual([
      { id: 12, name: 'odd ) (name', state: 'S', cpuNanos: 123456, queuedNanos: 789 },
    ])
  })

  it('are read with ticks where there are no nanoseconds', () => {
    const folder = tasks({
      5: { stat: stat('node', 'R', 3, 4) },
      6: { stat: stat('node', 'D', 1, 0), schedstat: '0 0 0' },
    })
    expect([...readKernelThreads(folder).values()].map(({ cpuNanos }) => cpuNanos)).toEqual([70e6, 10e6])
  })

  it('are left out when they end meanwhile, and none where there is no such folder', () => {
    expect(readKernelThreads(tasks({ 9: {} })).size).toBe(0)
    expect(readKernelThreads('/nonexistent/task').size).toBe(0)
  })
})

describe('threads without JavaScript', () => {
  const thread = (id: number, name = 'node'): KernelThread => ({
    id,
    name,
    state: 'S',
    cpuNanos: 0,
    queuedNanos: 0,
  })
  const named = (threads: KernelThread[], args: string[] = []) =>
    [...nativeNames(threads, args).values()].map(({ name, kind }) => `${name} ${kind}`)

  it('are known by their order', () => {
    expect(named([1, 2, 3, 4, 5, 6, 7, 8].map((id) => thread(id + 1e6)))).toEqual([
      'v8-platform-0 v8',
      'v8-platform-1 v8',
      'v8-platform-2 v8',
      'v8-platform-3 v8',
      'v8-platform-4 v8',
      'signal-inspector other',
      'libuv-worker-0 libuv',
      'libuv-worker-1 libuv',
    ])
    expect(
      named(
        [1, 2, 3].map((id) => thread(id + 1e6)),
        ['--v8-pool-size=0'],
      ),
    ).toEqual(['v8-platform-0 v8', 'signal-inspector other', 'libuv-worker-0 libuv'])
  })

  it('are known by their own names where they have some', () => {
    expect(
      named([thread(1e6, 'libuv-worker'), thread(2e6, 'V8Worker'), thread(3e6, 'SignalInspector')]),
    ).toEqual(['libuv-worker-0 libuv', 'v8-platform-0 v8', 'signal-inspector other'])
  })
})
