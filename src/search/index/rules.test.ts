import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { suggestion } from '../request/did-you-mean.ts'
import { parseBytes, parseTime } from '../request/units.ts'
import { filterSource } from './documents/source-request.ts'
import { applyUpdate, parseUpdate } from './documents/update-document.ts'
import { nextVersion } from './documents/write-conditions.ts'
import { documentId } from './generated-ids.ts'
import { checkAliasName, checkIndexName } from './index-names.ts'
import { nextName } from './templates/rollover.ts'

const place = { index: 'i', uuid: 'u', shard: 0 }
const current = { version: 5, seqNo: 1, primaryTerm: 1, isDeleted: false }

const context = { index: 'things', now: 0, scripts: {} }

describe('index names', () => {
  it.each([
    ['A', 'Invalid index name [A], must be lowercase'],
    [
      'a b',
      'Invalid index name [a b], must not contain the following characters [ , ", *, \\, <, |, ,, >, /, ?]',
    ],
    ['a#', "Invalid index name [a#], must not contain '#'"],
    ['a:b', "Invalid index name [a:b], must not contain ':'"],
    ['_a', "Invalid index name [_a], must not start with '_', '-', or '+'"],
    ['..', "Invalid index name [..], must not be '.' or '..'"],
    ['x'.repeat(256), `Invalid index name [${'x'.repeat(256)}], index name is too long, (256 > 255)`],
  ])('%s is refused', (name, reason) => {
    expect(() => checkIndexName(name)).toThrow(reason)
  })

  it('are stricter than those of aliases', () => {
    expect(() => checkAliasName('A')).not.toThrow()
    expect(() => checkAliasName('a*')).toThrow('Invalid alias name [a*]: must not contain')
    expect(() => checkIndexName('logs-2024.01.01')).not.toThrow()
  })
})

describe('write conditions', () => {
  it('increment the version, or take the external one', () => {
    expect(nextVersion('1', undefined, {}, place)).toBe(1)
    expect(nextVersion('1', current, {}, place)).toBe(6)
    expect(nextVersion('1', current, { version: 9, versionType: 'external' }, place)).toBe(9)
    expect(nextVersion('1', current, { version: 5, versionType: 'external_gte' }, place)).toBe(5)
  })

  it.each([
    [{ create: true }, '[1]: version conflict, document already exists (current version [5])'],
    [
      { ifSeqNo: 10, ifPrimaryTerm: 1 },
      '[1]: version conflict, required seqNo [10], primary term [1]. current document has seqNo [1] and primary term [1]',
    ],
    [
      { version: 4, versionType: 'external' as const },
      '[1]: version conflict, current version [5] is higher or equal to the one provided [4]',
    ],
  ])('refuse %j', (conditions, reason) => {
    expect(() => nextVersion('1', current, conditions, place)).toThrow(
      expect.objectContaining({
        message: reason,
        status: 409,
        details: { index_uuid: 'u', shard: '0', index: 'i' },
      }),
    )
  })
})

describe('updates', () => {
  const stored = (source: string) => ({
    id: '1',
    routing: undefined,
    source: Buffer.from(source),
    ...current,
  })
  const text = (json: unknown, source: string) => {
    const outcome = applyUpdate(parseUpdate(json), stored(source), '1', context)
    return 'source' in outcome ? Buffer.from(outcome.source).toString() : outcome.kind
  }

  it('merge objects, replace lists, keep numbers as they are spelled', () => {
    expect(
      text({ doc: { n: { one: 3 }, l: [2] } }, '{"n":{"one":1,"two":2.0},"l":[1],"b":9223372036854775807}'),
    ).toBe('{"n":{"one":3,"two":2.0},"l":[2],"b":9223372036854775807}')
    expect(text({ doc: { a: 1 } }, '{"a":1}')).toBe('noop')
    expect(text({ doc: { a: 1 }, detect_noop: false }, '{"a":1}')).toBe('{"a":1}')
  })

  it('need a doc or a script', () => {
    expect(() => parseUpdate({})).toThrow('Validation Failed: 1: script or doc is missing;')
    expect(() => parseUpdate({ doc: {}, script: 'x' })).toThrow("can't provide both script and doc")
    expect(() => parseUpdate({ x: 1 })).toThrow('[1:2] [UpdateRequest] unknown field [x]')
    expect(() => applyUpdate(parseUpdate({ doc: {} }), undefined, '1', context)).toThrow(
      '[1]: document missing',
    )
    const upsert = parseUpdate({ doc: { a: 1 }, doc_as_upsert: true })
    expect(applyUpdate(upsert, undefined, '1', context).kind).toBe('create')
  })
})

