import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { decodeEvents } from '../../event/wire.ts'
import { DeadLetterQueue } from '../../queue/dead-letters/queue.ts'
import { letter } from '../../queue/dead-letters/test-segments.ts'
import { diskFiles } from '../../storage/files.ts'
import {
  BadReplay,
  type LetterPlace,
  type LetterQuestion,
  letterPage,
  removeLetters,
  replayed,
} from './dead-letter-desk.ts'

let directory = ''

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'millrace-letters-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

async function write(numbers: readonly number[], extra = ''): Promise<void> {
  const logger = { debug() {}, info() {}, warn() {}, error() {} }
  const queue = await DeadLetterQueue.open({
    files: diskFiles,
    directory,
    maxBytes: 1e9,
    policy: 'drop_newer',
    retainMillis: undefined,
    flushMillis: 1000,
    logger: logger as never,
  })
  await queue.append(numbers.map((number) => letter(number, extra)))
  await queue.close()
}

interface Shown {
  segment: number
  offset: number
  reason: string
  event: { number: number }
}

const question = { before: undefined, size: 50, text: '' }
const page = async (asked: Partial<LetterQuestion> = {}) => {
  const { entries, next } = await letterPage(directory, { ...question, ...asked })
  return { shown: entries.map((text) => JSON.parse(text) as Shown), next }
}

describe('the desk of dead letters', () => {
  it('shows the newest first, page after page, over all segments', async () => {
    for (let first = 0; first < 500; first += 100)
      await write(Array.from({ length: 100 }, (_, index) => first + index))
    const numbers: number[] = []
    let before: LetterPlace | undefined
    let pages = 0
    do {
      const { shown, next } = await page({ size: 30, ...(before && { before }) })
      numbers.push(...shown.map(({ event }) => event.number))
      before = next
      pages += 1
    } while (before !== undefined)
    expect(numbers).toEqual(Array.from({ length: 500 }, (_, index) => 499 - index))
    expect(pages).toBe(17)
  })

  it('finds entries by their reason', async () => {
    await write([1, 2, 3])
    await write([4], ' TIMED out')
    expect((await page({ text: 'timed' })).shown.map(({ event }) => event.number)).toEqual([4])
    expect((await page({ text: 'nothing' })).shown).toEqual([])
  })

  it('replays events as they are, or as they were changed, with all digits', async () => {
    await write([7, 8])
    const [{ segment, offset }] = (await page()).shown as [Shown]
    const same = replayed(directory, JSON.stringify({ entries: [{ segment, offset }] }))
    expect(decodeEvents(same.bytes)[0]?.get('number')).toBe(8)
    const changed = `{"entries":[{"segment":${segment},"offset":${offset},"event":{"big":12345678901234567890,"@metadata":{"m":1}}}]}`
    const [event] = decodeEvents(replayed(directory, changed).bytes)
    expect(event?.toJson()).toContain('12345678901234567890')
    expect(event?.get('[@metadata][m]')).toBe(1)
    expect(event?.timestamp).toBeDefined()
  })

  it.each([
    ['no', 'object'],
    ['{"entries":[]}', 'list'],
    ['{"entries":[{"segment":9,"offset":1}]}', 'no dead letter'],
    ['{"entries":[{"segment":1,"offset":2}]}', 'no dead letter'],
    ['{"entries":[{"segment":"../1","offset":1}]}', 'whole numbers'],
    ['{"entries":[{"segment":1,"offset":1,"event":[]}]}', 'must be an object'],
  ])('refuses %s', async (body, word) => {
    await write([1])
    expect(() => replayed(directory, body)).toThrow(BadReplay)
    expect(() => replayed(directory, body)).toThrow(word)
  })

  it('removes sealed segments', async () => {
    await write([1, 2])
    await write([3])
    expect(removeLetters(directory)).toEqual({ segments: 2, entries: 3 })
    expect((await page()).shown).toEqual([])
  })
})
