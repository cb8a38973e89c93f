/** Table D, rows 9 to 11: disks that are full, that fail, that turn read-only, and too few files. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../support/millrace.ts'
import { all, attack, cannotTry, slack } from './support/attack.ts'
import { faultyCalls, smallDisk } from './support/faulty-disk.ts'
import { openMany, pause, soon } from './support/sockets.ts'
import { StoredNumbers } from './support/stored-numbers.ts'
import type { Victim } from './support/victim.ts'

const isRoot = process.getuid?.() === 0
const cycles = 3

const full = {
  id: 'D9',
  attack: `data on a tmpfs of 48 MB that fills up and is freed, ${cycles} times, with a pipeline and an index that is created meanwhile`,
  wanted:
    'alive, API answers, refused not lost, writes resume <= 2 s after space is back, nothing acknowledged lost after kill -9',
}
if (!isRoot) cannotTry(full, 'mounting needs root')
else {
  attack(full, async ({ start, cleanup }) => {
    const disk = smallDisk(48)
    cleanup(() => disk.remove())
    const port = await freePort()
    const config = `input { http { host => "127.0.0.1" port => ${port} codec => json } } output { millrace { index => "piped" } }`
    const victim = await start({ config, folder: disk.folder })
    const numbers = new StoredNumbers(victim)
    const resumed: number[] = []
    let isApiFine = true
    for (let cycle = 0; cycle < cycles && victim.isAlive; cycle++) {
      await numbers.write(1000)
      disk.fill()
      await numbers.write(3000)
      void post(port, { cycle })
      await victim.ask('PUT', `/new-${cycle}`, '{}')
      isApiFine &&= (await fetch(`${victim.api}/_node/stats/events`).catch(() => undefined))?.status === 200
      disk.free()
      const began = performance.now()
      await soon(async () => [200, 201].includes(await numbers.one()), 20_000)
      resumed.push(performance.now() - began)
    }
    const isPiped = await soon(
      async () => (await victim.ask('GET', '/piped/_count')).text.includes(`"count":${cycles}`),
      20_000,
    )
    const isAlive = victim.isAlive
    victim.millrace.signal('SIGKILL')
    await victim.millrace.exit()
    const again = await start({ config, folder: disk.folder })
    const { found, lost, wrong } = await numbers.compare(again)
    return all({
      alive: [isAlive, isAlive],
      'API answers': [isApiFine, isApiFine],
      refusals: [numbers.refusals, numbers.refused.size > 0],
      'resumed after ms': [resumed.map(Math.round).join(' '), resumed.every((time) => time <= 2000 * slack)],
      'events through the pipeline': [isPiped, isPiped],
      acknowledged: [numbers.acknowledged.length, true],
      found: [found, true],
      lost: [lost, lost === 0],
      wrong: [wrong, wrong === 0],
    })
  })
}

async function post(port: number, body: unknown): Promise<void> {
  await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  }).catch(() => undefined)
}

const faults = [
  { id: 'D10', what: 'fsync fails with EIO for a second', lines: ['fsync 5'], lasts: true },
  { id: 'D10', what: 'fsync fails with EIO for good', lines: ['fsync 5'], lasts: false },
  {
    id: 'D11',
    what: 'the file system turns read-only (EROFS) for a second',
    lines: ['open 30', 'write 30', 'fsync 30'],
    lasts: true,
  },
  {
    id: 'D11',
    what: 'permission is lost (EACCES) for a second',
    lines: ['open 13'],
    lasts: true,
    isHarmless: true,
  },
  { id: 'D11', what: 'writes fail with EIO for a second', lines: ['write 5'], lasts: true },
]

for (const { id, what, lines, lasts, isHarmless = false } of faults) {
  const row = {
    id,
    attack: what,
    // Files that are open already can be written while new ones cannot be made: then nothing has to be refused.
    wanted: isHarmless
      ? 'alive; after a restart nothing acknowledged lost, nothing refused found'
      : 'an ERROR line, nothing acknowledged in the failure, alive, index red; after a restart nothing acknowledged lost, nothing refused found',
  }
  const disk = faultyCalls()
  if (disk === undefined) {
    cannotTry(row, 'needs a C compiler')
    continue
  }
  attack(row, async ({ start, cleanup }) => {
    cleanup(() => disk.remove())
    const folder = join(disk.folder, 'run')
    const victim = await start({ folder, env: disk.env })
    const numbers = new StoredNumbers(victim)
    await numbers.write(1000)
    const before = numbers.acknowledged.length
    disk.fail(...lines)
    await pause(50)
    await numbers.write(1000)
    const during = numbers.acknowledged.length - before
    const health = await healthOf(victim)
    if (lasts) disk.mend()
    await numbers.write(1000)
    const shown = await numbers.shownThoughRefused()
    const isAlive = victim.isAlive
    const isSaid = /\]\[(ERROR|FATAL)/.test(victim.millrace.stdout)
    victim.millrace.signal('SIGKILL')
    await victim.millrace.exit()
    disk.mend()
    const again = await start({ folder, env: disk.env })
    const { found, lost, unacknowledged, wrong } = await numbers.compare(again)
    return all({
      alive: [isAlive, isAlive],
      'ERROR line': [isSaid, isSaid || isHarmless],
      'acknowledged during': [during, during === 0 || isHarmless],
      health: [health, health === 'red' || isHarmless],
      refusals: [numbers.refusals, true],
      'refused but searchable': [shown, shown === 0],
      acknowledged: [numbers.acknowledged.length, true],
      found: [found, true],
      'lost after restart': [lost, lost === 0],
      'refused but found after restart': [unacknowledged, unacknowledged === 0],
      wrong: [wrong, wrong === 0],
    })
  })
}

/** Yellow is the usual state of an index whose copies have no node to be on. */
async function healthOf(victim: Victim): Promise<string> {
  const { text } = await victim.ask('GET', '/_cluster/health/numbers?timeout=1s')
  return /"status":"(\w+)"/.exec(text)?.[1] ?? 'no answer'
}

