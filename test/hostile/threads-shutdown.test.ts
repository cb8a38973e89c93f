/** Whatever hangs, a SIGTERM ends the program within `shutdown.stall_limit`, and a second one at once. */
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { lethalArgs, lethalFiles } from '../support/lethal.ts'
import { freePort, IN, jsonLines, Millrace, type MillraceOptions, OUT } from '../support/millrace.ts'

const running: { dispose(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of running.splice(0)) await one.dispose()
})

async function start(options: MillraceOptions): Promise<Millrace> {
  const millrace = await Millrace.start({
    ...options,
    files: { ...lethalFiles, ...options.files },
    settings: options.settings ?? 'shutdown.stall_limit: 2s\n',
    args: lethalArgs,
  })
  running.push(millrace)
  return millrace
}

/** Two seconds of the limit, a second until the first report, and as much again for a slow machine. */
const bound = 12_000

describe('SIGTERM ends the program', () => {
  it('while a filter is in an endless loop', async () => {
    const millrace = await start({ config: `${IN} filter { lethal { where => "host" } } ${OUT}` })
    await millrace.untilStarted()
    millrace.write(jsonLines({ message: 'loop' }))
    await wait(300)
    millrace.signal('SIGTERM')
    expect(await millrace.exit(bound)).toEqual({ code: 1, signal: null })
    expect(millrace.stdout).toContain('Logstash shut down.')
  })

  it('while an output cannot deliver and standard input is blocked', async () => {
    const nobody = await freePort()
    const config = `${IN} output { tcp { host => "127.0.0.1" port => ${nobody} reconnect_interval => 1 } }`
    const millrace = await start({ config })
    await millrace.untilStarted()
    millrace.write(jsonLines(...Array.from({ length: 20_000 }, (_, n) => ({ n, text: 'x'.repeat(100) }))))
    await wait(300)
    millrace.signal('SIGTERM')
    expect(await millrace.exit(bound)).toEqual({ code: 1, signal: null })
  })

  it('while an input never stops', async () => {
    const millrace = await start({ config: `input { lethal { death => "hang" } } ${OUT}` })
    await millrace.untilStarted()
    millrace.signal('SIGTERM')
    expect(await millrace.exit(bound)).toEqual({ code: 1, signal: null })
  })

  it.each(['hang', 'loop'])('while a plugin has not come up yet (%s)', async (death) => {
    const millrace = await start({
      config: `input { lethal { death => "${death}" register => true } } ${OUT}`,
    })
    await millrace.until('Starting pipeline')
    await wait(300)
    millrace.signal('SIGTERM')
    expect(await millrace.exit(bound)).toEqual({ code: 1, signal: null })
  })

  it('while the store waits for a thread that writes a segment and does not', async () => {
    const millrace = await start({
      config: `${IN} output { millrace { index => "events" } }`,
      files: {
        'block.cjs': `
          const { isMainThread } = require('node:worker_threads')
          const idle = new Int32Array(new SharedArrayBuffer(4))
          if (!isMainThread) setInterval(() => {
            if (String(process.argv[1]).endsWith('merge.js')) Atomics.wait(idle, 0, 0)
          }, 1).unref()`,
      },
      env: { NODE_OPTIONS: '--require ./block.cjs' },
      search: true,
    })
    await millrace.untilStarted()
    await millrace.untilSearchable()
    millrace.write(jsonLines(...Array.from({ length: 2000 }, (_, n) => ({ n }))))
    await wait(1000)
    millrace.signal('SIGTERM')
    expect(await millrace.exit(bound)).toMatchObject({ signal: null })
  })

  it.skipIf(process.platform === 'win32')(
    'while a thread is in a system call that does not return',
    async () => {
      const millrace = await start({
        config: `${IN} ${OUT}`,
        files: {
          'block.cjs': `
          const { execFileSync } = require('node:child_process')
          const { isMainThread } = require('node:worker_threads')
          if (isMainThread && process.send === undefined) execFileSync('mkfifo', ['pipe'])
          else if (!isMainThread) require('node:fs').open('pipe', 'w', () => undefined)`,
        },
        env: { NODE_OPTIONS: '--require ./block.cjs' },
      })
      await millrace.untilStarted()
      millrace.write(jsonLines({ message: 'one' }))
      await millrace.until(() => millrace.eventLines().length === 1)
      millrace.signal('SIGTERM')
      // `process.exit` would wait for that thread; the signal does not.
      expect(await millrace.exit(bound)).toEqual({ code: null, signal: 'SIGTERM' })
      expect(millrace.stdout).toContain('Logstash shut down.')
      expect(millrace.stdout).toContain('the process ends by a signal')
    },
  )

  it('at once when it comes a second time', async () => {
    const millrace = await start({
      config: `${IN} filter { lethal { where => "host" } } ${OUT}`,
      settings: 'shutdown.stall_limit: 60s\n',
    })
    await millrace.untilStarted()
    millrace.write(jsonLines({ message: 'loop' }))
    await wait(300)
    millrace.signal('SIGTERM')
    await millrace.until('SIGTERM received. Shutting down.')
    await wait(300)
    expect(millrace.running).toBe(true)
    millrace.signal('SIGTERM')
    expect(await millrace.exit(3000)).toEqual({ code: 1, signal: null })
    expect(millrace.stdout).toContain('SIGTERM received. Terminating immediately..')
  })
})
