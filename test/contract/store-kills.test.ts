/**
 * The program is killed again and again while several clients write: what was acknowledged is there afterwards, once,
 * with the value last acknowledged; what was not may be there or not, but never half. The long run has 200 kills.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Millrace } from '../support/millrace.ts'

const kills = process.env['MILLRACE_LONG'] === undefined ? 4 : 200
const clients = 4
const batch = 50
/** Per client: afterwards documents only change, so that no round takes longer than the one before. */
const maxDocuments = 5_000
const config = 'input { heartbeat { interval => 3600 } } output { null { } }'

/** Value by id: as acknowledged, and as last sent without an answer. */
interface Ledger {
  readonly acknowledged: Map<string, number>
  readonly sent: Map<string, number>
  next: number
}

interface Hit {
  readonly _id: string
  readonly _source: { readonly v: number }
}

/** Writes new documents and changes old ones until the connection breaks. */
async function write(
  millrace: Millrace,
  client: number,
  ledger: Ledger,
  random: () => number,
): Promise<void> {
  for (;;) {
    const changes = new Map<string, number>()
    for (let i = 0; i < batch; i++) {
      const isOld = ledger.next >= maxDocuments || (ledger.next > 10 && random() < 0.3)
      const number = isOld ? Math.floor(random() * ledger.next) : ledger.next++
      changes.set(`${client}-${number}`, Math.floor(random() * 1e9))
    }
    for (const [id, v] of changes) ledger.sent.set(id, v)
    const lines = [...changes].map(
      ([id, v]) => `{"index":{"_index":"kept","_id":"${id}"}}\n{"v":${v},"text":"value ${v}"}\n`,
    )
    const { status, json } = await millrace.search('POST', '/_bulk', lines.join(''))
    if (status !== 200 || json['errors'] !== false) throw new Error(JSON.stringify(json).slice(0, 500))
    for (const [id, v] of changes) {
      ledger.acknowledged.set(id, v)
      ledger.sent.delete(id)
    }
  }
}

/** Every document, in one answer: between two pages a merge may put documents in another order. */
async function everything(millrace: Millrace): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  const { json } = await millrace.search('GET', '/kept/_search?sort=_doc&size=10000000')
  const { hits, total } = json['hits'] as { hits: Hit[]; total: { value: number } }
  expect(hits.length).toBe(total.value)
  for (const { _id, _source } of hits) {
    expect(found.has(_id), `${_id} is there twice`).toBe(false)
    found.set(_id, _source.v)
  }
  return found
}

function check(found: ReadonlyMap<string, number>, ledgers: readonly Ledger[]): void {
  for (const { acknowledged, sent } of ledgers) {
    for (const [id, v] of acknowledged) {
      const value = found.get(id)
      const isRight = value === v || (sent.has(id) && value === sent.get(id))
      expect(isRight, `${id}: acknowledged ${v}, found ${value}`).toBe(true)
    }
  }
}

/** What was sent without an answer and got in all the same counts from now on. */
function settle(found: ReadonlyMap<string, number>, ledgers: readonly Ledger[]): void {
  for (const { acknowledged, sent } of ledgers) {
    for (const [id, v] of sent) if (found.get(id) === v) acknowledged.set(id, v)
    sent.clear()
  }
}

function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

it(
  `survives ${kills} kills under load`,
  async () => {
    const seed = Number(process.env['MILLRACE_SEED'] ?? Date.now() % 1e9)
    console.info(`seed ${seed} (MILLRACE_SEED)`)
    const random = seeded(seed)
    const folder = await mkdtemp(join(tmpdir(), 'millrace-kills-'))
    const ledgers = Array.from(
      { length: clients },
      (): Ledger => ({ acknowledged: new Map(), sent: new Map(), next: 0 }),
    )
    try {
      for (let round = 0; round <= kills; round++) {
        const millrace = await Millrace.start({ config, search: true, folder })
        try {
          await millrace.untilSearchable()
          if (round === 0) {
            const settings = { settings: { number_of_shards: 2, refresh_interval: '100ms' } }
            expect((await millrace.search('PUT', '/kept', settings)).status).toBe(200)
          } else {
            await millrace.search('POST', '/kept/_refresh')
            const found = await everything(millrace)
            check(found, ledgers)
            settle(found, ledgers)
          }
          if (round === kills) break
          const writing = ledgers.map((ledger, client) =>
            write(millrace, client, ledger, random).catch((error: Error) => error),
          )
          await wait(50 + random() * 350)
          // A flush or a merge at the moment of the kill is the hardest case.
          if (random() < 0.5) void millrace.search('POST', '/kept/_flush').catch(() => undefined)
          if (random() < 0.3)
            void millrace.search('POST', '/kept/_forcemerge?max_num_segments=1').catch(() => undefined)
          await wait(random() * 60)
          millrace.signal('SIGKILL')
          await millrace.exit()
          for (const error of await Promise.all(writing))
            expect((error as Error).message).toMatch(/fetch failed|terminated|closed|ECONN/)
        } finally {
          await millrace.dispose()
        }
      }
      expect(ledgers.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)).toBeGreaterThan(
        kills * 10,
      )
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
  kills * 15_000 + 60_000,
)
