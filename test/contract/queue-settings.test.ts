/** What the settings of a persisted queue do in the running program: when it syncs, when it writes checkpoints, what waits. */
import { afterEach, describe, expect, it } from 'vitest'
import { freePort, type Json, Millrace, OUT } from '../support/millrace.ts'

const base = 'queue.type: persisted\nqueue.max_bytes: 64mb\n'
const running: Millrace[] = []
afterEach(async () => {
  for (const one of running.splice(0).reverse()) await one.dispose()
})

async function start(options: Parameters<typeof Millrace.start>[0]): Promise<Millrace> {
  const millrace = await Millrace.start({ api: true, ...options })
  running.push(millrace)
  await millrace.untilStarted()
  return millrace
}

const http = (port: number) => `input { http { host => "127.0.0.1" port => ${port} } }`
/** Nobody listens there. */
const deadOutput = 'output { tcp { host => "127.0.0.1" port => 1 } }'

async function post(port: number, ...bodies: string[]): Promise<void> {
  for (const body of bodies) {
    const { status } = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })
    if (status !== 200) throw new Error(`answered with ${status}`)
  }
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `event ${n}.`)

type Figures = Record<string, number>
const figuresOf = (body: Json): Figures =>
  (body as { pipelines?: { main?: { ext?: { queue?: Figures } } } }).pipelines?.main?.ext?.queue ?? {}

async function untilFigures(millrace: Millrace, holds: (figures: Figures) => boolean): Promise<Figures> {
  return figuresOf(await millrace.apiUntil('/_node/stats/pipelines', (body) => holds(figuresOf(body))))
}

describe('limits of 0 bytes', () => {
  it.each([
    'queue.type: persisted\nqueue.max_bytes: 0\nqueue.page_capacity: 0\n',
    'queue.memory.max_bytes: 0\n',
  ])('let events through: %j', async (settings) => {
    const millrace = await Millrace.start({
      config: `input { generator { count => 300 } } ${OUT}`,
      settings,
    })
    running.push(millrace)
    expect((await millrace.exit()).code).toBe(0)
    expect(millrace.events()).toHaveLength(300)
  })
})

describe('a limit of the process for its files', () => {
  it.runIf(process.platform === 'linux')('holds up the senders, as a full disk does', async () => {
    const port = await freePort()
    const limited = ['sh', '-c', 'ulimit -f 300 && exec "$@"', 'sh']
    const millrace = await start({
      config: `${http(port)} ${deadOutput}`,
      settings: base,
      wrapper: limited,
    })
    const bodies = Array.from({ length: 40 }, (_, n) => `${n} ${'x'.repeat(10_000)}`)
    const sending = post(port, ...bodies).then(
      () => 'all were taken',
      () => 'one was refused',
    )
    await millrace.until('the queue waits for room on the disk: EFBIG')
    await millrace.apiUntil('/_health_report', (body) => (body as { status?: string }).status === 'red')
    await millrace.dispose()
    expect(await sending).toBe('one was refused')
  })
})

