import { describe, expect, it } from 'vitest'
import { Event } from '../../event/event.ts'
import { DamagedFile } from '../../storage/checked-file.ts'
import { SimulatedDisk } from '../../storage/simulated-disk.ts'
import { decodeEntry, eventOf } from './entry.ts'
import { LetterBuffer } from './letter-buffer.ts'
import { DeadLetterQueue } from './queue.ts'
import { DeadLetterReader, type ReadPosition } from './reader.ts'
import { decodePosition, encodePosition, loadPosition, savePosition } from './sincedb.ts'
import { letterOfSize, numberOf } from './test-segments.ts'

const directory = '/dlq/main'
const silent = { warn() {}, error() {} }
const all = { entries: 1000, bytes: 1e9 }

async function filled(disk: SimulatedDisk, numbers: readonly number[], segmentBytes = 1000) {
  const queue = await DeadLetterQueue.open({
    files: disk,
    directory,
    maxBytes: 1e9,
    policy: 'drop_newer',
    flushMillis: 5000,
    logger: silent,
    segmentBytes,
  })
  await queue.append(numbers.map((number) => letterOfSize(number, 400)))
  return queue
}

const numbersOf = (reader: DeadLetterReader, limits = all) =>
  reader.read(limits).map((one) => numberOf(one.bytes))

describe('a reader of dead letters', () => {
  it('reads sealed segments and goes on with the one that is being written', async () => {
    const disk = new SimulatedDisk()
    const queue = await filled(disk, [1, 2, 3])
    const reader = new DeadLetterReader(disk, directory)
    expect(numbersOf(reader)).toEqual([1, 2, 3])
    expect(numbersOf(reader)).toEqual([])
    await queue.append([letterOfSize(4, 400)])
    expect(numbersOf(reader)).toEqual([4])
    await queue.append([letterOfSize(5, 400)])
    await queue.close()
    expect(numbersOf(reader)).toEqual([5])
    expect(numbersOf(reader)).toEqual([])
    expect(reader.damaged).toBe(0)
  })

  it('waits for the rest of an entry that is half written', async () => {
    const disk = new SimulatedDisk()
    await filled(disk, [1, 2])
    const whole = disk.read(`${directory}/1.log.tmp`)
    const reader = new DeadLetterReader(disk, directory)
    const found: number[] = []
    for (let length = 0; length <= whole.length; length += 9) {
      disk.write(`${directory}/1.log.tmp`, [whole.subarray(0, length)])
      found.push(...numbersOf(reader))
    }
    disk.write(`${directory}/1.log.tmp`, [whole])
    found.push(...numbersOf(reader))
    expect(found).toEqual([1, 2])
    expect(reader.damaged).toBe(0)
  })

  it('keeps to limits, and goes on from any position it had', async () => {
    const disk = new SimulatedDisk()
    await filled(disk, [1, 2, 3, 4, 5])
    const reader = new DeadLetterReader(disk, directory)
    const positions: ReadPosition[] = []
    const found: number[] = []
    for (let i = 0; i < 5; i++) {
      positions.push(reader.position)
      found.push(...numbersOf(reader, { entries: 1, bytes: 1e9 }))
    }
    expect(found).toEqual([1, 2, 3, 4, 5])
    positions.forEach((position, i) => {
      expect(numbersOf(new DeadLetterReader(disk, directory, position))).toEqual([1, 2, 3, 4, 5].slice(i))
    })
    expect(numbersOf(new DeadLetterReader(disk, directory), { entries: 9, bytes: 500 })).toEqual([1, 2])
  })

  it('loses nothing to a position that is none of this queue', async () => {
    const disk = new SimulatedDisk()
    const queue = await filled(disk, [1, 2, 3, 4, 5], 100_000)
    await queue.close()
    for (let offset = 1; offset < disk.sizeOf(`${directory}/1.log`); offset++) {
      const reader = new DeadLetterReader(disk, directory, { segment: 1, offset })
      const entry = Math.floor((offset - 1) / 413)
      expect(numbersOf(reader), `${offset}`).toEqual([1, 2, 3, 4, 5].slice(entry))
      expect(reader.damaged).toBe(0)
    }
  })

  it('passes over segments that are gone', async () => {
    const disk = new SimulatedDisk()
    await filled(disk, [1, 2, 3, 4, 5])
    const reader = new DeadLetterReader(disk, directory)
    expect(numbersOf(reader, { entries: 1, bytes: 1e9 })).toEqual([1])
    disk.remove(`${directory}/1.log`)
    expect(numbersOf(reader)).toEqual([3, 4, 5])
  })

  it('begins again with a queue that was emptied and numbers from 1', async () => {
    const disk = new SimulatedDisk()
    await filled(disk, [1, 2])
    expect(numbersOf(new DeadLetterReader(disk, directory, { segment: 57, offset: 300 }))).toEqual([1, 2])
  })

  it('skips what is damaged, counts it once and says where', async () => {
    const disk = new SimulatedDisk()
    const queue = await filled(disk, [1, 2, 3, 4])
    await queue.close()
    disk.flipBit(`${directory}/1.log`, 100 * 8)
    disk.cutTo(`${directory}/2.log`, 500)
    const places: string[] = []
    const reader = new DeadLetterReader(disk, directory, undefined, (path) => places.push(path))
    expect(numbersOf(reader)).toEqual([2, 3])
    expect(numbersOf(reader)).toEqual([])
    expect(reader.damaged).toBe(2)
    expect(places).toEqual([`${directory}/1.log`, `${directory}/2.log`])
  })
})

