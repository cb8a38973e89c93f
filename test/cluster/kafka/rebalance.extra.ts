/**
 * Nodes come and go as they do in a rolling restart. Their output has no names to go by, so that every line that is read
 * twice would be seen.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OUT } from '../../support/millrace.ts'
import { Backbone } from './backbone.ts'
import { Brokers } from './brokers.ts'

let brokers: Brokers
let backbone: Backbone | undefined

beforeAll(async () => {
  brokers = await Brokers.start()
})
afterAll(async () => {
  await backbone?.dispose()
  await brokers?.dispose()
})

it('hands every record over once while nodes join the group and leave it', async () => {
  backbone = await Backbone.start({ brokers, topic: 'rolling', output: OUT }, [{}])
  const { nodes, lines } = backbone
  const load = backbone.send(1500, 40)
  await wait(3000)
  await backbone.startNode()
  await wait(3000)
  await backbone.startNode()
  await wait(3000)
  nodes[0]!.signal('SIGTERM')
  expect(await nodes[0]!.exit(60_000)).toMatchObject({ code: 0 })
  await backbone.startNode()
  await load
  const seen = () => nodes.flatMap((node) => node.events().map(({ n }) => Number(n)))
  for (const end = Date.now() + 90_000; new Set(seen()).size < lines.sent && Date.now() < end; )
    await wait(500)
  await wait(3000)
  const all = seen()
  expect({ missing: lines.sent - new Set(all).size, doubled: all.length - new Set(all).size }).toEqual({
    missing: 0,
    doubled: 0,
  })
  // All of them had their share.
  for (const node of nodes) expect(node.eventLines().length).toBeGreaterThan(100)
})
