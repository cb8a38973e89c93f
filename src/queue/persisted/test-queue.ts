/** A queue of numbered events for tests, and what is needed to open it on a simulated disk. */
import type { Files } from '../../storage/files.ts'
import type { QueueItem } from '../memory-queue.ts'
import { PersistedQueue } from './persisted-queue.ts'
import {
  type Delivery,
  defaultQueueSettings,
  type QueueEnvironment,
  type QueueSettings,
  type RecordCodec,
} from './queue-options.ts'

export interface Batch extends QueueItem {
  readonly ids: readonly number[]
}

/** The number of an event that cannot become a record. */
export const unencodable = 0xffff_ffff

export function batch(...ids: number[]): Batch {
  return { ids, from: 0, to: ids.length }
}

/** Each event is its number and as many bytes again as `padding` says. */
export function batchCodec(padding = 0): RecordCodec<Batch> {
  const bytes = 4 + padding
  return {
    encode({ ids, from, to }) {
      const payload = new Uint8Array((to - from) * bytes)
      const view = new DataView(payload.buffer)
      for (let i = from; i < to; i++) {
        if (ids[i]! === unencodable) throw new RangeError('no bytes can say this')
        view.setUint32((i - from) * bytes, ids[i]!)
        payload.fill(0x61 + (ids[i]! % 26), (i - from) * bytes + 4, (i - from + 1) * bytes)
      }
      return [payload]
    },
    decode(payload, count) {
      if (payload.length !== count * bytes) throw new RangeError(`${payload.length} bytes`)
      const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength)
      const ids = Array.from({ length: count }, (_, i) => view.getUint32(i * bytes))
      ids.forEach((id, i) => {
        const wrong = payload
          .subarray(i * bytes + 4, (i + 1) * bytes)
          .some((byte) => byte !== 0x61 + (id % 26))
        if (wrong) throw new RangeError(`the bytes of ${id} are not its own`)
      })
      return { ids, from: 0, to: count }
    },
    split: (item, count) => [
      { ...item, to: item.from + count },
      { ...item, from: item.from + count },
    ],
    weigh: ({ from, to }) => (to - from) * bytes,
  }
}

export interface TestQueue {
  readonly queue: PersistedQueue<Batch>
  readonly log: string[]
  /** Runs what waits for a timer. */
  runTimers(): void
}

export async function openQueue(
  files: Files,
  settings: Partial<QueueSettings> = {},
  { padding = 0, directory = 'q' }: { padding?: number; directory?: string } = {},
): Promise<TestQueue> {
  const log: string[] = []
  let timers: (() => void)[] = []
  const env: QueueEnvironment = {
    files,
    directory,
    log: (level, message) => log.push(`${level}: ${message}`),
    after(_milliseconds, call) {
      timers.push(call)
      return () => {
        timers = timers.filter((one) => one !== call)
      }
    },
    newId: () => new Uint8Array(16).fill(7),
  }
  const all = { ...defaultQueueSettings, pageCapacity: 4096, maxBytes: 1 << 20, ...settings }
  const queue = await PersistedQueue.open(env, all, batchCodec(padding))
  const runTimers = () => {
    for (const call of timers.splice(0)) call()
  }
  return { queue, log, runTimers }
}

export function idsOf(deliveries: readonly Delivery<Batch>[]): number[] {
  return deliveries.flatMap(({ item }) => item.ids.slice(item.from, item.to))
}

export function takeAll(queue: PersistedQueue<Batch>): Delivery<Batch>[] {
  const all: Delivery<Batch>[] = []
  for (let some = queue.take(100); some.length > 0; some = queue.take(100)) all.push(...some)
  return all
}

/** Lets what is under way on a simulated disk come to its end. */
export async function settle(rounds = 4): Promise<void> {
  for (let i = 0; i < rounds; i++) await new Promise((resolve) => setImmediate(resolve))
}
