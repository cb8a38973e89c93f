import { describe, expect, it } from 'vitest'
import { codecFor, decodeWith } from '../../plugin/testing.ts'
import esBulk from './es-bulk.ts'

const body = [
  '{"index":{"_index":"i","_id":"1"}}',
  '{"a":1}',
  '{"delete":{"_index":"i","_id":"2"}}',
  '{"update":{"_id":"3"}}',
  '{"doc":{"b":2}}',
  '',
].join('\n')

describe('es_bulk', () => {
  it('puts action lines into the metadata, however the stream is cut', () => {
    const expected = [
      { a: 1, '@metadata': { _index: 'i', _id: '1', action: 'index' } },
      { '@metadata': { _index: 'i', _id: '2', action: 'delete' } },
      { doc: { b: 2 }, '@metadata': { _id: '3', action: 'update' } },
    ]
    for (let cut = 0; cut < body.length; cut += 7) {
      expect(decodeWith(codecFor(esBulk), [body.slice(0, cut), body.slice(cut)])).toEqual(expected)
    }
  })

  it('keeps them apart in ECS mode, and takes a target', () => {
    const codec = codecFor(esBulk, { target: '[doc]' }, { ecs: 'v8' })
    expect(decodeWith(codec, '{"create":{}}\n{"a":1}\n')).toEqual([
      { doc: { a: 1 }, '@metadata': { codec: { es_bulk: { action: 'create' } } } },
    ])
  })

  it('passes over lines that are no JSON', () => {
    expect(decodeWith(codecFor(esBulk), '{"index":{}}\nnonsense\n{"a":1}\n')).toEqual([
      { a: 1, '@metadata': { action: 'index' } },
    ])
  })
})
