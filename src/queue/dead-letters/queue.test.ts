import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DiskCall, type DiskError, SimulatedDisk, seededRandom } from '../../storage/simulated-disk.ts'
import { DeadLetterQueue, type DeadLetterSettings } from './queue.ts'
import { DeadLetterReader, type ReadPosition } from './reader.ts'
import { parseAge } from './retention.ts'
import { contents, letter, letterOfSize, numberOf } from './test-segments.ts'

const directory = '/dlq/main'

function recording() {
  const lines: string[] = []
  const add = (message: string) => {
    lines.push(message)
  }
  return { lines, warn: add, error: add }
}

async function open(files: SimulatedDisk, settings: Partial<DeadLetterSettings> = {}) {
  const logger = recording()
  const queue = await DeadLetterQueue.open({
    files,
    directory,
    maxBytes: 1e9,
    policy: 'drop_newer',
    flushMillis: 5000,
    logger,
    ...settings,
  })
  return Object.assign(queue, { lines: logger.lines })
}

const numbers = (files: SimulatedDisk) => contents(files, directory).numbers
const segments = (files: SimulatedDisk) =>
  files
    .paths()
    .filter((path) => path.startsWith(`${directory}/`))
    .map((path) => path.slice(directory.length + 1))

/** Bytes of the segments alone. */
const usedBy = (files: SimulatedDisk) =>
  segments(files)
    .filter((name) => /^\d+\.log/.test(name))
    .reduce((sum, name) => sum + files.sizeOf(`${directory}/${name}`), 0)

const isOpen = (name: string) => /^\d+\.log\.tmp$/.test(name)

