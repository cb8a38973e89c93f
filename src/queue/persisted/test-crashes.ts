/**
 * A random life of a queue on a simulated disk, from a seed: pushes, reads, acknowledgements out of order, full disks,
 * failing calls, power cuts and kills. The model is a list: what was promised must be there, and nothing else.
 */

import type { Files } from '../../storage/files.ts'
import { type DiskError, type Random, SimulatedDisk, seededRandom } from '../../storage/simulated-disk.ts'
import type { PersistedQueue } from './persisted-queue.ts'
import type { Delivery, QueueSettings } from './queue-options.ts'
import { type Batch, batch, openQueue, settle, type TestQueue, takeAll } from './test-queue.ts'

export interface LifeOptions {
  readonly crashes: number
  readonly settings?: Partial<QueueSettings>
  readonly padding?: number
  /** What the queue sees instead of the disk itself, for a disk that leaves something out. */
  readonly through?: (disk: SimulatedDisk) => Files
  /** Full disks and failing calls; `writes` are all but reads. */
  readonly withFaults?: boolean | 'writes'
  /** A life ends at one of so many calls of the disk. */
  readonly maxCalls?: number
}

interface Life {
  readonly random: Random
  nextId: number
  /** Promised to the sender and not yet acknowledged by the reader. */
  readonly promised: Set<number>
  readonly sent: Set<number>
  /** Acknowledged by the reader in any life. */
  readonly acked: Set<number>
  /** Keyed by the permanent name of the event. */
  readonly names: Map<string, number>
}

export class Broken extends Error {}

/** Answers how many crashes there were; throws `Broken` with the seed when a promise was not kept. */
export async function liveThrough(seed: number, options: LifeOptions): Promise<number> {
  const random = seededRandom(seed)
  const life: Life = {
    random,
    nextId: 1,
    promised: new Set(),
    sent: new Set(),
    acked: new Set(),
    names: new Map(),
  }
  let disk = new SimulatedDisk()
  const through = options.through ?? ((one: SimulatedDisk) => one)
  try {
    for (let crash = 0; crash < options.crashes; crash++) {
      const isPowerCut = random() < 0.7
      disk = await oneLife(life, disk, options, through, isPowerCut)
    }
    await checkAll(life, disk, options)
  } catch (error) {
    throw new Broken(`seed ${seed}: ${(error as Error).message}`, { cause: error })
  }
  return options.crashes
}

async function oneLife(
  life: Life,
  disk: SimulatedDisk,
  options: LifeOptions,
  through: (disk: SimulatedDisk) => Files,
  isPowerCut: boolean,
): Promise<SimulatedDisk> {
  const { random } = life
  let after: SimulatedDisk | undefined
  let promisedThen = new Set<number>()
  // The crash comes at a call, not between two steps of the test.
  const { maxCalls = 60 } = options
  const crashAt = disk.calls + 1 + Math.floor(random() * maxCalls)
  let left = 0
  let error: DiskError = 'EIO'
  disk.fault = ({ number, kind }) => {
    if (number >= crashAt && after === undefined) {
      after = isPowerCut ? disk.powerCut(random) : disk.copy()
      promisedThen = new Set(life.promised)
    }
    if (kind === 'read' && options.withFaults === 'writes') return undefined
    if (after === undefined && options.withFaults && left === 0 && random() < 0.01) {
      left = random() < 0.7 ? 1 : 4
      error = random() < 0.5 ? 'EIO' : 'ENOSPC'
    }
    if (left === 0) return undefined
    left -= 1
    return kind === 'sync' && random() < 0.5 ? 'EIO' : error
  }
  let opened: TestQueue
  try {
    opened = await openQueue(through(disk), { pageCapacity: 700, ...options.settings }, options)
  } catch (failure) {
    if (!options.withFaults) throw failure
    return after ?? crashNow(disk, isPowerCut, random)
  }
  const { queue } = opened
  const held: Delivery<Batch>[] = []
  for (
    let step = 0;
    step < Math.max(40, maxCalls / 2) && after === undefined && queue.failure === undefined;
    step++
  ) {
    await oneStep(life, opened, held, () => after !== undefined)
  }
  check(queue, life)
  if (after !== undefined) {
    // What was promised after the crash was promised by a machine that was already off.
    for (const id of life.promised) if (!promisedThen.has(id)) life.promised.delete(id)
  } else after = crashNow(disk, isPowerCut, random)
  return after
}

function crashNow(disk: SimulatedDisk, isPowerCut: boolean, random: Random): SimulatedDisk {
  return isPowerCut ? disk.powerCut(random) : disk.copy()
}

async function oneStep(
  life: Life,
  { queue, runTimers }: TestQueue,
  held: Delivery<Batch>[],
  isOver: () => boolean,
): Promise<void> {
  const { random } = life
  const chance = random()
  if (chance < 0.45) {
    for (let pushes = Math.floor(random() * 3) + 1; pushes > 0; pushes--) {
      const ids = Array.from({ length: Math.floor(random() * 4) + 1 }, () => life.nextId++)
      for (const id of ids) life.sent.add(id)
      void queue.push(batch(...ids)).then(
        () => {
          if (!isOver()) for (const id of ids) life.promised.add(id)
        },
        () => undefined,
      )
    }
  } else if (chance < 0.7) {
    const taken = queue.take(Math.floor(random() * 6) + 1)
    for (const delivery of taken) remember(life, queue, delivery)
    held.push(...taken)
  } else if (chance < 0.9) {
    const some = held.splice(Math.floor(random() * held.length), Math.floor(random() * 4))
    // From the call on they may be acknowledged, whatever happens in it.
    if (!isOver())
      for (const { item } of some) for (const id of item.ids.slice(item.from, item.to)) life.acked.add(id)
    queue.acknowledge(some)
  } else if (chance < 0.93) queue.giveBack(held.splice(0, 1))
  else runTimers()
  if (random() < 0.8) await settle(Math.floor(random() * 3) + 1)
}

/** The name of an event never stands for another one, and a payload is never a wrong one. */
function remember(life: Life, queue: PersistedQueue<Batch>, { item, seq, epoch }: Delivery<Batch>): void {
  for (let i = item.from; i < item.to; i++) {
    const id = item.ids[i]!
    if (!life.sent.has(id)) throw new Error(`event ${id} was never sent`)
    const name = `${queue.queueId} ${epoch} ${seq + i - item.from}`
    const before = life.names.get(name)
    if (before !== undefined && before !== id) throw new Error(`${name} is ${id} and was ${before}`)
    life.names.set(name, id)
  }
}

function check({ counters }: PersistedQueue<Batch>, life: Life): void {
  if (counters.lostEvents > 0) throw new Error(`${counters.lostEvents} events are reported as lost`)
  for (const id of life.acked) life.promised.delete(id)
}

/** Everything that was promised and not acknowledged is there. */
async function checkAll(life: Life, disk: SimulatedDisk, options: LifeOptions): Promise<void> {
  const { queue } = await openQueue(disk, { pageCapacity: 700, ...options.settings }, options)
  const all = takeAll(queue)
  const found = new Set<number>()
  for (const delivery of all) {
    remember(life, queue, delivery)
    for (const id of delivery.item.ids.slice(delivery.item.from, delivery.item.to)) found.add(id)
  }
  check(queue, life)
  const missing = [...life.promised].filter((id) => !found.has(id))
  if (missing.length > 0) throw new Error(`acknowledged events are gone: ${missing.slice(0, 10).join(', ')}`)
}
