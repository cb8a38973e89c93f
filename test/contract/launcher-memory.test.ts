/** The launcher starts the program again with settings of the C library, once, where Node.js can do that. */
import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { Millrace, type MillraceOptions } from '../support/millrace.ts'

const names = ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_']
/** Whether the Node.js of this test, which runs the program too, has `execve`. */
const canStartAgain = 'execve' in process && process.platform === 'linux'

let millrace: Millrace
afterEach(() => millrace.dispose())

async function allocatorOf(options: MillraceOptions): Promise<Record<string, string>> {
  millrace = await Millrace.start({
    config: 'input { stdin { } } output { stdout { codec => line } }',
    ...options,
  })
  await millrace.untilStarted()
  const environment = readFileSync(`/proc/${millrace.pid}/environ`, 'utf8').split('\0')
  return Object.fromEntries(
    environment
      .map((entry) => entry.split('=', 2) as [string, string])
      .filter(([name]) => names.includes(name)),
  )
}

describe.runIf(process.platform === 'linux')('the launcher', () => {
  it('tells the C library to give memory back where memory is limited', async () => {
    const found = await allocatorOf({ args: ['--memory.limit', '400mb'] })
    expect(Object.keys(found).sort()).toEqual(canStartAgain ? names : [])
    // It is still the process that was started, with its standard input.
    millrace.write('after all\n')
    await millrace.until('after all')
  })

  it('leaves alone what somebody has set', async () => {
    const env = { MALLOC_ARENA_MAX: '7' }
    expect(await allocatorOf({ args: ['--memory.limit', '400mb'], env })).toEqual(env)
  })

  it('does not start twice where there is memory enough', async () => {
    expect(await allocatorOf({})).toEqual({})
  })
})
