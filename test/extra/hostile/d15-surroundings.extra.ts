/** Table D, rows 15 to 17: a second process, clocks that jump, a copy taken while documents are written. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { all, attack, cannotTry, slack } from './support/attack.ts'
import { pause } from './support/sockets.ts'
import { StoredNumbers } from './support/stored-numbers.ts'

attack(
  {
    id: 'D15',
    attack: 'a second process on the same data, and one on the same search.path with other data',
    wanted: 'each ends with 1 within 1 s and says why; the first goes on',
  },
  async ({ start, cleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-two-'))
    cleanup(() => rmSync(folder, { recursive: true, force: true }))
    const victim = await start({ folder })
    const began = performance.now()
    const same = await start({ folder, waits: false })
    const { code } = await same.millrace.exit(20_000)
    const seconds = (performance.now() - began) / 1000
    const other = await start({
      waits: false,
      args: ['--search.path', join(folder, 'data', 'search')],
    })
    const second = await other.millrace.exit(10_000).catch(() => ({ code: 'runs' }))
    const text = same.millrace.stdout + same.millrace.stderr
    return all({
      'exit code': [String(code), code === 1],
      s: [seconds, seconds <= 1 * Math.max(slack, 1) + 0.5],
      'says why': [text.includes('path.data'), text.includes('path.data')],
      'same search.path': [String(second.code), second.code === 1],
      'first is alive': [victim.isAlive, victim.isAlive],
    })
  },
)

const library = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
].find((path) => existsSync(path))
const clock = {
  id: 'D16',
  attack: 'the clock jumps a day forward and a day back, under a scroll and a PIT of one minute',
  wanted: 'neither expires, no negative duration in any counter, uptime goes on',
}
if (library === undefined) cannotTry(clock, 'needs the Debian package faketime')
else {
  attack(clock, async ({ start, cleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-clock-'))
    cleanup(() => rmSync(folder, { recursive: true, force: true }))
    const time = join(folder, 'time')
    writeFileSync(time, '+0')
    const victim = await start({
      config: 'input { heartbeat { interval => 1 } } output { millrace { index => "beats" } }',
      env: {
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: time,
        FAKETIME_NO_CACHE: '1',
        DONT_FAKE_MONOTONIC: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      },
    })
    const numbers = new StoredNumbers(victim)
    for (let n = 0; n < 20; n++) await numbers.one()
    await victim.ask('POST', '/numbers/_refresh')
    const scroll = JSON.parse(
      (await victim.ask('POST', '/numbers/_search?scroll=1m', '{"size":5}')).text,
    ) as { _scroll_id: string }
    const pit = JSON.parse((await victim.ask('POST', '/numbers/_pit?keep_alive=1m')).text) as { id: string }
    const statuses: string[] = []
    let negative: string[] = []
    const uptimes: number[] = []
    for (const jump of ['+1d', '-1d', '+0']) {
      writeFileSync(time, jump)
      await pause(2500)
      const next = await victim.ask(
        'POST',
        '/_search/scroll',
        JSON.stringify({ scroll: '1m', scroll_id: scroll._scroll_id }),
      )
      const page = await victim.ask(
        'POST',
        '/_search',
        JSON.stringify({ size: 1, pit: { id: pit.id, keep_alive: '1m' } }),
      )
      statuses.push(`${jump}: ${next.status} ${page.status}`)
      const stats = await victim.millrace.api('/_node/stats')
      negative = [...negative, ...negativesOf(stats)]
      uptimes.push((stats['jvm'] as { uptime_in_millis: number }).uptime_in_millis)
    }
    const isMonotonic = uptimes.every((value, i) => i === 0 || value > uptimes[i - 1]!)
    return all({
      'scroll and PIT': [statuses.join('; '), statuses.every((text) => text.endsWith('200 200'))],
      negative: [negative.join(' ') || 'none', negative.length === 0],
      'uptime grows': [isMonotonic, isMonotonic],
      alive: [victim.isAlive, victim.isAlive],
    })
  })
}

function negativesOf(value: unknown, path = ''): string[] {
  if (typeof value === 'number')
    return value < 0 && !/load_average|limit|max|cfs_quota/.test(path) ? [`${path}=${value}`] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => negativesOf(inner, `${path}.${name}`))
}

attack(
  {
    id: 'D17',
    attack: 'cp -r of the data while documents are written, three times',
    wanted: 'the copy starts, what was acknowledged before the copy is there, nothing is wrong',
  },
  async ({ start, cleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-backup-'))
    cleanup(() => rmSync(folder, { recursive: true, force: true }))
    const victim = await start({ folder: join(folder, 'run') })
    const numbers = new StoredNumbers(victim)
    await numbers.write(1500)
    const outcomes: string[] = []
    let holds = true
    for (let n = 0; n < 3; n++) {
      const known = [...numbers.acknowledged]
      const copy = join(folder, `copy-${n}`)
      const writing = numbers.write(2000)
      await pause(200)
      spawnSync('cp', ['-r', join(folder, 'run'), copy])
      await writing
      const again = await start({ folder: copy })
      const { lost: _, wrong, found } = await numbers.compare(again)
      const { text } = await again.ask(
        'POST',
        '/numbers/_search',
        JSON.stringify({ size: 0, track_total_hits: true, query: { terms: { n: known } } }),
      )
      const there = (JSON.parse(text) as { hits?: { total: { value: number } } }).hits?.total.value ?? 0
      outcomes.push(`${there} of ${known.length} acknowledged before, ${found} found, ${wrong} wrong`)
      holds &&= there === known.length && wrong === 0
      await again.dispose()
    }
    return all({ copies: [outcomes.join('; '), holds], alive: [victim.isAlive, victim.isAlive] })
  },
)
