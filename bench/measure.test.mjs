// What a run cost and how it ended. No figure is compared with a time: only with 0 and with another figure that
// must be the greater one.
import { expect, test } from 'vitest'
import { measure } from './measure.mjs'

const node = (code) => [process.execPath, '-e', code]
const timeLimitMs = 20_000

test('CPU time includes children that were waited for', async () => {
  const busy = 'const end = process.cpuUsage().user + 3e5; while (process.cpuUsage().user < end);'
  const parent = `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(busy)}])`
  const usage = await measure(node(parent), { timeLimitMs })
  expect(usage.failure).toBeUndefined()
  expect(usage.cpuUs).toBeGreaterThan(300_000)
  expect(usage.wallMs).toBeGreaterThan(0)
})

test('memory is the high-water mark, not what is left', async () => {
  const code = 'Buffer.alloc(200e6, 1); setTimeout(() => {}, 200)'
  const usage = await measure(node(code), { timeLimitMs })
  if (process.platform === 'linux') expect(usage.maxRssKb).toBeGreaterThan(200e6 / 1024)
})

test('an exit code other than 0 is a failure', async () => {
  const usage = await measure(node('process.exit(3)'), { timeLimitMs })
  expect(usage).toMatchObject({ exitCode: 3, failure: 'exit code 3' })
})

test('a command that cannot be started is a failure', async () => {
  const usage = await measure(['./no-such-program'], { timeLimitMs })
  expect(usage.failure).toBe('exit code 127')
})

test('the time limit ends a command that ignores SIGTERM', async () => {
  const usage = await measure(node(`process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`), {
    timeLimitMs: 500,
  })
  expect(usage).toMatchObject({ timedOut: true, failure: 'time limit reached' })
})

test('SIGTERM after the work is done is no failure', async () => {
  const usage = await measure(node('console.log(1); setInterval(() => {}, 1000)'), {
    timeLimitMs,
    stdout: 'pipe',
    during: ({ stdout }) => new Promise((resolve) => stdout.once('data', resolve)),
  })
  expect(usage.failure).toBeUndefined()
  expect(usage.cpuUs).toBeGreaterThan(0)
})

test('ending before the work is done is a failure', async () => {
  const usage = await measure(node('0'), { timeLimitMs, during: () => new Promise(() => {}) })
  expect(usage.failure).toBe('ended by itself with exit code 0')
})

test('work that fails kills the command', async () => {
  const usage = await measure(node('setInterval(() => {}, 1000)'), {
    timeLimitMs,
    during: () => Promise.reject(new Error('no lines')),
  })
  expect(usage.failure).toBe('no lines')
})
