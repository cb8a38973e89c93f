// The least a busy process can do to be asked how it does: threads that count as fast as they can, and a server on
// the main thread that answers with their sum and as much JSON as a real answer has.
// Usage: node api-polling.mjs PORT THREADS
import { createServer } from 'node:http'
import { isMainThread, Worker, workerData } from 'node:worker_threads'

const BATCH = 1000
const PLUGINS = 20

if (isMainThread) serve()
else count(workerData)

function serve() {
  const [port, threads] = process.argv.slice(2).map(Number)
  const shared = new SharedArrayBuffer(threads * 8)
  const counts = new Float64Array(shared)
  for (let row = 0; row < threads; row++)
    new Worker(new URL(import.meta.url), { workerData: { shared, row } })
  const filling = Array.from({ length: PLUGINS }, (_, n) => ({
    id: `${n}`.padStart(64, '0'),
    name: 'plugin',
    events: { in: n, out: n, duration_in_millis: n },
    flow: { worker_utilization: { current: 1.5, lifetime: 1.5 } },
  }))
  createServer((_request, response) => {
    const out = counts.reduce((sum, value) => sum + value, 0)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ events: { out }, filling }))
  }).listen(port, '127.0.0.1')
}

// An event is an object that is made, changed and dropped.
function count({ shared, row }) {
  const counts = new Float64Array(shared)
  for (;;) {
    const batch = []
    for (let n = 0; n < BATCH; n++) batch.push({ message: 'Hello world!', sequence: n })
    for (const event of batch) event.tags = ['x']
    counts[row] += batch.length
  }
}
