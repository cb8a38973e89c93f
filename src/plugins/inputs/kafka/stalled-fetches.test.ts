import { describe, expect, it } from 'vitest'
import type { KafkaConsumer, KafkaStream } from './client.ts'
import { StalledFetches } from './stalled-fetches.ts'

function watched(partitions = [1]) {
  let now = 0
  const socket = { bytesRead: 0 }
  const stream = { connections: [['a:1', { socket }]] } as unknown as KafkaStream
  const brokers = new Map([[7, { host: 'a', port: 1 }]])
  const consumer = {
    currentMetadata: { brokers },
    assignments: [{ topic: 't', partitions }],
  } as unknown as KafkaConsumer
  const fetches = new StalledFetches(100, () => now)
  fetches.watch(stream, consumer)
  return {
    fetches,
    socket,
    stalledAfter(milliseconds: number) {
      now += milliseconds
      return fetches.areStalled()
    },
  }
}

describe('stalled fetches', () => {
  it('are those that a broker does not begin to answer', () => {
    const { fetches, stalledAfter } = watched()
    fetches.begin(7)
    expect(stalledAfter(100)).toBe(false)
    expect(stalledAfter(1)).toBe(true)
    fetches.end(7)
    expect(stalledAfter(500)).toBe(false)
  })

  it('are not those whose answer is long', () => {
    const { fetches, socket, stalledAfter } = watched()
    fetches.begin(7)
    for (let i = 0; i < 5; i++) {
      socket.bytesRead += 1
      expect(stalledAfter(99)).toBe(false)
    }
    expect(stalledAfter(101)).toBe(true)
  })

  it('are there when nothing is fetched at all although there are partitions', () => {
    expect(watched().stalledAfter(101)).toBe(true)
    expect(watched([]).stalledAfter(101)).toBe(false)
  })
})
