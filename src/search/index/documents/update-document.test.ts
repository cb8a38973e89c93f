import { describe, expect, it } from 'vitest'
import { applyUpdate, parseUpdate } from './update-document.ts'

const context = { index: 'things', now: 0, scripts: {} }

describe('updates', () => {
  const stored = (source: string) => ({
    id: '1',
    routing: undefined,
    source: Buffer.from(source),
    version: 5,
    seqNo: 1,
    primaryTerm: 1,
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

  /** The reasons are those of OpenSearch 3.8. */
  it.each<[unknown, string]>([
    [{ doc: {}, if_seq_no: 0 }, 'Validation Failed: 1: ifSeqNo is set, but primary term is [0];'],
    [
      { doc: {}, upsert: {}, if_seq_no: 1, if_primary_term: 1 },
      "Validation Failed: 1: upsert requests don't support `if_seq_no` and `if_primary_term`;",
    ],
    [
      { doc: {}, doc_as_upsert: true, if_seq_no: 1, if_primary_term: 1 },
      'Validation Failed: 1: compare and write operations can not be used with upsert;',
    ],
    [{ doc: 5 }, "[1:8] [UpdateRequest] doc doesn't support values of type: VALUE_NUMBER"],
    [{ upsert: 5, doc: {} }, "[1:11] [UpdateRequest] upsert doesn't support values of type: VALUE_NUMBER"],
  ])('refuses %j', (json, reason) => {
    expect(() => parseUpdate(json)).toThrow(reason)
  })

  it('take their conditions from the body before those beside it', () => {
    const given = { ifSeqNo: 3, ifPrimaryTerm: 1 }
    expect(parseUpdate({ doc: {}, if_seq_no: 7, if_primary_term: 2 }, given)).toMatchObject({
      ifSeqNo: 7,
      ifPrimaryTerm: 2,
    })
    expect(parseUpdate({ doc: {} }, given)).toMatchObject(given)
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
