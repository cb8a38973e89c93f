/**
 * A pipeline with a persisted queue is killed again and again while senders write over HTTP, by the Lumberjack protocol
 * and into a file. Whatever was acknowledged is in the store once, with its copy, and in the file output at least once.
 * The long run has 300 kills.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { LumberjackClient, windowOf } from '../../src/plugins/lumberjack/test-client.ts'
import { seededRandom } from '../../src/storage/simulated-disk.ts'
import { freePort, type Json, Millrace } from '../support/millrace.ts'

const kills = process.env['MILLRACE_LONG'] === undefined ? 5 : Number(process.env['MILLRACE_KILLS'] ?? 300)
const seed = Number(process.env['MILLRACE_SEED'] ?? Date.now() % 1e9)
const random = seededRandom(seed)
const settings =
  'queue.type: persisted\nqueue.max_bytes: 256mb\nqueue.page_capacity: 1mb\nshutdown.grace: 1ms\n'
/** The others end by SIGTERM, with batches under way. */
const killShare = Number(process.env['MILLRACE_KILL_SHARE'] ?? 0.6)
const pipelineWorkers = '2'
const windowEvents = 40

/** Numbers by the way they came. */
class Ledger {
  readonly acknowledged = new Map<string, number[]>([
    ['http', []],
    ['beats', []],
    ['file', []],
  ])
  #next = 0

  take(count: number): number[] {
    return Array.from({ length: count }, () => this.#next++)
  }
}

interface Ports {
  readonly http: number
  readonly beats: number
}

function pipeline({ http, beats }: Ports, folder: string): string {
  return `
input {
  http { host => "127.0.0.1" port => ${http} codec => json }
  beats { host => "127.0.0.1" port => ${beats} }
  file { path => "${folder}/in.log" start_position => "beginning" codec => json sincedb_path => "${folder}/sincedb" stat_interval => 0.05 }
}
filter { if [via] == "http" { clone { clones => ["copy"] add_field => { "twin" => "yes" } } } }
output {
  millrace { id => "store" index => "kept" }
  file { id => "lines" path => "${folder}/out" codec => line { format => "%{via} %{seq}" } }
}`
}

/** A request that got no answer is not sent again: its events may be there once, and need not. */
async function sendHttp(port: number, ledger: Ledger, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const numbers = ledger.take(1 + Math.floor(random() * 20))
    const body = JSON.stringify(numbers.map((seq) => ({ via: 'http', seq })))
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers }).catch(
      () => undefined,
    )
    if (answer?.status === 200) ledger.acknowledged.get('http')!.push(...numbers)
    else await wait(20)
  }
}

