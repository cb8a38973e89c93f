// Leaves documents in the log of a store and nowhere else, as a crash does: node bench/store/tail.mjs ENGINE DIRECTORY COUNT
// [replacing]. ENGINE is the bundle of bench/store/engine.ts. `replacing`: each has the id of another, which is in a
// segment.
import { pathToFileURL } from 'node:url'
import { lines } from '../generate/store-logs.mjs'

const PER_BODY = 5000
const SEED = 43
// A prime, so that the documents replaced are spread over the segment.
const STRIDE = 7919

const [engine, directory, count, replacing] = process.argv.slice(2)
// Nothing is flushed behind our back.
globalThis.setInterval = () => ({ unref() {} })
const { openStore } = await import(pathToFileURL(engine).href)
const store = await openStore(directory)
const { segment } = store.readers('logs')[0].leaves[0]
let actions = []
let written = 0
for (const line of lines(Number(count), SEED)) {
  const id = replacing === undefined ? undefined : segment.id((written * STRIDE) % segment.docCount)
  written += 1
  actions.push({ kind: 'index', index: 'logs', id, source: Buffer.from(line) })
  if (actions.length < PER_BODY) continue
  await store.write(actions, true)
  actions = []
}
if (actions.length > 0) await store.write(actions, true)
process.exit()