describe('a dead letter queue', () => {
  it('writes into a segment that is sealed when it rests, and when the queue is closed', async () => {
    const disk = new SimulatedDisk()
    let now = 0
    const queue = await open(disk, { now: () => now })
    await queue.append([letter(1)])
    expect(segments(disk)).toEqual(['1.log.tmp'])
    now = 4999
    await queue.check()
    expect(segments(disk)).toEqual(['1.log.tmp'])
    now = 5000
    await queue.check()
    expect(segments(disk)).toEqual(['1.log'])
    await queue.append([letter(2)])
    expect(segments(disk)).toEqual(['1.log', '2.log.tmp'])
    await queue.close()
    expect(segments(disk)).toEqual(['1.log', '2.log'])
    expect(numbers(disk)).toEqual([1, 2])
    expect(queue.stats).toEqual({
      queue_size_in_bytes: usedBy(disk),
      max_queue_size_in_bytes: 1e9,
      storage_policy: 'drop_newer',
      dropped_events: 0,
      expired_events: 0,
      last_error: 'no errors',
    })
  })

  it('begins a new segment before one gets too long, and gives a longer entry one of its own', async () => {
    const disk = new SimulatedDisk()
    const queue = await open(disk, { segmentBytes: 1000 })
    await queue.append([1, 2, 3].map((number) => letterOfSize(number, 400)))
    await queue.append([letterOfSize(4, 2000), letterOfSize(5, 400)])
    await queue.close()
    expect(segments(disk)).toEqual(['1.log', '2.log', '3.log', '4.log'])
    expect(numbers(disk)).toEqual([1, 2, 3, 4, 5])
  })

  it('shares one fsync among appends that come while another is under way', async () => {
    const disk = new SimulatedDisk()
    const queue = await open(disk)
    await queue.append([letter(0)])
    let syncs = 0
    disk.fault = ({ kind }) => {
      if (kind === 'sync') syncs += 1
      return undefined
    }
    await Promise.all([1, 2, 3, 4, 5, 6].map((number) => queue.append([letter(number)])))
    expect(syncs).toBeLessThanOrEqual(2)
    expect(numbers(disk)).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  it('goes on with the number after the last one', async () => {
    const disk = new SimulatedDisk()
    const first = await open(disk)
    await first.append([letter(1)])
    await first.close()
    const second = await open(disk)
    await second.append([letter(2)])
    expect(segments(disk)).toEqual(['1.log', '2.log.tmp'])
  })

  it('never gives a number twice, also when all segments were removed', async () => {
    const disk = new SimulatedDisk()
    let now = 0
    const settings = { now: () => now, retainMillis: 1000, flushMillis: 0 }
    const first = await open(disk, settings)
    await first.append([letter(1, '', now)])
    await first.append([letter(2, '', now)])
    await first.check()
    now = 5000
    await first.check()
    await first.close()
    expect(numbers(disk)).toEqual([])
    const second = await open(disk, settings)
    await second.append([letter(3, '', now)])
    expect(segments(disk)).toContain('2.log.tmp')
  })

  it('drops and counts what comes after it was closed', async () => {
    const queue = await open(new SimulatedDisk())
    await queue.close()
    await queue.append([letter(1)])
    expect(queue.stats).toMatchObject({ dropped_events: 1, last_error: expect.stringContaining('closed') })
  })
})

describe('a full dead letter queue', () => {
  it('drops new entries with the words of Logstash, and says so once in a while', async () => {
    const disk = new SimulatedDisk()
    let now = 0
    const queue = await open(disk, { maxBytes: 1000, now: () => now })
    for (let number = 0; number < 10; number++) await queue.append([letterOfSize(number, 400)])
    expect(numbers(disk)).toEqual([0, 1])
    const message = 'Cannot write event to DLQ(path: /dlq/main): reached maxQueueSize of 1000'
    expect(queue.stats).toMatchObject({ dropped_events: 8, last_error: message })
    expect(queue.lines).toEqual([message])
    now = 10_000
    await queue.check()
    expect(queue.lines).toEqual([message, message])
  })

  it('takes entries again when a reader has removed segments', async () => {
    const disk = new SimulatedDisk()
    let now = 0
    const queue = await open(disk, { maxBytes: 1000, segmentBytes: 500, now: () => now })
    for (let number = 0; number < 3; number++) await queue.append([letterOfSize(number, 400)])
    expect(queue.stats.dropped_events).toBe(1)
    disk.remove(`${directory}/1.log`)
    disk.write(`${directory}/.deleted_segment`, [Buffer.from('1.log\n')])
    await queue.check()
    expect(disk.exists(`${directory}/.deleted_segment`)).toBe(false)
    await queue.append([letterOfSize(3, 400)])
    disk.remove(`${directory}/2.log`)
    now = 2000
    await queue.append([letterOfSize(4, 400)])
    expect(numbers(disk)).toEqual([3, 4])
  })

  it('removes the oldest segments when older entries are to go', async () => {
    const disk = new SimulatedDisk()
    const queue = await open(disk, { maxBytes: 2000, segmentBytes: 900, policy: 'drop_older' })
    for (let number = 0; number < 9; number++) await queue.append([letterOfSize(number, 400)])
    expect(numbers(disk)).toEqual([6, 7, 8])
    expect(queue.stats).toMatchObject({ dropped_events: 6, queue_size_in_bytes: usedBy(disk) })
    await queue.append([letterOfSize(9, 3000)])
    expect(numbers(disk)).toEqual([6, 7, 8])
    expect(queue.stats.dropped_events).toBe(7)
  })

  it('removes entries by age, segment by segment, and counts them', async () => {
    const disk = new SimulatedDisk()
    let now = 1_000_000
    const queue = await open(disk, { retainMillis: 60_000, segmentBytes: 900, now: () => now })
    const write = (number: number) => queue.append([letterOfSize(number, 400, now)])
    for (const number of [0, 1, 2, 3]) {
      await write(number)
      now += 10_000
    }
    // Now is 1,040,000; segments hold 0 and 1, 2 and 3.
    now = 1_070_000
    await write(4)
    expect(numbers(disk)).toEqual([0, 1, 2, 3, 4])
    now = 1_070_001
    await write(5)
    expect(numbers(disk)).toEqual([2, 3, 4, 5])
    expect(queue.stats).toMatchObject({
      expired_events: 2,
      dropped_events: 0,
      queue_size_in_bytes: usedBy(disk),
    })
    now = 2_000_000
    await queue.check()
    await queue.check()
    expect(numbers(disk)).toEqual([])
    expect(queue.stats.expired_events).toBe(6)
  })

  it('keeps to the same rules as a naive model', async () => {
    const step = fc.record({
      size: fc.integer({ min: 330, max: 1500 }),
      pause: fc.integer({ min: 0, max: 7000 }),
      check: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.constantFrom('drop_newer' as const, 'drop_older' as const),
        fc.constantFrom(undefined, 20_000),
        async (steps, policy, retainMillis) => {
          const disk = new SimulatedDisk()
          let now = 1_000_000
          const limits = { maxBytes: 5000, segmentBytes: 2000, policy, retainMillis }
          const queue = await open(disk, { ...limits, now: () => now })
          const model = new Model(limits)
          for (const [number, { size, pause, check }] of steps.entries()) {
            await queue.append([letterOfSize(number, size, now)])
            model.append(number, size, now)
            now += pause
            if (check) {
              await queue.check()
              model.check(now)
            }
          }
          expect(numbers(disk)).toEqual(model.numbers())
          expect(queue.stats).toMatchObject({
            dropped_events: model.dropped,
            expired_events: model.expired,
            queue_size_in_bytes: usedBy(disk),
          })
        },
      ),
      { numRuns: 100 },
    )
  })
})

interface ModelLimits {
  maxBytes: number
  segmentBytes: number
  policy: string
  retainMillis: number | undefined
}

interface ModelSegment {
  numbers: number[]
  bytes: number
  newest: number
}

/** Segments as lists. Sizes count as Logstash counts them: a header of 13 bytes per entry, a byte per segment. */
class Model {
  dropped = 0
  expired = 0
  #sealed: ModelSegment[] = []
  #head: ModelSegment | undefined
  #lastWrite = 0
  readonly #limits: {
    maxBytes: number
    segmentBytes: number
    policy: string
    retainMillis: number | undefined
  }

  constructor(limits: ModelLimits) {
    this.#limits = limits
  }

  numbers(): number[] {
    return [...this.#sealed, ...(this.#head ? [this.#head] : [])].flatMap((segment) => segment.numbers)
  }

  append(number: number, size: number, now: number): void {
    const { maxBytes, segmentBytes, policy } = this.#limits
    const bytes = size + 13
    this.#expire(now)
    while (this.#bytes() + bytes > maxBytes) {
      if (policy === 'drop_newer') {
        this.dropped += 1
        return
      }
      if (this.#sealed.length === 0) this.#seal()
      this.dropped += this.#sealed.shift()!.numbers.length
    }
    if ((this.#head?.bytes ?? 0) + bytes > segmentBytes) this.#seal()
    this.#head ??= { numbers: [], bytes: 1, newest: 0 }
    this.#head.numbers.push(number)
    this.#head.bytes += bytes
    this.#head.newest = now
    this.#lastWrite = now
  }

  check(now: number): void {
    if (now - this.#lastWrite >= 5000) this.#seal()
    this.#expire(now)
  }

  #seal(): void {
    if (this.#head !== undefined) this.#sealed.push(this.#head)
    this.#head = undefined
  }

  #bytes(): number {
    return [...this.#sealed, ...(this.#head ? [this.#head] : [])].reduce((sum, { bytes }) => sum + bytes, 0)
  }

  #expire(now: number): void {
    const { retainMillis } = this.#limits
    while (retainMillis !== undefined && this.#sealed[0] && this.#sealed[0].newest < now - retainMillis)
      this.expired += this.#sealed.shift()!.numbers.length
  }
}

describe('a failing disk', () => {
  it('costs the entries that did not fit, which are counted, and nothing else', async () => {
    const disk = new SimulatedDisk()
    const queue = await open(disk)
    await queue.append([letter(0)])
    disk.capacity = disk.used + 100
    await queue.append([letter(1), letter(2)])
    expect(queue.stats).toMatchObject({
      dropped_events: 2,
      last_error: expect.stringMatching(/^Cannot write event to DLQ\(path: \/dlq\/main\): ENOSPC/),
    })
    disk.capacity = Number.POSITIVE_INFINITY
    await queue.append([letter(3)])
    await queue.close()
    expect(contents(disk, directory)).toEqual({ numbers: [0, 3], damaged: 0 })
    expect(queue.lines).toHaveLength(1)
  })

  it('never throws, whatever fails, and loses only what it counts', async () => {
    const kinds: readonly DiskError[] = ['ENOSPC', 'EIO', 'EROFS', 'EMFILE', 'EACCES']
    for (let seed = 0; seed < 300; seed++) {
      const random = seededRandom(seed)
      const disk = new SimulatedDisk()
      const queue = await open(disk, { segmentBytes: 1500 })
      disk.fault = () => (random() < 0.15 ? kinds[Math.floor(random() * kinds.length)] : undefined)
      for (let number = 0; number < 12; number++) {
        await queue.append([letterOfSize(number, 400 + Math.floor(random() * 500))])
        if (random() < 0.2) await queue.check()
      }
      disk.fault = undefined
      await queue.check()
      await queue.close()
      const found = contents(disk, directory)
      const present = new Set(found.numbers)
      // An entry may be there although it was counted as dropped: the disk did not let it be taken back.
      expect(12 - present.size, `seed ${seed}`).toBeLessThanOrEqual(queue.stats.dropped_events)
      expect([...present]).toEqual([...present].sort((a, b) => a - b))
      expect(found.damaged).toBe(0)
      expect(segments(disk).filter(isOpen)).toEqual([])
    }
  })

  it('is never trusted with a file again after a failed fsync', async () => {
    const disk = new SimulatedDisk()
    const queue = await open(disk)
    await queue.append([letter(0)])
    let hasFailed = false
    disk.fault = ({ kind }: DiskCall) => {
      if (kind !== 'sync' || hasFailed) return undefined
      hasFailed = true
      return 'EIO'
    }
    await queue.append([letter(1)])
    expect(queue.stats.dropped_events).toBe(0)
    expect(segments(disk)).toEqual(['1.log.tmp', '2.log.tmp'])
    const afterCut = disk.powerCut(() => 0)
    await open(afterCut)
    expect(numbers(afterCut)).toEqual([0, 1])
    await queue.check()
    expect(numbers(disk)).toEqual([0, 1])
  })
})

describe('a crash', () => {
  async function crashed(seed: number, how: 'cut' | 'kill') {
    const random = seededRandom(seed)
    const disk = new SimulatedDisk()
    const queue = await open(disk, { segmentBytes: 3000 })
    const stop = 5 + Math.floor(random() * 60)
    let image: SimulatedDisk | undefined
    const written: number[] = []
    let safe: number[] = []
    disk.fault = ({ number }) => {
      if (number >= stop && image === undefined) {
        image = how === 'cut' ? disk.powerCut(random) : disk.copy()
        safe = [...written]
      }
      return undefined
    }
    for (let number = 0; number < 20; number += 2) {
      await queue.append([
        letterOfSize(number, 400 + Math.floor(random() * 1000)),
        letterOfSize(number + 1, 400),
      ])
      written.push(number, number + 1)
      if (random() < 0.2) await queue.check()
    }
    return { image: image ?? disk.copy(), safe: image === undefined ? written : safe }
  }

  it.each(['cut', 'kill'] as const)('loses nothing that was written (%s)', async (how) => {
    for (let seed = 0; seed < 500; seed++) {
      const { image, safe } = await crashed(seed, how)
      const queue = await open(image, { segmentBytes: 3000 })
      const found = contents(image, directory)
      expect(found.numbers.slice(0, safe.length), `seed ${seed}`).toEqual(safe)
      expect(found.damaged).toBe(0)
      expect(segments(image).filter(isOpen)).toEqual([])
      await queue.append([letter(99)])
      await queue.close()
      expect(contents(image, directory).numbers.at(-1)).toBe(99)
    }
  })

  it('keeps the bytes of an entry that was cut off', async () => {
    const disk = new SimulatedDisk()
    const queue = await open(disk)
    await queue.append([letterOfSize(1, 500), letterOfSize(2, 500)])
    disk.cutTo(`${directory}/1.log.tmp`, 800)
    const again = await open(disk)
    expect(segments(disk)).toEqual(['1.log', 'quarantine/1.log.from-514'])
    expect(disk.sizeOf(`${directory}/quarantine/1.log.from-514`)).toBe(286)
    expect(numbers(disk)).toEqual([1])
    expect(again.lines).toHaveLength(1)
  })

  it('keeps a segment that is damaged in its middle, and its good entries under its number', async () => {
    const disk = new SimulatedDisk()
    const queue = await open(disk)
    await queue.append([1, 2, 3].map((number) => letterOfSize(number, 500)))
    disk.flipBit(`${directory}/1.log.tmp`, 700 * 8)
    const before = disk.read(`${directory}/1.log.tmp`)
    await open(disk)
    expect(segments(disk)).toEqual(['1.log', 'quarantine/1.log.tmp'])
    expect(contents(disk, directory)).toEqual({ numbers: [1, 3], damaged: 0 })
    expect(Buffer.compare(disk.read(`${directory}/quarantine/1.log.tmp`), before)).toBe(0)
  })

  it('leaves the good entries of a damaged segment where a reader has them', async () => {
    const random = seededRandom(7)
    const size = () => 400 + Math.floor(random() ** 4 * 60_000)
    const from = (image: SimulatedDisk, position: ReadPosition) =>
      new DeadLetterReader(image, directory, position)
        .read({ entries: 1000, bytes: 1e9 })
        .map(({ bytes }) => numberOf(bytes))
    for (let round = 0; round < 15; round++) {
      const disk = new SimulatedDisk()
      const queue = await open(disk)
      for (let number = 0; number < 20; number++) await queue.append([letterOfSize(number, size())])
      const path = `${directory}/1.log.tmp`
      const positions: ReadPosition[] = []
      /** Before the damage, and while the segment was written further with it. */
      const collect = () => {
        const reader = new DeadLetterReader(disk, directory)
        do positions.push(reader.position)
        while (reader.read({ entries: 1, bytes: 1e9 }).length > 0)
      }
      collect()
      for (let flips = 1 + Math.floor(random() * 4); flips > 0; flips--)
        disk.flipBit(path, 8 + Math.floor(random() * (disk.sizeOf(path) * 8 - 8)))
      collect()
      const expected = positions.map((position) => from(disk, position))
      await open(disk)
      expect(segments(disk), `round ${round}`).toEqual(['1.log', 'quarantine/1.log.tmp'])
      expect(contents(disk, directory).damaged).toBe(0)
      expect(positions.map((position) => from(disk, position))).toEqual(expected)
    }
  })

  it('always ends in a queue that can be opened, whatever byte of its files is wrong', async () => {
    const disk = new SimulatedDisk()
    const queue = await open(disk, { segmentBytes: 1200 })
    await queue.append([1, 2, 3].map((number) => letterOfSize(number, 500)))
    for (const path of ['1.log', '2.log.tmp'].map((name) => `${directory}/${name}`)) {
      for (let bit = 0; bit < disk.sizeOf(path) * 8; bit += 53) {
        const image = disk.copy()
        image.flipBit(path, bit)
        const again = await open(image)
        await again.append([letter(4)])
        await again.close()
        const found = contents(image, directory).numbers
        expect(found.at(-1)).toBe(4)
        expect([1, 2, 3].filter((number) => !found.includes(number)).length).toBeLessThanOrEqual(2)
      }
    }
  })
})

describe('dead_letter_queue.retain.age', () => {
  it('is a number and a unit', () => {
    expect(['5d', '2h', '3 m', '10s'].map(parseAge)).toEqual([432_000_000, 7_200_000, 180_000, 10_000])
    expect(() => parseAge('5w')).toThrow(
      'Expected a time specification in the form <number>[d,h,m,s], e.g. 3m, but found [5w]',
    )
  })
})

it('test entries can be told apart', () => {
  expect(numberOf(letter(7))).toBe(7)
})
