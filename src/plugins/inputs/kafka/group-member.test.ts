import { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { PluginLogger } from '../../../plugin/define.ts'
import { Stop } from '../../receiving/stop.ts'
import type { KafkaConsumer, KafkaMessage, KafkaPackage } from './client.ts'
import { GroupMember } from './group-member.ts'

const kGetApi = Symbol('getApi')

/** As much of a consumer and its broker as a member can tell apart: offsets are kept here, streams begin there. */
class FakeConsumer extends EventEmitter {
  static all: FakeConsumer[] = []
  static committed = new Map<number, bigint>()
  static end = 5n
  memberId: string | null = null
  generationId = 0
  assignments: { topic: string; partitions: number[] }[] = []
  streams: Readable[] = []
  memberIdAtStart: string | null = null
  hasLeft = false

  constructor() {
    super()
    FakeConsumer.all.push(this)
  }

  async consume() {
    if (this.generationId === 0) {
      this.memberIdAtStart = this.memberId
      await this.join([0, 1], 1)
    }
    const stream = new Readable({ objectMode: true, highWaterMark: 1, read() {} })
    for (const partition of this.assignments[0]!.partitions) {
      for (let offset = FakeConsumer.committed.get(partition) ?? 0n; offset < FakeConsumer.end; offset++)
        stream.push({ topic: 't', partition, offset, value: Buffer.from('x') })
    }
    this.streams.push(stream)
    return stream
  }

  [kGetApi](name: string, callback: (error: null, api: unknown) => void) {
    callback(null, name)
  }

  /** As the package does: looks up the request, then asks for the place. */
  async join(
    partitions: number[],
    generation: number,
    member = this.memberId ?? `m${FakeConsumer.all.length}`,
  ) {
    await new Promise<void>((resolve) => this[kGetApi]('JoinGroup', () => resolve()))
    this.memberId = member
    this.generationId = generation
    this.assignments = [{ topic: 't', partitions }]
    this.emit('consumer:group:join')
  }

  fetch() {}
  clearMetadata() {}

  async commit({ offsets }: { offsets: { partition: number; offset: bigint }[] }) {
    for (const { partition, offset } of offsets) FakeConsumer.committed.set(partition, offset)
  }

  async leaveGroup() {
    this.hasLeft = this.memberId !== null
  }

  async close() {
    this.hasLeft ||= this.memberId !== null
  }
}

const atEnd: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of atEnd.splice(0)) await end()
  FakeConsumer.all = []
  FakeConsumer.committed = new Map()
})

function member({ sessionMilliseconds = 2000 } = {}) {
  const stop = new Stop()
  const taken: string[] = []
  const open: (() => void)[] = []
  const logger = { warn: vi.fn(), error: vi.fn(), info: vi.fn(), debug: vi.fn() } as unknown as PluginLogger
  const made = new GroupMember(
    {
      kafka: { Consumer: FakeConsumer as unknown as KafkaPackage['Consumer'], kGetApi },
      consumer: async () => ({}),
      consume: {},
      sessionMilliseconds,
      fetchWaitMilliseconds: 500,
      commitMilliseconds: 100_000,
      logger,
      abort: new AbortController().signal,
      handOver({ partition, offset }: KafkaMessage, done) {
        taken.push(`${partition}:${offset}`)
        open.push(done)
      },
    },
    stop,
  )
  const running = made.run()
  atEnd.push(() => {
    stop.request()
    for (const done of open) done()
    return running.catch(() => undefined)
  })
  const consumer = async (index = 0): Promise<FakeConsumer & KafkaConsumer> => {
    await vi.waitFor(() => expect(FakeConsumer.all.length).toBeGreaterThan(index))
    return FakeConsumer.all[index] as unknown as FakeConsumer & KafkaConsumer
  }
  return { made, running, taken, open, stop, consumer }
}

describe('a member of a group', () => {
  it('commits all it has handed over before its partitions are divided anew, and begins the next there', async () => {
    const { taken, open, consumer } = member()
    await vi.waitFor(() => expect(taken).toHaveLength(10))
    const one = await consumer()
    one.emit('consumer:group:rebalance')
    const joining = one.join([1], 2)
    await wait(50)
    expect(one.generationId).toBe(1)
    for (const done of open) done()
    await joining
    expect(FakeConsumer.committed).toEqual(
      new Map([
        [0, 5n],
        [1, 5n],
      ]),
    )
    await wait(50)
    expect(taken).toHaveLength(10)
    expect(one.streams[0]!.destroyed).toBe(true)
  })

  it('does not keep the group waiting for longer than half a session, and leaves what it lost to others', async () => {
    const { taken, open, consumer } = member({ sessionMilliseconds: 400 })
    await vi.waitFor(() => expect(taken).toHaveLength(10))
    const one = await consumer()
    const before = performance.now()
    one.emit('consumer:group:rebalance')
    await one.join([1], 2)
    expect(performance.now() - before).toBeGreaterThan(150)
    for (const done of open) done()
    // Nobody else had partition 1 meanwhile: what is under way is not handed over again.
    await wait(50)
    expect(taken).toHaveLength(10)
  })

  it('reads everything again from the committed offsets when others may have had its partitions', async () => {
    const { taken, consumer } = member()
    await vi.waitFor(() => expect(taken).toHaveLength(10))
    await (await consumer()).join([0, 1], 5, 'another')
    await vi.waitFor(() => expect(taken).toHaveLength(20))
  })

  it('hands nothing over after a session without a sign of life of the coordinator', async () => {
    const { running, taken, consumer } = member({ sessionMilliseconds: 300 })
    await vi.waitFor(() => expect(taken).toHaveLength(10))
    const one = await consumer()
    await wait(350)
    one.streams[0]!.push({ topic: 't', partition: 0, offset: 5n, value: Buffer.from('late') })
    await expect(running).rejects.toThrow('did not answer for the time of a session')
    expect(taken).toHaveLength(10)
  })

  it('is the same member again with another consumer when the coordinator is lost', async () => {
    const { made, running, taken, open, stop, consumer } = member()
    await vi.waitFor(() => expect(taken).toHaveLength(10))
    const first = await consumer()
    first.emit('consumer:heartbeat:error', { error: new Error('not coordinator') })
    await expect(running).rejects.toThrow('not coordinator')
    expect(first.hasLeft).toBe(false)
    const again = made.run()
    const second = await consumer(1)
    await vi.waitFor(() => expect(second.streams).toHaveLength(1))
    expect(second.memberIdAtStart).toBe('m1')
    // The generation is the one it knows: it goes on where it was.
    expect(taken).toHaveLength(10)
    for (const done of open) done()
    stop.request()
    await again
    expect(FakeConsumer.committed.get(0)).toBe(5n)
    expect(second.hasLeft).toBe(true)
  })

  it('opens another stream when one fails', async () => {
    const { taken, consumer } = member()
    await vi.waitFor(() => expect(taken).toHaveLength(10))
    const one = await consumer()
    one.streams[0]!.destroy(new Error('no leader'))
    await vi.waitFor(() => expect(one.streams).toHaveLength(2))
    FakeConsumer.end = 6n
    one.streams[1]!.push({ topic: 't', partition: 0, offset: 5n, value: Buffer.from('x') })
    FakeConsumer.end = 5n
    await vi.waitFor(() => expect(taken).toHaveLength(11))
  })
})
