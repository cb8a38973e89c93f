import { describe, expect, it } from 'vitest'
import { Event } from '../../../event/event.ts'
import { TextEvent, TextOrigin } from '../../../event/text-event.ts'
import { Timestamp } from '../../../event/timestamp.ts'
import { compile } from '../../../plugin/compile.ts'
import { type TestOptions, validOptions } from '../../../plugin/testing.ts'
import elasticsearch from '../elasticsearch.ts'
import { type BulkAction, compileActions } from './bulk-actions.ts'
import { type BulkOptions, elasticsearchProduct } from './settings.ts'

function actions(options: TestOptions = {}, mint?: () => string | undefined) {
  const toAction = compileActions({
    options: validOptions(elasticsearch, options) as unknown as BulkOptions,
    product: elasticsearchProduct,
    compile,
    defaultIndex: 'logstash-%{+yyyy.MM.dd}',
    alias: undefined,
    dataStream: undefined,
    version: () => ({ major: 8, distribution: 'elasticsearch' }),
    ...(mint && { mint }),
  })
  return (event: Event) => toAction(event) as BulkAction
}

const day = (n: number) =>
  new TextOrigin(new Timestamp(Date.UTC(2024, 0, n)), new Set(['a']), () => {}).with({}, '', { ip: 'x' })
const text = (origin: TextOrigin) => new TextEvent('{"a":1}', origin)
const lineOf = (index: string, more = '') => `{"index":{"_index":"${index}"${more}}}`

describe('the action of an event', () => {
  it('is shared by those that arrived together', () => {
    const toAction = actions()
    const [first, second] = [day(1), day(2)]
    const action = toAction(text(first))
    expect(action.line).toBe(lineOf('logstash-2024.01.01'))
    expect(toAction(text(first))).toBe(action)
    expect(toAction(text(second)).line).toBe(lineOf('logstash-2024.01.02'))
    expect(toAction(text(first)).line).toBe(lineOf('logstash-2024.01.01'))
  })

  it('is its own where the event was changed since', () => {
    const toAction = actions()
    const origin = day(1)
    toAction(text(origin))
    const later = text(origin)
    later.timestamp = new Timestamp(Date.UTC(2024, 0, 3))
    expect(toAction(later).line).toBe(lineOf('logstash-2024.01.03'))
    const piped = text(origin)
    piped.set('[@metadata][target_ingest_pipeline]', 'p')
    expect(toAction(piped).line).toBe(lineOf('logstash-2024.01.01', ',"pipeline":"p"'))
    expect(toAction(text(origin)).line).toBe(lineOf('logstash-2024.01.01'))
  })

  it('is its own where options look into the event', () => {
    const byField = actions({ index: 'i-%{a}' })
    const origin = day(1)
    const lines = ['{"a":1}', '{"a":2}'].map((line) => byField(new TextEvent(line, origin)).line)
    expect(lines).toEqual([lineOf('i-1'), lineOf('i-2')])
    const byId = actions({ document_id: '%{a}' })
    const ids = ['{"a":1}', '{"a":2}'].map((line) => byId(new TextEvent(line, origin)).line)
    expect(ids.map((line) => JSON.parse(line).index._id)).toEqual(['1', '2'])
  })

  it('has an id of its own where ids are made here', () => {
    let count = 0
    const minting = actions({}, () => `id${count++}`)
    const origin = day(1)
    const ids = [text(origin), text(origin), Event.from({ a: 1 })].map((event) => minting(event).line)
    expect(ids.map((line) => JSON.parse(line).create._id)).toEqual(['id0', 'id1', 'id2'])
  })
})
