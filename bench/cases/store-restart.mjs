// How long a node with 1 M documents takes from its start to the first answer that counts all of them: when they were
// flushed, and when the last of them are only in the log, as many as the store lets come together there before it
// flushes by itself: new documents, or such that replace others. The limit is a bare server's start and first answer.
import { execFile } from 'node:child_process'
import { cpSync, linkSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { version } from '../generate/store-logs.mjs'
import { measure } from '../measure.mjs'
import { pointCase, succeeded } from '../point.mjs'
import { answers, freePorts } from '../ports.mjs'
import { storeBundle } from '../store/bundle.mjs'

const DOCUMENTS = 1_000_000
const TAIL = 70_000
const SEED = 42
const quantity = {
  flushed: 'flushed, ms',
  logged: 'last in the log, ms',
  replacing: 'replacing others, ms',
}
const run = promisify(execFile)
const programs = join(import.meta.dirname, '..', 'store')
const limitProgram = join(import.meta.dirname, '..', 'limits', 'small-answers.mjs')
const config = 'input { heartbeat { interval => 3600 } } output { null { } }\n'

/** Segments never change, so they need not be copied. */
function copyStore(from, to) {
  for (const entry of readdirSync(from, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const source = join(entry.parentPath ?? entry.path, entry.name)
    const target = join(to, source.slice(from.length))
    mkdirSync(dirname(target), { recursive: true })
    if (entry.name.endsWith('.seg')) {
      try {
        linkSync(source, target)
        continue
      } catch {
        // Another file system.
      }
    }
    cpSync(source, target)
  }
}

async function counted(port, wanted, signal) {
  for (;;) {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/logs/_count`, { signal })
      const { count } = await answer.json()
      if (count === wanted) return
      if (count !== undefined) throw new Error(`${count} documents instead of ${wanted}`)
    } catch (error) {
      if (signal.aborted || error.cause?.code !== 'ECONNREFUSED') throw error
    }
    await sleep(5)
  }
}

async function started(start, store, wanted) {
  const [port] = await freePorts(1)
  let took
  const during = async ({ spawnedAt, signal }) => {
    await counted(port, wanted, signal)
    took = performance.now() - spawnedAt
  }
  const flags = ['--search.enabled', 'true', '--search.http.port', String(port), '--search.path', store]
  succeeded(await start(config, { during, flags }))
  return took
}

export default pointCase({
  id: 'store-restart',
  title: `start to the first count of ${DOCUMENTS} documents`,
  quantities: Object.values(quantity),
  async limit(options) {
    const [port] = await freePorts(1)
    let took
    const during = async ({ spawnedAt, signal }) => {
      await answers(port, signal)
      took = performance.now() - spawnedAt
    }
    succeeded(await measure([process.execPath, limitProgram, String(port)], { ...options, during }))
    return { [quantity.flushed]: took, [quantity.logged]: took, [quantity.replacing]: took }
  },
  async product(start, { directory, checkout, events = DOCUMENTS }) {
    const engine = await storeBundle(directory, { checkout })
    const kept = join(checkout, 'bench', 'data', `store-v${version}-seed${SEED}-${events}`)
    // Builds it unless it is there.
    await run(process.execPath, [join(programs, 'paging.mjs'), engine, kept, String(events), 'none'])
    const stores = ['flushed', 'logged', 'replacing'].map((name) => join(directory, name))
    for (const store of stores) copyStore(kept, store)
    const [flushed, logged, replacing] = stores
    const tail = [join(programs, 'tail.mjs'), engine]
    await run(process.execPath, [...tail, logged, String(TAIL)])
    await run(process.execPath, [...tail, replacing, String(TAIL), 'replacing'])
    return {
      [quantity.flushed]: await started(start, flushed, events),
      [quantity.logged]: await started(start, logged, events + TAIL),
      [quantity.replacing]: await started(start, replacing, events),
    }
  },
})
