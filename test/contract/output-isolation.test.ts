/** `output.isolation`: an output that cannot deliver holds up nobody else, and loses nothing. */
import { createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort, IN, type Json, jsonLines, Millrace, OUT } from '../support/millrace.ts'

const running: Millrace[] = []
afterEach(async () => {
  for (const one of running.splice(0).reverse()) await one.dispose()
})

async function start(options: Parameters<typeof Millrace.start>[0]): Promise<Millrace> {
  const millrace = await Millrace.start(options)
  running.push(millrace)
  return millrace
}

const isolated = 'output.isolation: true\nshutdown.grace: 500ms\n'
const numbers = Array.from({ length: 2000 }, (_, number) => number)
const input = jsonLines(...numbers.map((number) => ({ number })))
const tcp = (port: number) =>
  `output { tcp { id => "far" host => "127.0.0.1" port => ${port} codec => json_lines reconnect_interval => 1 } }`

/** What a receiver that comes up late gets. */
async function receive(port: number, isComplete: (lines: string[]) => boolean): Promise<number[]> {
  let text = ''
  const server = createServer((socket) => socket.on('data', (chunk) => (text += chunk)))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  try {
    for (let left = 200; left > 0; left--) {
      const lines = text.split('\n').filter((line) => line !== '')
      if (isComplete(lines)) break
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  } finally {
    server.close()
  }
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { number: number }).number)
}

describe.each(['memory', 'persisted'])('outputs with queues of their own (%s)', (type) => {
  it.each(['1', '3'])(
    'go on while one is dead, which gets everything when it is back (%s workers)',
    async (workers) => {
      const port = await freePort()
      const millrace = await start({
        config: `${IN} ${OUT} ${tcp(port)}`,
        settings: `${isolated}queue.type: ${type}\n`,
        args: ['-w', workers],
        api: true,
      })
      await millrace.untilStarted()
      millrace.write(input)
      await millrace.until(() => millrace.events().length === numbers.length)
      const waiting = (body: Json) =>
        (
          body as {
            pipelines: { main: { ext: { output_queues: { id: string; events_count: number }[] } } }
          }
        ).pipelines.main.ext.output_queues.find(({ id }) => id === 'far')?.events_count
      await millrace.apiUntil('/_node/stats/pipelines', (body) => waiting(body) === numbers.length)
      const received = await receive(port, (lines) => lines.length >= numbers.length)
      expect(received.sort((a, b) => a - b)).toEqual(numbers)
      await millrace.apiUntil('/_node/stats/pipelines', (body) => waiting(body) === 0)
    },
  )
})

describe('the lag of an output', () => {
  it('is in the stats, in the metrics and in the health report', async () => {
    const port = await freePort()
    const millrace = await start({
      config: `${IN} output { stdout { id => "near" codec => json_lines } } ${tcp(port)}`,
      settings: isolated,
      api: true,
    })
    await millrace.untilStarted()
    millrace.write(jsonLines({ number: 1 }, { number: 2 }))
    const queues = (body: Json) =>
      (body as { pipelines: { main: { ext: { output_queues: Json[] } } } }).pipelines.main.ext.output_queues
    const far = (body: Json) => queues(body)?.find(({ id }) => id === 'far')
    const body = await millrace.apiUntil(
      '/_node/stats/pipelines',
      (stats) => Number(far(stats)?.['lag_in_millis']) > 1000,
    )
    expect(far(body)).toMatchObject({
      name: 'tcp',
      type: 'memory',
      events_count: 2,
      max_queue_size_in_bytes: 64 * 1024 * 1024,
    })
    expect(far(body)!['queue_size_in_bytes']).toBeGreaterThan(0)
    expect(queues(body).find(({ id }) => id === 'near')).toMatchObject({ events_count: 0, lag_in_millis: 0 })
    const metrics = await (await fetch(`http://127.0.0.1:${millrace.apiPort}/metrics`)).text()
    const labels = 'pipeline="main",plugin="tcp",plugin_id="far"'
    expect(metrics).toMatch(new RegExp(`^millrace_output_queue_events\\{${labels}\\} 2$`, 'm'))
    expect(metrics).toMatch(new RegExp(`^millrace_output_queue_bytes\\{${labels}\\} \\d+$`, 'm'))
    expect(metrics).toMatch(new RegExp(`^millrace_output_lag_seconds\\{${labels}\\} [1-9][\\d.]*$`, 'm'))
    const report = (await millrace.api('/_health_report')) as unknown as {
      indicators: { pipelines: { indicators: { main: { details: { output_queues: Json[] } } } } }
    }
    const { details } = report.indicators.pipelines.indicators.main
    expect(details.output_queues.find(({ id }) => id === 'far')).toMatchObject({ events_count: 2 })
  })
})

describe('a persisted queue of an output', () => {
  it('keeps what the output has not delivered through a stop and a kill', async () => {
    const port = await freePort()
    const settings = `${isolated}queue.type: persisted\n`
    const config = `${IN} ${OUT} ${tcp(port)}`
    const first = await start({ config, settings })
    await first.untilStarted()
    first.write(input)
    await first.until(() => first.events().length === numbers.length)
    first.signal('SIGTERM')
    await first.exit()
    const second = await start({ folder: first.folder, config, settings })
    await second.untilStarted()
    second.signal('SIGKILL')
    await second.exit()
    const third = await start({ folder: first.folder, config, settings })
    const received = await receive(port, (lines) => lines.length >= numbers.length)
    expect(new Set(received)).toEqual(new Set(numbers))
    expect(third.events()).toEqual([])
  })
})
