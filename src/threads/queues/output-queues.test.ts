import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Event } from '../../event/event.ts'
import { encodeEvents } from '../../event/wire.ts'
import { buildPlan, type Plan, pluginsOf } from '../../pipeline/plan/plan.ts'
import { Registry } from '../../plugin/registry.ts'
import { catalogue } from '../../plugins/catalogue.ts'
import { defaultQueueSettings } from '../../queue/persisted/queue-options.ts'
import { diskFiles } from '../../storage/files.ts'
import { OutputQueues } from './output-queues.ts'

let directory = ''
let log: string[] = []

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'millrace-output-queues-'))
  log = []
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

async function planOf(outputs: string): Promise<Plan> {
  const text = `input { stdin {} } output { ${outputs} }`
  const { plan } = await buildPlan([{ protocol: 'string', id: 'test', text }], {
    registry: new Registry(catalogue, { roots: [] }),
    ecs: 'disabled',
    conditions: 'logstash',
    supportEscapes: false,
    escapeAware: false,
    strict: false,
    substitute: (option) => option,
    substituteId: (id) => id,
  })
  return plan!
}

/** What waits for each output, after `put` events were pushed to it. */
async function visit(outputs: string, { put = 0, isIsolated = true } = {}): Promise<number[]> {
  const queues = new OutputQueues({ files: diskFiles, directory, log: (_level, text) => log.push(text) })
  const plan = await planOf(outputs)
  queues.use(plan, isIsolated)
  if (!isIsolated) return []
  const opened = await Promise.all(
    pluginsOf(plan.outputs).map((plugin) => queues.open(plugin, defaultQueueSettings)),
  )
  const found = opened.map(({ records }) => records)
  const events = Array.from({ length: put }, (_, number) => new Event({ number: BigInt(number) }))
  for (const queue of opened) {
    if (put > 0) await queue.push({ bytes: encodeEvents(events), from: 0, to: put })
    await queue.close()
  }
  return found
}

it('gives two outputs that are written alike a queue each', async () => {
  const twice = 'null {} null {}'
  await visit(twice, { put: 3 })
  expect(await visit(twice)).toEqual([3, 3])
  expect(readdirSync(join(directory, 'outputs'))).toHaveLength(2)
})

it('gives ids that are the same name of a file a queue each', async () => {
  const ids = 'null { id => "a b" } null { id => "a/b" }'
  await visit(ids, { put: 2 })
  expect(await visit(ids)).toEqual([2, 2])
})

it('passes what waits on to the output of the same kind that came in its place', async () => {
  await visit('file { path => "/tmp/a" } null {}', { put: 4 })
  expect(await visit('null {} file { path => "/tmp/b" }')).toEqual([4, 4])
  expect(log).toEqual([expect.stringContaining('The output file takes over 4 events')])
  expect(await visit('file { id => "named" path => "/tmp/b" } null {}')).toEqual([4, 4])
})

it('says where events wait when nobody can tell for which output', async () => {
  await visit('file { path => "/tmp/a" } file { path => "/tmp/b" }', { put: 4 })
  expect(await visit('file { path => "/tmp/c" }')).toEqual([0])
  expect(log).toEqual([
    expect.stringMatching(/^4 events wait in .* configuration has no more; `millrace queue export/),
    expect.stringMatching(/^4 events wait in /),
  ])
})

it('says where events wait for an output with an id that is gone', async () => {
  await visit('null { id => "old" }', { put: 1 })
  expect(await visit('null { id => "new" }')).toEqual([0])
  expect(log).toEqual([expect.stringContaining('outputs/id_old for an output that the configuration')])
})

it('says where events wait when isolation is off', async () => {
  await visit('null {}', { put: 1 })
  await visit('null {}', { isIsolated: false })
  expect(log).toEqual([expect.stringContaining('read only with `output.isolation: true`')])
})

it('locks a queue while it is open', async () => {
  const queues = new OutputQueues({ files: diskFiles, directory, log: () => {} })
  const plan = await planOf('null { id => "one" }')
  queues.use(plan, true)
  const queue = await queues.open(pluginsOf(plan.outputs)[0]!, defaultQueueSettings)
  const lock = join(directory, 'outputs', 'id_one', '.lock')
  expect(existsSync(lock)).toBe(true)
  await queue.close()
  expect(existsSync(lock)).toBe(false)
})
