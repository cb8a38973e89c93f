/**
 * Damage of the files of a persisted queue, and a disk that is full, with the whole program: the rules of
 * docs/guide/queues.md. What can be read is delivered, what cannot is counted exactly and kept, and the start goes on.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { seededRandom } from '../../src/storage/simulated-disk.ts'
import { freePort, type Json, Millrace, OUT } from '../support/millrace.ts'

const settings = 'queue.type: persisted\nqueue.max_bytes: 8mb\nqueue.page_capacity: 4kb\n'
const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function start(options: Parameters<typeof Millrace.start>[0]): Promise<Millrace> {
  const millrace = await Millrace.start({ settings, api: true, ...options })
  cleanups.push(() => millrace.dispose())
  await millrace.untilStarted()
  return millrace
}

const http = (port: number) => `input { http { host => "127.0.0.1" port => ${port} } }`
const deadOutput = 'output { tcp { host => "127.0.0.1" port => 1 } }'
const events = Array.from({ length: 40 }, (_, n) => `event ${n} ${'x'.repeat(300)}.`)

const post = async (port: number, body: string) =>
  (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })).status

/** A queue that holds the events and that nobody has open. */
async function filledQueue(port: number): Promise<{ folder: string; directory: string }> {
  const millrace = await start({ config: `${http(port)} ${deadOutput}` })
  for (const body of events) expect(await post(port, body)).toBe(200)
  millrace.signal('SIGKILL')
  await millrace.exit()
  return { folder: millrace.folder, directory: join(millrace.folder, 'data', 'queue', 'main') }
}

interface Outcome {
  readonly delivered: unknown[]
  readonly lost: number
  readonly log: string
}

/** Starts the program on what is left and waits until everything that can be read is delivered. */
async function deliver(folder: string, port: number): Promise<Outcome> {
  const millrace = await start({ folder, config: `${http(port)} ${OUT}` })
  const queueOf = (body: Json) =>
    (body as { pipelines?: { main?: { ext?: { queue?: Record<string, number> } } } }).pipelines?.main?.ext
      ?.queue
  const stats = await millrace.apiUntil(
    '/_node/stats/pipelines',
    (body) => queueOf(body)?.['unacked_events'] === 0,
  )
  expect(await post(port, 'one more')).toBe(200)
  await millrace.until('one more')
  const delivered = millrace.events().map(({ message }) => message)
  expect(delivered.pop()).toBe('one more')
  return { delivered, lost: queueOf(stats)!['lost_events']!, log: millrace.stdout }
}

const pagesOf = (directory: string) =>
  readdirSync(directory)
    .filter((name) => name.startsWith('millrace.page.'))
    .sort((a, b) => Number(a.split('.').at(-1)) - Number(b.split('.').at(-1)))

function flipBit(path: string, bit: number): void {
  const bytes = readFileSync(path)
  bytes[bit >> 3]! ^= 1 << (bit & 7)
  writeFileSync(path, bytes)
}

