/**
 * Brokers and nodes in network namespaces of their own, and the way between two of them cut for 30 seconds: packets vanish,
 * connections stay open. Needs root.
 */
import { execFileSync } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Backbone } from './backbone.ts'
import { Brokers } from './brokers.ts'
import { Namespaces } from './namespaces.ts'

const cutMilliseconds = Number(process.env['MILLRACE_PAUSE'] ?? 30_000)
const canCut = process.getuid?.() === 0 && has('ip')
if (!canCut) console.log('skipped: network namespaces need root and the command ip')
let namespaces: Namespaces
let brokers: Brokers
let backbone: Backbone | undefined

function has(command: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${command}`])
    return true
  } catch {
    return false
  }
}

describe.skipIf(!canCut)('nodes and brokers whose network is cut', () => {
  beforeAll(async () => {
    namespaces = Namespaces.create(['b1', 'b2', 'b3', 'n1', 'n2'])
    const places = ['b1', 'b2', 'b3'].map((name) => ({
      host: namespaces.address(name),
      wrapper: namespaces.inside(name),
    }))
    brokers = await Brokers.start(places)
  })
  afterEach(async () => {
    await backbone?.dispose()
    backbone = undefined
  })
  afterAll(async () => {
    await brokers?.dispose()
    namespaces?.remove()
  })

  const start = async (topic: string) => {
    backbone = await Backbone.start(
      { brokers, topic, storeHost: namespaces.gateway },
      ['n1', 'n2'].map((name) => ({ wrapper: namespaces.inside(name) })),
    )
    backbone.lines.write(backbone.sender, 100)
    await backbone.untilStored(100)
    return backbone
  }

  it.each([
    ['a node and the coordinator of its group', 'node-broker'],
    ['two brokers', 'broker-broker'],
  ])('keep every event once while the way between %s is cut', async (_, topic) => {
    const all = await start(topic)
    const coordinator = `b${(await brokers.coordinator(topic)) + 1}`
    const other = topic === 'node-broker' ? 'n1' : coordinator === 'b1' ? 'b2' : 'b1'
    const load = all.send(1200, 10 + cutMilliseconds / 1000)
    await wait(5000)
    namespaces.cut(other, coordinator)
    await wait(cutMilliseconds)
    namespaces.mend(other, coordinator)
    await load
    expect(await all.outcome(180_000)).toEqual({ missing: 0, doubled: 0 })
  })
})