/** As Filebeat does: what was not acknowledged is sent again, byte for byte. */
class BeatsSender {
  readonly #ledger: Ledger
  #window: { numbers: number[]; texts: string[] } | undefined

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  async send(port: number, isOver: () => boolean): Promise<void> {
    while (!isOver() || this.#window !== undefined) {
      let client: LumberjackClient | undefined
      try {
        client = await LumberjackClient.connect(port)
        while (!isOver() || this.#window !== undefined) {
          this.#window ??= this.#newWindow()
          client.send(windowOf(this.#window.texts))
          let ack: string
          do ack = await client.ack()
          while (ack !== 'closed' && Number(ack.slice(2)) < windowEvents)
          if (ack === 'closed') break
          this.#ledger.acknowledged.get('beats')!.push(...this.#window.numbers)
          this.#window = undefined
        }
      } catch {
        // Not listening at present.
      }
      client?.close()
      if (isOver() && this.#window !== undefined && gaveUp) return
      await wait(20)
    }
  }

  #newWindow() {
    const numbers = this.#ledger.take(windowEvents)
    const texts = numbers.map((seq) =>
      JSON.stringify({
        via: 'beats',
        seq,
        message: `line ${seq}`,
        log: { offset: seq, file: { path: '/var/log/x' } },
      }),
    )
    return { numbers, texts }
  }
}
let gaveUp = false

async function appendLines(path: string, ledger: Ledger, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const numbers = ledger.take(1 + Math.floor(random() * 30))
    appendFileSync(path, numbers.map((seq) => `${JSON.stringify({ via: 'file', seq })}\n`).join(''))
    // What is in the file is there for good: the input has to find it.
    ledger.acknowledged.get('file')!.push(...numbers)
    await wait(5)
  }
}

async function documents(millrace: Millrace): Promise<string[]> {
  await millrace.search('POST', '/kept/_refresh')
  const found: string[] = []
  let after: unknown
  for (;;) {
    const { json } = await millrace.search('POST', '/kept/_search', {
      size: 5000,
      sort: [{ seq: 'asc' }, { 'twin.keyword': 'asc' }],
      ...(after !== undefined && { search_after: after }),
    })
    const { hits } = (json as unknown as { hits: { hits: { _source: Json; sort: unknown }[] } }).hits
    if (hits.length === 0) return found
    for (const { _source } of hits) found.push(`${_source['via']} ${_source['seq']} ${_source['twin'] ?? ''}`)
    after = hits.at(-1)!.sort
  }
}

const start = (folder: string, ports: Ports) =>
  Millrace.start({
    folder,
    config: pipeline(ports, folder),
    settings,
    search: true,
    api: true,
    args: ['-w', pipelineWorkers],
  })

it(
  `keeps every acknowledged event through ${kills} kills, once in the store`,
  async () => {
    gaveUp = false
    const folder = await mkdtemp(join(tmpdir(), 'millrace-kills-'))
    const ports = { http: await freePort(), beats: await freePort() }
    const ledger = new Ledger()
    const beats = new BeatsSender(ledger)
    let millrace = await start(folder, ports)
    try {
      for (let kill = 0; kill <= kills; kill++) {
        await millrace.untilSearchable()
        let isOver = false
        const over = () => isOver
        const senders = [
          sendHttp(ports.http, ledger, over),
          sendHttp(ports.http, ledger, over),
          appendLines(join(folder, 'in.log'), ledger, over),
        ]
        const lumber = beats.send(ports.beats, over)
        await wait(200 + random() * 600)
        if (kill === kills) {
          isOver = true
          await Promise.all([...senders, lumber])
          break
        }
        millrace.signal(random() < killShare ? 'SIGKILL' : 'SIGTERM')
        await millrace.exit()
        isOver = true
        gaveUp = true
        await Promise.all([...senders, lumber])
        gaveUp = false
        millrace = await start(folder, ports)
      }
      const expected = [...ledger.acknowledged].flatMap(([via, numbers]) =>
        numbers.map((seq) => `${via} ${seq} `),
      )
      const twins = ledger.acknowledged.get('http')!.map((seq) => `http ${seq} yes`)
      const wanted = new Set([...expected, ...twins])
      let found: string[] = []
      for (let left = 100; left > 0; left--) {
        found = await documents(millrace)
        const have = new Set(found)
        if ([...wanted].every((one) => have.has(one))) break
        await wait(200)
      }
      const have = new Set(found)
      const lost = [...wanted].filter((one) => !have.has(one))
      const out = join(folder, 'out')
      const lines = existsSync(out) ? new Set(readFileSync(out, 'utf8').split('\n')) : new Set<string>()
      const lostLines = expected.map((one) => one.trimEnd()).filter((one) => !lines.has(one))
      const context = `seed ${seed}, ${wanted.size} documents acknowledged`
      console.log(`${context}, ${found.length} found, ${kills} kills`)
      expect(lost.slice(0, 5), `lost from the store: ${lost.length}; ${context}`).toEqual([])
      expect(found.length - have.size, `twice in the store; ${context}`).toBe(0)
      expect(lostLines.slice(0, 5), `lost from the file: ${lostLines.length}; ${context}`).toEqual([])
    } finally {
      await millrace.dispose()
      await rm(folder, { recursive: true, force: true })
    }
  },
  40_000 + kills * 15_000,
)
