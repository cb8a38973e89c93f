// Prometheus' own checker reads what the built program says under /metrics: names, types, help, escaping.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const binary = process.env.MILLRACE_BINARY ?? fileURLToPath(new URL('../../bin/millrace.js', import.meta.url))
const startLimit = 30_000

const config = `
input { generator { count => 1000 id => "quote \\" and \\\\ backslash" } heartbeat { interval => 1 } }
filter { mutate { add_tag => ["x"] } drop { percentage => 10 } }
output { null { } }
`

const folder = mkdtempSync(join(tmpdir(), 'millrace-promtool-'))
writeFileSync(join(folder, 'pipeline.conf'), config)
const port = await freePort()
const flags = ['--path.settings', folder, '--path.data', join(folder, 'data')]
const child = spawn(
  process.execPath,
  [binary, '-f', join(folder, 'pipeline.conf'), ...flags, '--api.http.port', String(port)],
  { stdio: 'ignore' },
)
const ended = once(child, 'exit')
try {
  const metrics = await scrape()
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: metrics,
    encoding: 'utf8',
  })
  const samples = metrics.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length
  console.log(`${samples} samples: ${status === 0 ? 'nothing to complain about' : `${stdout}${stderr}`}`)
  process.exitCode = status === 0 ? 0 : 1
} finally {
  child.kill('SIGTERM')
  await ended
  rmSync(folder, { recursive: true, force: true })
}

/** The metrics, once events have passed. */
async function scrape() {
  const end = Date.now() + startLimit
  while (Date.now() < end) {
    const text = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(5000) })
      .then((response) => response.text())
      .catch(() => '')
    if (/^millrace_pipeline_events_out_total\{.*\} [1-9]/m.test(text)) return text
    await sleep(200)
  }
  throw new Error('no events in the metrics')
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  await once(server.close(), 'close')
  return port
}
