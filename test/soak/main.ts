/**
 * The soak: the real program under a mixed load for as long as asked, with what happens to a program in a long time:
 * searches, dashboards, reloads, threads that die. It ends by itself, prints a table and a verdict on each promise, and
 * exits with 1 when one does not hold. `npm run soak -- --help`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { peakMegabytes } from '../support/process-figures.ts'
import { Load } from './load.ts'
import { readOptions, type SoakOptions, usage } from './options.ts'
import { Program } from './program.ts'
import { highestRate } from './ramp.ts'
import { Readers } from './readers.ts'
import { type Flatness, machineClass, type SoakResult, tableOf, verdictsOf } from './report.ts'
import { Samples } from './samples.ts'
import { eventually } from './sender.ts'
import { type Point, quantile, trendOf } from './trend.ts'
import { type Comparison, compareFile, compareStore } from './verify.ts'

const maxWarmupSeconds = 600
const drainLimit = 120_000
const exitLimit = 60_000
/** How long events may carry a mark that ends a worker, in milliseconds. */
const killLimit = 20_000
/** Growth over the whole run that counts as none: 2 % of the limit in memory, 5 % of the files and at least 5. */
const memoryTolerance = 0.02

const options = readOptions(process.argv.slice(2))
if (options === undefined) process.stdout.write(usage)
else process.exitCode = await soak(options)