describe('a damaged queue', () => {
  const random = seededRandom(20)

  it.each([0, 1, 2])('delivers all but the record in which a bit flipped, page %s', async (index) => {
    const port = await freePort()
    const { folder, directory } = await filledQueue(port)
    const page = join(directory, pagesOf(directory)[index]!)
    // Inside of the text of an event: the header of a page has its own rule below.
    const at = readFileSync(page).indexOf('x'.repeat(300)) + Math.floor(random() * 300)
    flipBit(page, at * 8 + Math.floor(random() * 8))
    const { delivered, lost, log } = await deliver(folder, port)
    expect(lost).toBe(1)
    expect(delivered).toHaveLength(events.length - 1)
    expect(events.filter((event) => !delivered.includes(event))).toHaveLength(1)
    expect(log).toMatch(/is damaged from byte \d+ to \d+ .*kept in/)
    expect(readdirSync(join(directory, 'quarantine')).length).toBeGreaterThan(0)
  })

  it('delivers everything when the header of a page is damaged', async () => {
    const port = await freePort()
    const { folder, directory } = await filledQueue(port)
    flipBit(join(directory, pagesOf(directory)[1]!), 20 * 8)
    const { delivered, lost } = await deliver(folder, port)
    expect(delivered.length + lost).toBe(events.length)
    expect(new Set(delivered).size).toBe(delivered.length)
  })

  it('counts the events of a page that was deleted and delivers the others', async () => {
    const port = await freePort()
    const { folder, directory } = await filledQueue(port)
    const gone = join(directory, pagesOf(directory)[1]!)
    const count = readFileSync(gone, 'latin1').split('x'.repeat(300)).length - 1
    rmSync(gone)
    const { delivered, lost, log } = await deliver(folder, port)
    expect(count).toBeGreaterThan(0)
    expect(lost).toBe(count)
    expect(delivered).toHaveLength(events.length - count)
    expect(log).toMatch(new RegExp(`${count} events .* are lost`))
  })

  it.each(['flipped', 'deleted'])('loses nothing when both checkpoints are %s', async (how) => {
    const port = await freePort()
    const { folder, directory } = await filledQueue(port)
    for (const name of readdirSync(directory).filter((one) => one.startsWith('millrace.checkpoint.'))) {
      if (how === 'deleted') rmSync(join(directory, name))
      else flipBit(join(directory, name), 8 * 30)
    }
    const { delivered, lost } = await deliver(folder, port)
    expect(delivered).toEqual(events)
    expect(lost).toBe(0)
  })

  it('loses nothing when the mark of the last sync is gone', async () => {
    const port = await freePort()
    const { folder, directory } = await filledQueue(port)
    rmSync(join(directory, 'millrace.synced'))
    const { delivered, lost } = await deliver(folder, port)
    expect(delivered).toEqual(events)
    expect(lost).toBe(0)
  })
})

const mayMount = process.platform === 'linux' && process.getuid?.() === 0

describe.runIf(mayMount)('a full disk', () => {
  it('lets senders wait, says so, and goes on when there is room; nothing acknowledged is lost', async () => {
    const disk = mkdtempSync(join(tmpdir(), 'millrace-full-queue-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk])
    cleanups.push(() => {
      spawnSync('umount', ['-l', disk])
      rmSync(disk, { recursive: true, force: true })
    })
    const queue = join(disk, 'queue')
    mkdirSync(queue)
    const port = await freePort()
    const own = `${settings}path.queue: ${queue}\n`
    const first = await start({ config: `${http(port)} ${deadOutput}`, settings: own })
    for (const body of events) expect(await post(port, body)).toBe(200)
    spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'filler')}`, 'bs=4k'], { stdio: 'ignore' })
    let isAnswered = false
    // Larger than what the page has room for.
    const large = `large ${'y'.repeat(100_000)}.`
    const waiting = post(port, large).then((status) => {
      isAnswered = true
      return status
    })
    const isFull = (body: Json) =>
      (body as { pipelines: { main: { ext: { queue: { disk_full: boolean } } } } }).pipelines.main.ext.queue
        .disk_full
    await first.apiUntil('/_node/stats/pipelines', isFull)
    expect(first.stdout).toContain('the queue waits for room on the disk')
    await first.apiUntil('/_health_report', ({ status }) => status === 'red')
    expect(isAnswered).toBe(false)
    rmSync(join(disk, 'filler'))
    expect(await waiting).toBe(200)
    await first.apiUntil('/_node/stats/pipelines', (body) => !isFull(body))
    await first.apiUntil('/_health_report', ({ status }) => status === 'green')
    first.signal('SIGKILL')
    await first.exit()
    const second = await start({ folder: first.folder, config: `${http(port)} ${OUT}`, settings: own })
    await second.until('yyy.')
    expect(second.events().map(({ message }) => message)).toEqual([...events, large])
  })
})
