import { describe, expect, it } from 'vitest'
import { Event } from '../../../event/event.ts'
import { TextEvent, TextOrigin } from '../../../event/text-event.ts'
import { Timestamp } from '../../../event/timestamp.ts'
import type { BulkAction } from './bulk-actions.ts'
import { BulkGathering, cutBySize, halvesOf, itemReader, joinBodies, selectItems } from './bulk-body.ts'
import { ownText } from './bulk-document.ts'

type Item = BulkAction & { event: Event }

function action(n: number, more: Partial<BulkAction> = {}): Item {
  return {
    event: Event.from({ n, text: 'é'.repeat(n) }),
    name: 'index',
    line: `{"index":{"_id":"${n}"}}`,
    isMinted: false,
    document: ownText,
    ...more,
  }
}

const deletion = (n: number) =>
  action(n, { name: 'delete', line: `{"delete":{"_id":"${n}"}}`, document: undefined })

function bodyOf(...items: Item[]) {
  const gathering = new BulkGathering(Buffer.alloc(8))
  for (const item of items) gathering.add(item.event, item)
  return gathering.body
}

const idsOf = (bytes: Uint8Array) =>
  [
    ...Buffer.from(bytes)
      .toString()
      .matchAll(/"_id":"(\d+)"/g),
  ].map(([, id]) => Number(id))

describe('a bulk body', () => {
  const body = bodyOf(action(1), deletion(2), action(3), action(4))

  it('has its items in order', () => {
    expect(body.count).toBe(4)
    expect(idsOf(body.bytes)).toEqual([1, 2, 3, 4])
    const lines = Buffer.from(body.bytes).toString().split('\n')
    expect(lines).toHaveLength(8)
    expect(lines.at(-1)).toBe('')
    expect(JSON.parse(lines[1]!)).toMatchObject({ n: 1, text: 'é' })
  })

  it('can be cut by size, into halves and into single items', () => {
    const whole = body.bytes.length
    expect(cutBySize(body, whole)).toEqual([body])
    expect(cutBySize(body, 1).map(({ bytes, count }) => [idsOf(bytes), count])).toEqual([
      [[1], 1],
      [[2], 1],
      [[3], 1],
      [[4], 1],
    ])
    expect(cutBySize(body, whole - 1).map(({ bytes }) => idsOf(bytes))).toEqual([[1, 2, 3], [4]])
    expect(halvesOf(body).map(({ bytes }) => idsOf(bytes))).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect(idsOf(selectItems(body, [1, 3]).bytes)).toEqual([2, 4])
    expect(joinBodies(halvesOf(body)).bytes).toEqual(Buffer.from(body.bytes))
  })

  it('gives items back with their events', () => {
    const given = action(5)
    given.event.set('[@metadata][m]', 1)
    const update = action(6, { name: 'update', line: '{"update":{"_id":"6"}}', document: () => '{"doc":{}}' })
    const minted = action(7, { isMinted: true })
    const read = itemReader(
      selectItems(bodyOf(action(1), given, update, deletion(8), minted), [0, 1, 2, 3, 4]),
    )
    const items = [0, 1, 2, 3, 4].map(read)
    expect(items.map(({ name, isMinted }) => [name, isMinted])).toEqual([
      ['index', false],
      ['index', false],
      ['update', false],
      ['delete', false],
      ['index', true],
    ])
    expect(items.map(({ event }) => event.get('n'))).toEqual([1, 5, 6, 8, 7])
    expect(items[1]!.event.toHashWithMetadata()).toEqual(given.event.toHashWithMetadata())
    expect(items[2]!.event).toBe(update.event)
  })

  it('gives each item metadata of its own, though they arrived with the same', () => {
    const origin = new TextOrigin(new Timestamp(0), new Set(['n']), () => {}).with({}, '', { ip: '10.0.0.1' })
    const items = [1, 2].map((n) => ({ ...action(n), event: new TextEvent(`{"n":${n}}`, origin) }))
    items[1]!.event.set('[@metadata][own]', 'yes')
    const body = bodyOf(...items, { ...action(3), event: new TextEvent('{"n":3}', origin) })
    const read = [0, 1, 2].map((position) => itemReader(body)(position).event)
    read[0]!.set('[@metadata][ip]', 'changed')
    expect(read.map((event) => event.metadata())).toEqual([
      { ip: 'changed' },
      { ip: '10.0.0.1', own: 'yes' },
      { ip: '10.0.0.1' },
    ])
  })

  it('holds items larger than the pieces that become bytes at once', () => {
    const texts = ['x'.repeat(30_000), '\u00e9'.repeat(400_000), '\u20ac'.repeat(5), '\u20ac'.repeat(400_000)]
    const items = texts.map((text, n) => ({ ...action(n), event: Event.from({ text }) }))
    const lines = Buffer.from(bodyOf(...items).bytes)
      .toString()
      .trimEnd()
      .split('\n')
    expect(
      lines.filter((_, i) => i % 2 === 1).map((line) => JSON.parse(line).text === texts.shift()),
    ).toEqual([true, true, true, true])
  })
})