async function soak(options: SoakOptions): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-soak-'))
  const program = await Program.start(options, folder).catch((error: Error) => {
    rmSync(folder, { recursive: true, force: true })
    throw error
  })
  try {
    if (typeof program.cgroup === 'string') say(`memory is only watched, not enforced: ${program.cgroup}`)
    const result = await measure(program, options)
    const verdicts = verdictsOf(result)
    mkdirSync(options.out, { recursive: true })
    const path = resolve(options.out, `soak-${result.date.replace(/[:.]/g, '-')}.json`)
    writeFileSync(path, `${JSON.stringify({ ...result, verdicts }, null, 2)}\n`)
    process.stdout.write(`\n${tableOf(result)}\n\n`)
    for (const [kind, { count, p50, p99, max }] of Object.entries(result.latencies)) {
      say(`${kind}: ${count}, p50 ${p50.toFixed(0)}, p99 ${p99.toFixed(0)}, max ${max.toFixed(0)} ms`)
    }
    for (const text of result.trouble) say(`log: ${text}`)
    for (const { what, holds } of verdicts) say(`${holds ? 'holds ' : 'BROKEN'} ${what}`)
    say(`figures in ${path}`)
    return verdicts.every(({ holds }) => holds) ? 0 : 1
  } finally {
    await program.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(program: Program, options: SoakOptions): Promise<SoakResult> {
  const { millrace, cgroup } = program
  const load = new Load(program.ports)
  await load.start()
  const samples = new Samples(millrace.pid, () => load.sent)
  const readers = new Readers(program.endpoints, options.searches)
  let rateHighest: number | undefined
  if (options.rate === undefined) {
    rateHighest = await highestRate({
      setRate: (rate) => {
        load.rate = rate
      },
      sent: () => load.sent,
      inside: () => program.inside(),
      say,
    })
  }
  const rateWanted = Math.max(1, Math.round(options.rate ?? rateHighest! * options.share))
  load.rate = rateWanted
  const seconds = options.minutes * 60
  const began = samples.seconds
  const warm = began + Math.min(maxWarmupSeconds, seconds / 3)
  say(`${rateWanted} events/s for ${options.minutes} min`)
  const disturbances = disturb(program, load, options)
  let isWarm = false
  let isInterrupted = false
  // Ends the load; what was sent so far is compared all the same.
  process.once('SIGTERM', () => {
    isInterrupted = true
  })
  for (let last = began; samples.seconds < began + seconds && millrace.running && !isInterrupted; ) {
    await wait(250)
    if (!isWarm && samples.seconds > warm) {
      isWarm = true
      readers.reset()
    }
    if (samples.seconds - last < 30) continue
    const now = samples.seconds
    say(
      `${Math.round(now - began)} s: ${Samples.rate(samples.sent, last).toFixed(0)} events/s, ${samples.memory.at(-1)?.value.toFixed(0)} MB, ${samples.files.at(-1)?.value} files`,
    )
    last = now
  }
  const end = samples.seconds
  for (const timer of disturbances) clearInterval(timer)
  const trouble: string[] = []
  const comparisons: Comparison[] = []
  let peak = Number.NaN
  if (millrace.running) {
    readers.stop()
    peak = peakMegabytes(millrace.pid)
    await load.finish(drainLimit)
    if (!(await eventually(async () => (await program.inside()) === 0, drainLimit))) {
      trouble.push(`${await program.inside()} events did not come out of the pipeline`)
    }
    try {
      comparisons.push(await compareStore(program.endpoints.search, load.senders))
    } catch (error) {
      trouble.push(`the store could not be read: ${(error as Error).message}`)
    }
  } else trouble.push(`ended early after ${Math.round(end - began)} s`)
  readers.stop()
  samples.stop()
  if (millrace.running) millrace.signal('SIGTERM')
  const exit = await millrace.exit(exitLimit).catch(() => ({ code: null }))
  await load.finish(1000)
  try {
    comparisons.push(await compareFile(join(millrace.folder, 'out.lines'), load.senders))
  } catch (error) {
    trouble.push(`the file could not be read: ${(error as Error).message}`)
  }
  const measured = (points: readonly Point[]) =>
    points.filter(({ seconds }) => seconds >= warm && seconds <= end)
  return {
    date: new Date().toISOString(),
    machine: machineClass(),
    node: process.version,
    minutes: Math.round((end - began) / 6) / 10,
    memoryLimitMegabytes: options.memory,
    ...(typeof cgroup === 'string' && { cgroupSkipped: cgroup }),
    workers: options.workers,
    queue: options.queue,
    rateWanted,
    ...(rateHighest !== undefined && { rateHighest }),
    eventsPerSecond: Samples.rate(samples.sent, began, end),
    sent: load.sent,
    acknowledged: load.senders.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0),
    comparisons,
    memory: flatness(measured(samples.memory), options.memory * memoryTolerance),
    files: flatness(measured(samples.files), Math.max(5, 0.05 * (samples.files.at(-1)?.value ?? 0))),
    peakMegabytes: peak,
    kernelKills: typeof cgroup === 'string' ? 0 : cgroup.kills,
    processorShare: Samples.rate(samples.processor, began, end),
    latencies: Object.fromEntries(
      [...readers.times].map(([kind, times]) => [
        kind,
        {
          count: times.length,
          p50: quantile(times, 0.5),
          p99: quantile(times, 0.99),
          max: times.reduce((most, time) => Math.max(most, time), 0),
        },
      ]),
    ),
    failedRequests: Object.fromEntries(readers.failures),
    senders: Object.fromEntries(
      load.senders.map(({ via, sent, resent, refused, broken }) => [via, { sent, resent, refused, broken }]),
    ),
    killEvery: options.killEvery,
    workerKills: program.workerKills,
    reloads: program.reloads,
    exitCode: exit.code,
    trouble: [...trouble, ...program.problems()],
  }
}

/** Reloads and dying threads, each at its own pace. */
function disturb(program: Program, load: Load, { killEvery, reloadEvery }: SoakOptions): NodeJS.Timeout[] {
  const timers: NodeJS.Timeout[] = []
  if (killEvery > 0) timers.push(setInterval(() => void endWorker(program, load), killEvery * 1000))
  if (reloadEvery > 0) timers.push(setInterval(() => program.reload(), reloadEvery * 1000))
  return timers
}

/** Events are marked until a worker has died of one; a new configuration meanwhile begins with one worker again. */
async function endWorker(program: Program, load: Load): Promise<void> {
  const before = program.workerKills
  load.tcp.mark(`kill-${before + 1}`)
  await eventually(() => program.workerKills > before || !program.millrace.running, killLimit)
  load.tcp.mark(undefined)
}

function flatness(points: readonly Point[], tolerance: number): Flatness {
  const values = points.map(({ value }) => value)
  const { slope, noise, isFlat } = trendOf(points, tolerance)
  return {
    median: quantile(values, 0.5),
    max: values.reduce((most, value) => Math.max(most, value), 0),
    slopePerHour: slope,
    noisePerHour: noise,
    isFlat: isFlat && points.length > 0,
  }
}

function say(text: string): void {
  process.stdout.write(`soak: ${text}\n`)
}
