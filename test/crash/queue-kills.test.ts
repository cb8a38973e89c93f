/** A process with a queue under load, killed again and again: what it acknowledged to its senders is there. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { idsOf, openQueue, takeAll } from '../../src/queue/persisted/test-queue.ts'
import { diskFiles } from '../../src/storage/files.ts'
import { seededRandom } from '../../src/storage/simulated-disk.ts'

const rounds = 12
const folder = mkdtempSync(join(tmpdir(), 'millrace-queue-'))
const program = join(folder, 'writer.mjs')

beforeAll(async () => {
  const input = fileURLToPath(new URL('./queue-writer.ts', import.meta.url))
  const bundle = await rolldown({ input, platform: 'node' })
  await bundle.write({ file: program, format: 'esm' })
  await bundle.close()
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the process said until it was killed, a while after its first line. */
async function run(directory: string, first: number, milliseconds: number): Promise<string[]> {
  const child = spawn(process.execPath, [program, directory, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  let isStarted = false
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    if (isStarted) return
    isStarted = true
    setTimeout(() => child.kill('SIGKILL'), milliseconds)
  })
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.on('close', (...ended) => resolve(ended))
  })
  expect([code, signal]).toEqual([null, 'SIGKILL'])
  return text.split('\n').slice(0, text.endsWith('\n') ? undefined : -1)
}

describe('a queue whose process is killed', () => {
  it('has every event it acknowledged to a sender and no output took', async () => {
    const random = seededRandom(7)
    const directory = join(folder, 'q')
    const pushed = new Set<number>()
    const taken = new Set<number>()
    let first = 0
    for (let round = 0; round < rounds; round++) {
      for (const line of await run(directory, first, 20 + random() * 200)) {
        const [word, ...numbers] = line.split(' ')
        if (word === 'pushed') for (const number of numbers) pushed.add(Number(number))
        else if (word === 'taken') for (const number of numbers) taken.add(Number(number))
        else expect(line).toMatch(/^$|^info .* ends with \d+ bytes of a write that a crash cut off/)
      }
      first = Math.max(first, ...pushed) + 1000
    }
    expect(pushed.size).toBeGreaterThan(100 * rounds)
    const { queue } = await openQueue(diskFiles, {}, { padding: 196, directory })
    const found = new Set(idsOf(takeAll(queue)))
    expect([...pushed].filter((id) => !found.has(id) && !taken.has(id))).toEqual([])
    expect([queue.counters.lostEvents, queue.counters.corruptRecords]).toEqual([0, 0])
    // What was acknowledged by the reader is known up to the last call.
    expect([...taken].filter((id) => found.has(id)).length).toBeLessThanOrEqual(4 * 4 * rounds)
    await queue.close()
  })
})