describe('queue.durability', () => {
  it('group, the default, syncs before each answer', async () => {
    const port = await freePort()
    const millrace = await start({ config: `${http(port)} ${deadOutput}`, settings: base })
    await post(port, ...numbered(7))
    // One request after the other: no two can share a sync.
    expect(await untilFigures(millrace, ({ commits }) => commits === 7)).toMatchObject({ syncs: 7 })
  })

  it('checkpoint syncs every queue.checkpoint.writes events', async () => {
    const port = await freePort()
    const settings = `${base}queue.durability: checkpoint\nqueue.checkpoint.writes: 3\n`
    const millrace = await start({ config: `${http(port)} ${deadOutput}`, settings })
    await post(port, ...numbered(11))
    expect(await untilFigures(millrace, ({ commits }) => commits === 11)).toMatchObject({ syncs: 3 })
  })

  it('checkpoint with queue.checkpoint.writes: 0 does not sync while it runs', async () => {
    const port = await freePort()
    const settings = `${base}queue.durability: checkpoint\nqueue.checkpoint.writes: 0\n`
    const millrace = await start({ config: `${http(port)} ${deadOutput}`, settings })
    await post(port, ...numbered(11))
    expect(await untilFigures(millrace, ({ commits }) => commits === 11)).toMatchObject({ syncs: 0 })
  })

  it('none never syncs while it runs', async () => {
    const port = await freePort()
    const settings = `${base}queue.durability: none\nqueue.checkpoint.writes: 1\n`
    const millrace = await start({ config: `${http(port)} ${deadOutput}`, settings })
    await post(port, ...numbered(11))
    expect(await untilFigures(millrace, ({ commits }) => commits === 11)).toMatchObject({ syncs: 0 })
  })

  it.each(['group', 'checkpoint', 'none'])('%s keeps everything through kill -9', async (durability) => {
    const port = await freePort()
    const settings = `${base}queue.durability: ${durability}\n`
    const first = await start({ config: `${http(port)} ${deadOutput}`, settings })
    await post(port, ...numbered(9))
    first.signal('SIGKILL')
    await first.exit()
    const second = await start({ folder: first.folder, config: `${http(port)} ${OUT}`, settings })
    await second.until('event 8.')
    expect(second.events().map(({ message }) => message)).toEqual(numbered(9))
    expect(await untilFigures(second, ({ unacked_events }) => unacked_events === 0)).toMatchObject({
      lost_events: 0,
      damaged_records: 0,
    })
  })
})

describe('queue.checkpoint.acks', () => {
  const checkpointsAfter = async (acks: number): Promise<number> => {
    const port = await freePort()
    const settings = `${base}queue.checkpoint.acks: ${acks}\n`
    const millrace = await start({ config: `${http(port)} ${OUT}`, settings, args: ['-b', '1'] })
    const before = (await untilFigures(millrace, ({ commits }) => commits === 0))['checkpoints']!
    await post(port, ...numbered(12))
    await millrace.until('event 11.')
    const isOver = ({ commits, unacked_events }: Figures) => commits === 12 && unacked_events === 0
    const after = await untilFigures(millrace, isOver)
    return after['checkpoints']! - before
  }

  it('1 writes a checkpoint for every acknowledged event', async () => {
    expect(await checkpointsAfter(1)).toBeGreaterThanOrEqual(6)
  })
})

describe('queue.max_events', () => {
  it('lets senders wait when so many are unread, and lets them go on when there is room', async () => {
    const port = await freePort()
    const settings = `${base}queue.max_events: 3\n`
    const config = `${http(port)} ${deadOutput}`
    const first = await start({ config, settings, args: ['-b', '1'] })
    let answered = 0
    const sending = numbered(20).map(async (body) => {
      const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body }).catch(() => undefined)
      if (answer?.status === 200) answered += 1
    })
    await untilFigures(first, ({ unacked_events }) => Number(unacked_events) >= 3)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(answered).toBeGreaterThan(0)
    expect(answered).toBeLessThan(20)
    first.signal('SIGKILL')
    await first.exit()
    await Promise.all(sending)
  })
})

describe('queue.compression', () => {
  it('is shown as Logstash shows it', async () => {
    const port = await freePort()
    const settings = `${base}queue.compression: speed\n`
    const millrace = await start({ config: `${http(port)} ${OUT}`, settings })
    await post(port, 'tea '.repeat(1000))
    const { queue } = (
      (await millrace.apiUntil(
        '/_node/stats/pipelines',
        (body) => figuresOf(body)['commits'] === 1,
      )) as unknown as { pipelines: { main: { queue: { compression: Record<string, never> } } } }
    ).pipelines.main
    expect(queue.compression).toEqual({
      encode: {
        goal: 'speed',
        ratio: { lifetime: expect.any(Number) },
        spend: { lifetime: expect.any(Number) },
      },
      decode: { ratio: { lifetime: expect.any(Number) }, spend: { lifetime: expect.any(Number) } },
    })
    const { encode } = queue.compression as unknown as { encode: { ratio: { lifetime: number } } }
    expect(encode.ratio.lifetime).toBeLessThan(0.5)
  })
})
