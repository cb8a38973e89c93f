// Leaves documents in the log of a store and nowhere else, as a crash does: node bench/store/tail.mjs ENGINE DIRECTORY COUNT.
// ENGINE is the bundle of bench/store/engine.ts.
import { pathToFileURL } from 'node:url'
import { lines } from '../generate/store-logs.mjs'

const PER_BODY = 5000
const SEED = 43

const [engine, directory, count] = process.argv.slice(2)
// Nothing is flushed behind our back.
globalThis.setInterval = () => ({ unref() {} })
const { openStore } = await import(pathToFileURL(engine).href)
const store = await openStore(directory)
let actions = []
for (const line of lines(Number(count), SEED)) {
  actions.push({ kind: 'index', index: 'logs', id: undefined, source: Buffer.from(line) })
  if (actions.length < PER_BODY) continue
  await store.write(actions, true)
  actions = []
}
if (actions.length > 0) await store.write(actions, true)
process.exit()
