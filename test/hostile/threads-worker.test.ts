/**
 * Worker threads that end: they are replaced, their batches run again, and only an event that ends every worker it is
 * given to is given up. Everything else comes out, and the program goes on.
 */
import type { Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { lethalArgs, lethalFiles, smallHeaps } from '../support/lethal.ts'
import { freePort, type Json, Millrace, OUT } from '../support/millrace.ts'
import { open } from '../support/tcp.ts'

const running: { dispose(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of running.splice(0)) await one.dispose()
})

const stats = '/_node/stats/pipelines/main'

interface Extras {
  workers: { events: number }[]
  threads: { worker_restarts: number; given_up_events: number; last_reason: string | null }
}

function extrasOf(body: Json): Extras | undefined {
  return (body as { pipelines?: { main?: { ext: Extras } } }).pipelines?.main?.ext
}

async function start() {
  const port = await freePort()
  const millrace = await Millrace.start({
    config: `input { tcp { host => "127.0.0.1" port => ${port} } } filter { lethal { id => "killer" } } ${OUT}`,
    files: lethalFiles,
    args: [...lethalArgs, '-w', '2'],
    env: smallHeaps,
    api: true,
  })
  running.push(millrace)
  await millrace.untilStarted()
  const socket = await open(port)
  running.push({ dispose: async () => void socket.destroy() })
  return { millrace, socket }
}

const eventsOfSecond = (body: Json) => extrasOf(body)?.workers[1]?.events ?? 0

/** Makes work until the second worker runs, and waits until all of it is done: it gets the next batch. */
async function useSecondWorker(millrace: Millrace, socket: Socket): Promise<void> {
  const before = eventsOfSecond(await millrace.api(stats))
  let rest = millrace.eventLines().length
  // Enough to keep the host thread busy, never more than it can do soon.
  const timer = setInterval(() => {
    if (rest - millrace.eventLines().length > 200) return
    socket.write('slow\n'.repeat(200))
    rest += 200
  }, 50)
  await millrace.apiUntil(stats, (body) => eventsOfSecond(body) > before, 60_000)
  clearInterval(timer)
  await millrace.until(() => millrace.eventLines().length === rest)
}

function counts(millrace: Millrace): Map<unknown, number> {
  const found = new Map<unknown, number>()
  for (const { message } of millrace.events())
    if (message !== 'slow') found.set(message, (found.get(message) ?? 0) + 1)
  return found
}

describe('a worker thread that dies', () => {
  it('of a timer costs no event, of a full heap only the event that filled it', async () => {
    const { millrace, socket } = await start()
    await useSecondWorker(millrace, socket)
    const restarts = (count: number) =>
      millrace.apiUntil(stats, (now) => (extrasOf(now)?.threads.worker_restarts ?? 0) >= count, 40_000)
    socket.write('one\ntimer\ntwo\n')
    await restarts(1)
    expect(millrace.stdout).toMatch(/A worker thread of the pipeline ended and is started again.*backtrace/)
    expect([...counts(millrace)]).toEqual([
      ['one', 1],
      ['timer', 1],
      ['two', 1],
    ])
    await useSecondWorker(millrace, socket)

    const lines = Array.from({ length: 60 }, (_, n) => (n === 40 ? 'heap' : `line ${n}`))
    socket.write(`${lines.join('\n')}\n`)
    const body = await millrace.apiUntil(stats, (now) => extrasOf(now)?.threads.given_up_events === 1, 80_000)
    const { threads } = extrasOf(body)!
    expect(threads.worker_restarts).toBe(4)
    expect(threads.last_reason).toMatch(/memory limit/)
    await millrace.until('"line 59"')
    socket.write('after\n')
    await millrace.until('"after"')
    const found = counts(millrace)
    const expected = ['one', 'timer', 'two', ...lines, 'after'].filter((line) => line !== 'heap')
    expect([...found.keys()].sort()).toEqual(expected.sort())
    // No output had seen the batch: nothing comes twice.
    for (const line of lines) if (line !== 'heap') expect(found.get(line)).toBe(1)
    expect(millrace.stdout).toMatch(
      /\[ERROR\]\[logstash\.javapipeline *\]\[main\] An event was given up because it ended every worker thread that had it \{.*:plugin=>"lethal", :plugin_id=>"killer", :bytes=>4\}/,
    )
    const health = (await millrace.api('/_health_report')) as { status: string; indicators: unknown }
    expect(health.status).toBe('yellow')
    expect(JSON.stringify(health.indicators)).toContain('workers:diagnosis:5m-worker-lost')
    // The host thread was never at risk, and neither was its connection.
    expect(millrace.stdout.split('Pipeline started').length).toBe(2)
    expect(socket.destroyed).toBe(false)
    millrace.signal('SIGTERM')
    expect(await millrace.exit()).toEqual({ code: 0, signal: null })
  }, 180_000)
})