describe('the position file', () => {
  const position = { segment: 12, offset: 4_000_000_000 }

  it('has the layout of Logstash', () => {
    const bytes = encodePosition('/data/main', position)
    expect(bytes.length).toBe('/data/main/12.log'.length + 1 + 64)
    expect(bytes.toString('hex', 0, 6)).toBe('003100000011')
    expect(bytes.toString('utf8', 6, 23)).toBe('/data/main/12.log')
    expect(bytes.readBigInt64BE(23)).toBe(4_000_000_000n)
    const ofLogstash = Buffer.concat([bytes.subarray(0, 31), Buffer.alloc(51)])
    expect(decodePosition('/db', ofLogstash)).toEqual(position)
  })

  it('is written whole or not at all, and found again', () => {
    const disk = new SimulatedDisk()
    expect(loadPosition(disk, '/db/.sincedb_1')).toBeUndefined()
    savePosition(disk, '/db/.sincedb_1', directory, position)
    expect(loadPosition(disk, '/db/.sincedb_1')).toEqual(position)
    expect(disk.paths()).toEqual(['/db/.sincedb_1'])
  })

  it('never gives another position when a bit is wrong or bytes are missing', () => {
    const bytes = encodePosition('/data/main', position)
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const damaged = Buffer.from(bytes)
      damaged[bit >> 3]! ^= 1 << (bit & 7)
      let found: ReadPosition = position
      try {
        found = decodePosition('/db', damaged)
      } catch (error) {
        expect(error).toBeInstanceOf(DamagedFile)
        expect((error as Error).message).toContain('/db')
      }
      expect(found).toEqual(position)
    }
    for (let length = 1; length < 31; length++)
      expect(() => decodePosition('/db', bytes.subarray(0, length))).toThrow(DamagedFile)
  })
})

describe('what a worker hands its dead letters to', () => {
  const write = (buffer: LetterBuffer, event: Event) =>
    buffer.write({ event, pluginName: 'grok', pluginId: 'g1', reason: 'because' })

  it('sends them together, and the batch waits until they are on the disk', async () => {
    const sent: Uint8Array[][] = []
    let written = () => {}
    const buffer = new LetterBuffer((entries) => {
      sent.push(entries)
      return new Promise((resolve) => {
        written = resolve
      })
    }, silent)
    expect(buffer.settled()).toBeUndefined()
    expect(write(buffer, Event.from({ number: 1 }))).toBe(true)
    expect(write(buffer, Event.from({ number: 2 }))).toBe(true)
    expect(sent).toEqual([])
    const settled = buffer.settled()!
    expect(sent.map((entries) => entries.map(numberOf))).toEqual([[1, 2]])
    const entry = decodeEntry(sent[0]![0]!)!
    expect([entry.pluginType, entry.pluginId, entry.reason]).toEqual(['grok', 'g1', 'because'])
    written()
    await settled
    expect(buffer.settled()).toBeUndefined()
  })

  it('lets a batch wait for letters that another one has sent along', async () => {
    let written = () => {}
    const buffer = new LetterBuffer(
      () =>
        new Promise((resolve) => {
          written = resolve
        }),
      silent,
    )
    write(buffer, Event.from({ number: 1 }))
    write(buffer, Event.from({ number: 2 }))
    const answers: string[] = []
    const first = buffer.settled()?.then(() => answers.push('first'))
    // The letter of this batch is on its way to the disk with that of the other one.
    const second = buffer.settled()?.then(() => answers.push('second'))
    expect(second).toBeDefined()
    await new Promise((resolve) => setImmediate(resolve))
    expect(answers).toEqual([])
    written()
    await Promise.all([first, second])
    expect(answers).toEqual(['first', 'second'])
  })

  it('takes no event that came out of a dead letter queue', () => {
    const lines: string[] = []
    const buffer = new LetterBuffer(() => Promise.resolve(), {
      warn: (message) => void lines.push(message),
      error() {},
    })
    const event = Event.from({})
    event.set('[@metadata][dead_letter_queue][reason]', 'before')
    expect(write(buffer, event)).toBe(false)
    expect(write(buffer, event)).toBe(false)
    expect(buffer.settled()).toBeUndefined()
    expect(lines).toEqual(['Event previously submitted to dead letter queue. Skipping...'])
  })

  it('keeps metadata of the event', () => {
    const event = Event.from({ a: 1 })
    event.set('[@metadata][from]', 'x')
    const buffered: Uint8Array[] = []
    const buffer = new LetterBuffer(async (entries) => void buffered.push(...entries), silent)
    write(buffer, event)
    void buffer.settled()
    expect(eventOf(decodeEntry(buffered[0]!)!).meta).toEqual({ from: 'x' })
  })
})
