/**
 * The persisted queue against the memory queue: events of 500 bytes from four senders, each waiting for its answer,
 * in frames of 128 events; and how long one acknowledged event takes against one fdatasync.
 *   node bench/persisted-queue.mjs [SECONDS] [DIRECTORY]
 */
import { closeSync, fdatasync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const seconds = Number(process.argv[2] ?? 3)
const folder = mkdtempSync(join(process.argv[3] ?? tmpdir(), 'millrace-queue-bench-'))
const entry = join(folder, 'entry.mjs')
const source = new URL('../src/', import.meta.url).pathname
const bundle = await rolldown({
  input: 'entry',
  platform: 'node',
  plugins: [
    {
      name: 'entry',
      resolveId: (id) => (id === 'entry' ? id : null),
      load: (id) =>
        id === 'entry'
          ? [
              'queue/memory-queue.ts',
              'queue/persisted/persisted-queue.ts',
              'queue/persisted/queue-options.ts',
              'pipeline/frame.ts',
              'pipeline/frame-record.ts',
              'storage/files.ts',
            ]
              .map((path) => `export * from '${source}${path}'`)
              .join('\n')
          : null,
    },
  ],
})
await bundle.write({ file: entry, format: 'esm' })
const lib = await import(pathToFileURL(entry).href)

const events = 128
const chunk = Buffer.alloc(events * 501, 'x')
const ends = Uint32Array.from({ length: events }, (_, i) => i * 501 + 500)
const origin = { fields: [['[host][ip]', '10.0.0.1']] }
const frame = (bytes, ownEnds) => ({
  input: 0,
  codec: -1,
  origin,
  millis: Date.now(),
  nanos: 0,
  bytes,
  ends: ownEnds,
  gap: 1,
  from: 0,
  to: ownEnds.length,
  repeated: false,
  counter: undefined,
  events: null,
  wire: false,
  ticket: null,
})
const codec = new lib.FrameRecords({ idOf: () => 'tcp', positionOf: () => 0 })

/** Stands for a worker: text of each record is made and its length added up. */
function work(item) {
  let total = 0
  const text = item.bytes.toString('latin1', 0, item.bytes.length)
  for (let i = item.from; i < item.to; i++) {
    const from = i === 0 ? 0 : item.ends[i - 1] + item.gap
    total += JSON.stringify({ message: text.slice(from, item.ends[i]) }).length
  }
  return total
}

async function measured(push, drain) {
  const cpu = process.cpuUsage()
  const end = performance.now() + seconds * 1000
  let count = 0
  const sender = async () => {
    while (performance.now() < end) {
      await push(frame(Buffer.from(chunk), ends.slice()))
      count += events
      drain()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await Promise.all([sender(), sender(), sender(), sender()])
  const { user, system } = process.cpuUsage(cpu)
  return { perCpuSecond: count / ((user + system) / 1e6), perSecond: count / seconds }
}

async function memory() {
  const limits = { records: 1000, bytes: 64 * 1024 * 1024 }
  const queue = new lib.MemoryQueue(limits, lib.frameBytes, lib.splitFrame)
  return measured(
    (item) => queue.push(item),
    () => {
      for (const item of queue.take(1000)) work(item)
    },
  )
}

async function persisted() {
  const env = { files: lib.diskFiles, directory: join(folder, `q${Math.random()}`), log: () => {} }
  const queue = await lib.PersistedQueue.open(env, lib.defaultQueueSettings, codec)
  const result = await measured(
    (item) => queue.push(item),
    () => {
      const taken = queue.take(1000)
      for (const { item } of taken) work(item)
      queue.acknowledge(taken)
    },
  )
  await queue.close()
  return result
}

async function latencies() {
  const env = { files: lib.diskFiles, directory: join(folder, 'latency'), log: () => {} }
  const queue = await lib.PersistedQueue.open(env, lib.defaultQueueSettings, codec)
  const file = openSync(join(folder, 'plain'), 'w')
  const bytes = Buffer.alloc(600, 'y')
  const times = { fdatasync: [], push: [] }
  for (let i = 0; i < 400; i++) {
    let started = performance.now()
    writeSync(file, bytes)
    await new Promise((resolve) => fdatasync(file, resolve))
    times.fdatasync.push(performance.now() - started)
    started = performance.now()
    await queue.push(frame(chunk.subarray(0, 500), Uint32Array.of(500)))
    times.push.push(performance.now() - started)
    queue.acknowledge(queue.take(10))
  }
  closeSync(file)
  await queue.close()
  return times
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1]
try {
  const shares = []
  for (let round = 0; round < 3; round++) {
    const [m, p] = [await memory(), await persisted()]
    shares.push(p.perCpuSecond / m.perCpuSecond)
    console.log(
      `memory ${Math.round(m.perCpuSecond)} persisted ${Math.round(p.perCpuSecond)} events per CPU second, ` +
        `${Math.round(m.perSecond)} and ${Math.round(p.perSecond)} per second`,
    )
  }
  console.log(`persisted / memory, events per CPU second: ${(median(shares) * 100).toFixed(0)} %`)
  const { fdatasync: plain, push } = await latencies()
  console.log(
    `p50 of one append and fdatasync ${median(plain).toFixed(3)} ms, of an acknowledged event ${median(push).toFixed(3)} ms`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