attack(
  {
    id: 'D11',
    attack: 'EMFILE: 80 files allowed, 200 connections and 100 indices',
    wanted: 'alive, nothing acknowledged lost, serves again when the connections are closed',
  },
  async ({ start, cleanup }) => {
    const port = await freePort()
    const config = `input { tcp { host => "127.0.0.1" port => ${port} } } output { null { } }`
    const victim = await start({ config, through: ['prlimit', '--nofile=80:80'] })
    const numbers = new StoredNumbers(victim)
    await numbers.write(500)
    const sockets = await openMany(port, 200)
    cleanup(() => {
      for (const socket of sockets) socket.destroy()
    })
    await numbers.write(1000)
    for (let n = 0; n < 100 && victim.isAlive; n++)
      await victim.ask('PUT', `/many-${n}/_doc/1`, '{"a":1}', 5000)
    for (const socket of sockets) socket.destroy()
    await pause(1000)
    const isServing = await soon(async () => [200, 201].includes(await numbers.one()), 15_000)
    const { lost, wrong } = await numbers.compare(victim)
    return all({
      alive: [victim.isAlive, victim.isAlive],
      'serves again': [isServing, isServing],
      refusals: [numbers.refusals, true],
      acknowledged: [numbers.acknowledged.length, true],
      lost: [lost, lost === 0],
      wrong: [wrong, wrong === 0],
    })
  },
)

attack(
  {
    id: 'D11',
    attack: 'a heap of 64 MB (--max-old-space-size=64) under bulk requests',
    wanted: 'refused or alive, nothing acknowledged lost after a restart',
  },
  async ({ start, cleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-small-heap-'))
    cleanup(() => rmSync(folder, { recursive: true, force: true }))
    const victim = await start({ folder, env: { NODE_OPTIONS: '--max-old-space-size=64' } })
    const numbers = new StoredNumbers(victim)
    await numbers.write(1000)
    const bulk = `{"index":{"_index":"big"}}\n{"t":"${'some words '.repeat(200)}"}\n`.repeat(5000)
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => victim.ask('POST', '/_bulk', bulk, 60_000)),
    )
    await numbers.write(500)
    const isAlive = victim.isAlive
    victim.millrace.signal('SIGKILL')
    await victim.millrace.exit()
    const again = await start({ folder })
    const { lost, wrong } = await numbers.compare(again)
    return all({
      alive: [isAlive, isAlive],
      'bulk answers': [answers.map(({ status }) => status).join(' '), true],
      acknowledged: [numbers.acknowledged.length, true],
      lost: [lost, lost === 0],
      wrong: [wrong, wrong === 0],
    })
  },
)
