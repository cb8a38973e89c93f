/**
 * Host threads that end: only their pipeline is down, and only for a moment. What was in its memory is counted, the
 * health report says why, and other pipelines and their connections do not notice.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { lethalArgs, lethalFiles, smallHeaps } from '../support/lethal.ts'
import { freePort, type Json, Millrace, type MillraceOptions, OUT } from '../support/millrace.ts'
import { open } from '../support/tcp.ts'

const running: { dispose(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of running.splice(0)) await one.dispose()
})

async function start(options: MillraceOptions): Promise<Millrace> {
  const millrace = await Millrace.start({
    ...options,
    files: lethalFiles,
    args: [...lethalArgs, ...(options.args ?? [])],
    env: smallHeaps,
    api: true,
  })
  running.push(millrace)
  await millrace.untilStarted()
  return millrace
}

async function connect(port: number) {
  const socket = await open(port)
  socket.on('error', () => {})
  running.push({ dispose: async () => void socket.destroy() })
  return socket
}

const lines = (count: number, name: string) => Array.from({ length: count }, (_, n) => `${name} ${n}`)
const tcp = (port: number) => `input { tcp { host => "127.0.0.1" port => ${port} } }`
const entry = (id: string, config: string) =>
  `- pipeline.id: ${id}\n  pipeline.workers: 1\n  config.string: '${config}'\n`

interface Threads {
  restarts: number
  lost_events: number
  last_reason: string | null
}

function threadsOf(body: Json, id: string): Threads | undefined {
  const { pipelines } = body as { pipelines?: Record<string, { ext: { threads: Threads } }> }
  return pipelines?.[id]?.ext.threads
}

interface Health {
  status: string
  indicators: {
    pipelines: { indicators: Record<string, { status: string; diagnosis?: { id: string; cause: string }[] }> }
  }
}

describe('the host thread of a pipeline', () => {
  it('that runs out of heap is replaced, its lost events are counted, another pipeline goes on', async () => {
    const [bad, good] = await Promise.all([freePort(), freePort()])
    const millrace = await start({
      pipelines:
        entry('bad', `${tcp(bad)} filter { lethal { where => "host" } } ${OUT}`) +
        entry('good', `${tcp(good)} ${OUT}`),
    })
    const [toBad, toGood] = [await connect(bad), await connect(good)]
    const sent = lines(1000, 'bad').map((line, n) => (n === 300 ? 'heap' : line))
    toBad.write(`${sent.join('\n')}\n`)
    const red = (await millrace.apiUntil(
      '/_health_report',
      (body) => body['status'] === 'red',
      30_000,
    )) as never as Health
    const { bad: ill, good: well } = red.indicators.pipelines.indicators
    expect(well!.status).toBe('green')
    expect(ill!.diagnosis![0]).toMatchObject({
      id: 'logstash:health:pipeline:status:diagnosis:terminated',
      cause: expect.stringContaining('memory limit'),
    })
    toGood.write('meanwhile\n')
    await millrace.until('"meanwhile"')
    const yellow = (await millrace.apiUntil(
      '/_health_report',
      (body) => body['status'] === 'yellow',
      30_000,
    )) as never as Health
    expect(yellow.indicators.pipelines.indicators['bad']!.diagnosis![0]!.id).toBe(
      'logstash:health:pipeline:recovery:diagnosis:5m-recovery-recent',
    )
    const again = await connect(bad)
    again.write('after\n')
    await millrace.until('"after"')
    const threads = threadsOf(await millrace.api('/_node/stats/pipelines'), 'bad')!
    const delivered = millrace.events().filter(({ message }) => /^bad /.test(String(message))).length
    expect(delivered).toBeGreaterThan(0)
    expect(threads).toMatchObject({ restarts: 1, lost_events: 1000 - delivered })
    expect(millrace.stdout).toMatch(
      /The thread of a pipeline ended; the pipeline is started again \{.*"pipeline.id"=>"bad".*lost_events_in_queue=>\d+/,
    )
    expect(toGood.destroyed).toBe(false)
    millrace.signal('SIGTERM')
    expect(await millrace.exit()).toEqual({ code: 0, signal: null })
  }, 90_000)

  it('that gets an exception nobody handles lets its events out before it is replaced', async () => {
    const port = await freePort()
    const config = `${tcp(port)} filter { lethal { where => "host" } sleep { time => "0.001" } } ${OUT}`
    const millrace = await start({ config })
    const socket = await connect(port)
    const sent = lines(500, 'line').map((line, n) => (n === 10 ? 'rejection' : line))
    socket.write(`${sent.join('\n')}\n`)
    await millrace.until(() => millrace.stdout.split('Pipeline started').length > 2, 30_000)
    expect(millrace.stdout).toMatch(
      /An exception nobody handles reached the thread of the pipeline \{.*rejected by nobody.*backtrace/,
    )
    expect(millrace.events().map(({ message }) => message)).toEqual(sent)
    const body = await millrace.apiUntil(
      '/_node/stats/pipelines',
      (now) => threadsOf(now, 'main')?.restarts === 1,
    )
    expect(threadsOf(body, 'main')).toMatchObject({ lost_events: 0, last_reason: 'rejected by nobody' })
    const again = await connect(port)
    again.write('after\n')
    await millrace.until('"after"')
  }, 60_000)

  it('that dies again and again is started again ever later, and the program still ends when asked', async () => {
    const millrace = await start({
      pipelines:
        entry('bad', `input { lethal { death => "exit" after => 50 } } ${OUT}`) +
        entry('good', `input { heartbeat { interval => 1 } } ${OUT}`),
    })
    await millrace.until(() => millrace.stdout.split('the pipeline is started again').length > 3, 40_000)
    const delays = [...millrace.stdout.matchAll(/restart_in_seconds=>([\d.]+)/g)].map(([, text]) =>
      Number(text),
    )
    expect(delays.slice(0, 3)).toEqual([0.5, 1, 2])
    expect(millrace.running).toBe(true)
    await wait(100)
    millrace.signal('SIGTERM')
    expect(await millrace.exit()).toEqual({ code: 0, signal: null })
  }, 60_000)
})
