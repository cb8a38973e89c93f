/**
 * Nodes that share a topic of twelve partitions through a consumer group, under load, while brokers and nodes are killed,
 * stopped for 30 seconds and started again: nothing that a producer was told is lost, nothing is stored twice.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Backbone } from './backbone.ts'
import { Brokers } from './brokers.ts'

const perSecond = 1500
const pauseMilliseconds = Number(process.env['MILLRACE_PAUSE'] ?? 30_000)
let brokers: Brokers
let backbone: Backbone | undefined

beforeAll(async () => {
  brokers = await Brokers.start()
})
afterAll(() => brokers?.dispose())
afterEach(async () => {
  await backbone?.dispose()
  backbone = undefined
})

async function start(topic: string, nodes: number): Promise<Backbone> {
  backbone = await Backbone.start(
    { brokers, topic },
    Array.from({ length: nodes }, () => ({})),
  )
  backbone.lines.write(backbone.sender, 100)
  await backbone.untilStored(100)
  return backbone
}

const nothingWrong = { missing: 0, doubled: 0 }

describe('a consumer group under load', () => {
  it('keeps every event once while the coordinator of the group is killed and comes back', async () => {
    const all = await start('broker-killed', 3)
    const coordinator = await brokers.coordinator('broker-killed')
    const load = all.send(perSecond, 30)
    await wait(5000)
    await brokers.kill(coordinator)
    await wait(15_000)
    await brokers.startBroker(coordinator)
    await load
    expect(await all.outcome()).toEqual(nothingWrong)
  })

  it('keeps every event once while a node is killed and another one comes', async () => {
    const all = await start('node-killed', 3)
    const load = all.send(perSecond, 30)
    await wait(5000)
    all.nodes[1]!.signal('SIGKILL')
    await wait(3000)
    await all.startNode()
    await load
    expect(await all.outcome()).toEqual(nothingWrong)
  })

  it('keeps every event once while a broker stands still', async () => {
    const all = await start('broker-stopped', 3)
    const coordinator = await brokers.coordinator('broker-stopped')
    const load = all.send(perSecond, 10 + pauseMilliseconds / 1000)
    await wait(5000)
    brokers.signal(coordinator, 'SIGSTOP')
    await wait(pauseMilliseconds)
    brokers.signal(coordinator, 'SIGCONT')
    await load
    expect(await all.outcome(180_000)).toEqual(nothingWrong)
  })

  it('keeps every event once while a node stands still for longer than its session', async () => {
    const all = await start('node-stopped', 3)
    const load = all.send(perSecond, 10 + pauseMilliseconds / 1000)
    await wait(5000)
    all.nodes[0]!.signal('SIGSTOP')
    await wait(pauseMilliseconds)
    all.nodes[0]!.signal('SIGCONT')
    await load
    expect(await all.outcome()).toEqual(nothingWrong)
  })

  it('keeps every event once while the sending node is killed and started again', async () => {
    const all = await start('sender-killed', 2)
    for (let kills = 0; kills < 5; kills++) {
      await all.send(perSecond, 2)
      // What it has read by now is in its queue; of the rest nobody was told that it is safe.
      await wait(1500)
      const { folder } = all.sender
      all.lines.write(all.sender, 3000)
      await wait(300 + Math.random() * 300)
      all.sender.signal('SIGKILL')
      await all.sender.exit()
      await all.startSender(folder)
    }
    const { doubled } = await all.outcome(15_000)
    expect(doubled).toBe(0)
  })
})