describe('source filters', () => {
  const source = { a: 1, o: { x: 1, y: { z: 2 } }, l: [{ x: 1, y: 2 }, 3] }

  it('keep what is named with its parents', () => {
    expect(filterSource(source, { includes: ['o.y'], excludes: [] })).toEqual({ o: { y: { z: 2 } } })
    expect(filterSource(source, { includes: ['*.x'], excludes: [] })).toEqual({ o: { x: 1 }, l: [{ x: 1 }] })
    expect(filterSource(source, { includes: ['o*'], excludes: ['o.y.*'] })).toEqual({ o: { x: 1, y: {} } })
    expect(filterSource(source, { includes: [], excludes: ['o', 'l.x'] })).toEqual({ a: 1, l: [{ y: 2 }, 3] })
  })

  it('keep everything or nothing for any document', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (document) => {
        expect(filterSource(document, { includes: [], excludes: [] })).toEqual(document)
        expect(filterSource(document, { includes: ['*'], excludes: [] })).toEqual(document)
        expect(filterSource(document, { includes: [], excludes: ['*'] })).toEqual({})
      }),
      { numRuns: 100 },
    )
  })
})

describe('small rules', () => {
  it('increment names of rolled over indices', () => {
    expect(nextName('logs-1')).toBe('logs-000002')
    expect(nextName('logs-000009')).toBe('logs-000010')
    expect(() => nextName('logs')).toThrow("index name [logs] does not match pattern '^.*-\\d+$'")
  })

  it('parse times and sizes', () => {
    expect(['1s', '5m', '-1', '0', '10ms', '1d'].map((text) => parseTime(text, 't'))).toEqual([
      1000, 300_000, -1, 0, 10, 86_400_000,
    ])
    expect(['5 s', ' 2H ', '+3m', '-1ms'].map((text) => parseTime(text, 't'))).toEqual([
      5000, 7_200_000, 180_000, -1,
    ])
    expect(() => parseTime('5', 't')).toThrow('unit is missing or unrecognized')
    expect(() => parseTime('5M', 't')).toThrow('unit is missing or unrecognized')
    expect(() => parseTime('abcs', 't')).toThrow(/^failed to parse \[abcs\]$/)
    expect(() => parseTime('1.5s', 't')).toThrow(
      'failed to parse [1.5s], fractional time values are not supported',
    )
    expect(() => parseTime('-5s', 't')).toThrow('negative durations are not supported')
    expect(['10b', '1kb', '1.5mb', '2g'].map((text) => parseBytes(text, 't'))).toEqual([
      10, 1024, 1_572_864, 2_147_483_648,
    ])
  })

  it('suggest similar names', () => {
    expect(suggestion('siz', ['size', 'from'])).toBe(' -> did you mean [size]?')
    expect(suggestion('fielda', ['fieldb', 'fieldc'])).toBe(' -> did you mean any of [fieldb, fieldc]?')
    expect(suggestion('zzz', ['size'])).toBe('')
  })

  it('generate ids of twenty characters, never twice', () => {
    const ids = new Set(Array.from({ length: 1000 }, documentId))
    expect(ids.size).toBe(1000)
    for (const id of ids) expect(id).toMatch(/^[\w-]{20}$/)
  })
})
