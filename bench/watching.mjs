/**
 * What it costs a pipeline that its events can be looked at: with nobody looking, with a live tail, with traces.
 *   node bench/watching.mjs [ROUNDS] [SECONDS]
 * One node runs a generator through grok and mutate at full speed; every round measures each state in turn: processor
 * time of the whole process for an event, which depends little on what else the machine does. Ratios are medians.
 * "nobody" is what a pipeline always pays: `bench/watching.mjs --calls` measures that alone, as the time of one call of a
 * stage with the look for an observer and without it. A stage is called once a batch.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from './ports.mjs'
import { statistics } from './statistics.mjs'

const ticksPerSecond = 100
const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'millrace-watching-'))
try {
  if (process.argv[2] === '--calls') await calls()
  else await wholeNode(Number(process.argv[2] ?? 5), Number(process.argv[3] ?? 3))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function wholeNode(rounds, seconds) {
  const [port] = await freePorts(1)
  const config = `
    input { generator { message => '10.1.2.3 - - [04/May/2026:08:15:42 +0000] "GET /teas/17 HTTP/1.1" 200 5120' } }
    filter { grok { id => "parts" match => { "message" => "%{COMMONAPACHELOG}" } } mutate { add_field => { "a" => "%{verb}" } } }
    output { null { } }`
  const words = ['--path.settings', folder, '--path.data', join(folder, 'data'), '-w', '1', '-e', config]
  const child = spawn(
    process.execPath,
    [join(root, 'bin/millrace.js'), ...words, '--api.http.port', String(port)],
    {
      stdio: 'ignore',
    },
  )
  const ended = once(child, 'exit')
  const at = (path) => `http://127.0.0.1:${port}${path}`
  const out = async () =>
    fetch(at('/_node/stats/events'))
      .then(async (answer) => (await answer.json()).events.out)
      .catch(() => 0)
  const cost = async () => {
    await sleep(500)
    const [events, busy] = [await out(), cpuSeconds(child.pid)]
    await sleep(seconds * 1000)
    return ((cpuSeconds(child.pid) - busy) * 1e9) / ((await out()) - events)
  }
  const traces = (enabled) =>
    fetch(at('/_node/traces'), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ enabled, minutes: 5, sample: 1000 }),
    })
  const states = {
    nobody: cost,
    'one live tail': async () => {
      const ending = new AbortController()
      const answer = await fetch(at('/_node/pipelines/main/_tap?at=parts'), { signal: ending.signal })
      const reading = (async () => {
        for await (const _ of answer.body);
      })().catch(() => undefined)
      const found = await cost()
      ending.abort()
      await reading
      return found
    },
    'traces, one event of 1000': async () => {
      await traces(true)
      const found = await cost()
      await traces(false)
      return found
    },
    // How far two measurements of the same lie apart.
    'nobody again': cost,
  }
  try {
    while ((await out()) < 100_000) await sleep(200)
    const samples = Object.fromEntries(Object.keys(states).map((name) => [name, []]))
    for (let round = 0; round < rounds; round += 1)
      for (const [name, measure] of Object.entries(states)) samples[name].push(await measure())
    console.log('| who looks | ns of a processor for an event | of nobody |\n|---|---|---|')
    for (const [name, found] of Object.entries(samples)) {
      const ratio = statistics(found.map((one, round) => one / samples.nobody[round])).median
      console.log(
        `| ${name} | ${Math.round(statistics(found).median).toLocaleString('en')} | ${(ratio * 100).toFixed(1)} % |`,
      )
    }
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

async function calls() {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'observer.mjs')
  const { status } = spawnSync(
    'npx',
    ['rolldown', 'src/pipeline/stage-observer.ts', '--file', file, '--platform', 'node'],
    {
      cwd: root,
    },
  )
  if (status !== 0) throw new Error('the observer could not be bundled')
  const { observedFilter } = await import(file)
  const count = 5_000_000
  const batch = Array.from({ length: 125 }, () => ({}))
  const bare = (events) => events
  const observed = observedFilter({ id: 'a' }, bare, () => undefined)
  const time = (call) => {
    const began = performance.now()
    let length = 0
    for (let i = 0; i < count; i += 1) length += call(batch).length
    if (length !== count * batch.length) throw new Error('not all calls were made')
    return ((performance.now() - began) * 1e6) / count
  }
  const samples = Array.from({ length: 9 }, () => [time(bare), time(observed)])
  const without = statistics(samples.map(([one]) => one)).median
  const withLook = statistics(samples.map(([, one]) => one)).median
  console.log(
    `a call of a stage: ${without.toFixed(1)} ns, with the look for an observer ${withLook.toFixed(1)} ns: ` +
      `${((withLook - without) / batch.length).toFixed(3)} ns an event of a batch of ${batch.length}`,
  )
}
