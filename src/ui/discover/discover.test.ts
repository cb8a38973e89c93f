import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseExact, writeExact } from '../api/exact-json.ts'
import { flatten, markEnd, marked, markStart, shownText, valueText } from '../parts/documents.ts'
import { curlOf, shell } from './curl.ts'
import { csvCell, csvLine, ndjsonLine } from './export.ts'
import { readFilters, withFilter, writeFilters } from './filters.ts'
import { complete, typingAt } from './query-completion.ts'
import { aroundBody, joined, pageBody, queryOf } from './request.ts'
import { keptQuery } from './saved-searches.ts'
import { readState, writeState } from './search-state.ts'
import { boundsOf, momentOf, readRange, stepOf, writeRange } from './time-range.ts'

const hard = fc.string({ unit: fc.constantFrom('a', ',', ':', '-', '~', '\\', ' ', 'é', '"', '_exists_') })

describe('filters in an address', () => {
  it('come back as they were, whatever stands in them', () => {
    const filter = fc.record({
      field: hard.filter((text) => text !== '' && text !== '_exists_'),
      value: fc.option(hard, { nil: undefined }),
      isNot: fc.boolean(),
      isOff: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(filter, { maxLength: 4 }), (filters) => {
        expect(readFilters(writeFilters(filters))).toEqual(filters)
      }),
    )
  })

  it('are readable', () => {
    expect(readFilters('service:pay,-host:a1,_exists_:user,~level:info')).toEqual([
      { field: 'service', value: 'pay', isNot: false, isOff: false },
      { field: 'host', value: 'a1', isNot: true, isOff: false },
      { field: 'user', value: undefined, isNot: false, isOff: false },
      { field: 'level', value: 'info', isNot: false, isOff: true },
    ])
  })

  it('replace what says the opposite', () => {
    const only = { field: 'a', value: '1', isNot: false, isOff: false }
    expect(withFilter([only], { ...only, isNot: true })).toEqual([{ ...only, isNot: true }])
  })
})

describe('ranges of time', () => {
  const now = Date.UTC(2026, 4, 4, 8, 0, 0)

  it('are read as people write them', () => {
    expect(momentOf('now', now)).toBe(now)
    expect(momentOf('now-2h', now)).toBe(now - 7_200_000)
    expect(momentOf('now+1d', now)).toBe(now + 86_400_000)
    expect(momentOf('2026-05-04T08:00:00Z', 0)).toBe(now)
    expect(momentOf('2026-05-04 10:00+02:00', 0)).toBe(now)
    expect(momentOf(String(now), 0)).toBe(now)
  })

  it('are refused when they are none', () => {
    for (const text of ['yesterday', 'now-', 'now-5y', '2026-13-45', '5 May', ''])
      expect([text, momentOf(text, now)]).toEqual([text, undefined])
    expect(boundsOf({ from: 'now', to: 'now-1h' }, now)).toBeUndefined()
    expect(boundsOf({ from: '', to: '' }, now)).toEqual({ from: undefined, to: undefined })
  })

  it('stand in an address as they were typed', () => {
    for (const text of ['now-7d~now', '2026-05-04~', 'all']) expect(writeRange(readRange(text))).toBe(text)
    expect(writeRange(readRange(null))).toBeUndefined()
  })

  it('have at most 120 bars', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e13 }), fc.integer({ min: 1, max: 1e13 }), (from, span) => {
        expect(span / stepOf(from, from + span)).toBeLessThanOrEqual(120)
      }),
    )
  })
})

describe('the state of a search', () => {
  it('leaves out what is usual and keeps the rest', () => {
    const address =
      'i=logs-*&q=level%3Aerror&t=now-1h~now&f=service%3Apay&c=level,service&s=-@timestamp&p=50000&n=100&w=3&h=0'
    const written = writeState(readState(new URLSearchParams(address), 50), 50)
    expect(Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined))).toEqual(
      Object.fromEntries(new URLSearchParams(address)),
    )
    const usual = writeState(readState(new URLSearchParams(), 50), 50)
    expect(Object.values(usual).filter((value) => value !== undefined)).toEqual([])
  })

  it('takes no page or size that cannot be', () => {
    const state = readState(new URLSearchParams('p=-3&n=7&w=x'), 50)
    expect([state.page, state.size, state.lines]).toEqual([1, 50, 1])
  })
})

describe('requests', () => {
  const context = { timeField: '@timestamp', bounds: { from: 5, to: 9 } }

  it('ask for any page by its number, with an exact total', () => {
    const body = pageBody(readState(new URLSearchParams('p=50000'), 50), context)
    expect(body).toMatchObject({ from: 2_499_950, size: 50, track_total_hits: true })
    expect(body['sort']).toEqual([{ '@timestamp': { order: 'desc', unmapped_type: 'date' } }])
  })

  it('join query, range and filters, and leave out filters that are off', () => {
    const state = readState(new URLSearchParams('q=a&f=x:1,-y:2,~z:3,_exists_:u'), 50)
    expect(queryOf(state, context)).toEqual({
      bool: {
        filter: [
          { query_string: { query: 'a', default_operator: 'and', lenient: true, analyze_wildcard: true } },
          { range: { '@timestamp': { gte: 5, lte: 9, format: 'epoch_millis' } } },
          { match_phrase: { x: '1' } },
          { exists: { field: 'u' } },
        ],
        must_not: [{ match_phrase: { y: '2' } }],
      },
    })
  })

  it('ask for everything when nothing is said', () => {
    const nothing = { timeField: undefined, bounds: { from: undefined, to: undefined } }
    expect(queryOf(readState(new URLSearchParams(), 50), nothing)).toEqual({ match_all: {} })
  })
})

describe('documents', () => {
  it('are flat by dotted names, `__proto__` is a name like any other', () => {
    const source = parseExact('{"a":{"b":1,"c":[1,2]},"d":[{"e":1},{"e":2}],"__proto__":{"x":1},"f":{}}')
    expect(flatten(source)).toEqual([
      ['a.b', 1],
      ['a.c', [1, 2]],
      ['d.e', [1, 2]],
      ['__proto__.x', 1],
      ['f', {}],
    ])
  })

  it('show large numbers digit by digit where the engine tells them', () => {
    const value = parseExact('{"n":12345678901234567890,"s":"1234567890123456789"}') as Record<
      string,
      unknown
    >
    // Engines without source text access give the neighbour; never something that is no number.
    expect(['bigint', 'number']).toContain(typeof value['n'])
    expect(value['s']).toBe('1234567890123456789')
    expect(writeExact({ n: 12345678901234567890n, a: [1], o: {} }, 0)).toBe(
      '{"n":12345678901234567890,"a":[1],"o":{}}',
    )
    expect(valueText(true)).toBe('true')
  })

  it('write JSON as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(writeExact(value, 0)).toBe(JSON.stringify(value))
        expect(writeExact(value, 2)).toBe(JSON.stringify(value, null, 2))
      }),
    )
  })

  it('mark what matched and lose no other character', () => {
    expect(marked(`a ${markStart}b${markEnd} c`)).toEqual([
      { text: 'a ', isMarked: false },
      { text: 'b', isMarked: true },
      { text: ' c', isMarked: false },
    ])
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('x', '<', markStart, markEnd) }), (text) => {
        const pieces = marked(text).map((piece) => piece.text)
        expect(pieces.join('')).toBe(text.replaceAll(markStart, '').replaceAll(markEnd, ''))
      }),
    )
    const hit = { _index: 'i', _id: '1', highlight: { m: [`${markStart}<b>${markEnd}`] } }
    expect(marked(shownText(hit, 'm', '<b>'))).toEqual([{ text: '<b>', isMarked: true }])
    expect(shownText(hit, 'constructor', 'c')).toBe('c')
  })
})

describe('files', () => {
  it('hold no formula that a spreadsheet would run', () => {
    expect(csvCell('=1+2')).toBe("'=1+2")
    expect(csvCell('@cmd')).toBe("'@cmd")
    expect(csvCell('-5.5')).toBe('-5.5')
    expect(csvCell('-a,"b"')).toBe(`"'-a,""b"""`)
    expect(csvCell('a\nb')).toBe('"a\nb"')
  })

  it('have a line per hit', () => {
    const hit = { _index: 'i', _id: '1', _source: { a: { b: 1 }, c: 'x,y' } }
    expect(csvLine(hit, ['_id', 'a.b', 'c', 'none'])).toBe('1,1,"x,y",\r\n')
    expect(ndjsonLine(hit)).toBe('{"_index":"i","_id":"1","_source":{"a":{"b":1},"c":"x,y"}}\n')
  })
})

describe('commands', () => {
  it('are one word to the shell, whatever is searched', () => {
    expect(shell("it's")).toBe(`'it'\\''s'`)
    const command = curlOf('http://h:9200', "logs-*,a'b", { query: { match: { m: "'; rm -rf /" } } })
    expect(command).toContain(`http://h:9200/logs-*,a'\\''b/_search`)
    expect(command.replaceAll(`'\\''`, '').match(/'/g)).toHaveLength(6)
  })
})

describe('completion', () => {
  it('knows whether a field or a value is typed', () => {
    expect(typingAt('lev', 3)).toEqual({ kind: 'field', start: 'lev', from: 0 })
    expect(typingAt('a:b AND (@time', 14)).toEqual({ kind: 'field', start: '@time', from: 9 })
    expect(typingAt('level:err', 9)).toEqual({ kind: 'value', field: 'level', start: 'err', from: 6 })
    expect(typingAt('x level:"a b', 12)).toEqual({ kind: 'value', field: 'level', start: 'a b', from: 8 })
    expect(typingAt('"some phr', 9)).toBeUndefined()
  })

  it('puts the choice where it was typed, quoted where it must be', () => {
    const at = (query: string, chosen: string) =>
      complete(query, query.length, typingAt(query, query.length)!, chosen)
    expect(at('lev', 'level')).toEqual({ query: 'level:', caret: 6 })
    expect(at('a AND level:er', 'error')).toEqual({ query: 'a AND level:error ', caret: 18 })
    expect(at('m:x', 'a "b"').query).toBe('m:"a \\"b\\"" ')
    expect(at('m:x', 'OR').query).toBe('m:"OR" ')
    expect(at('my', 'my field').query).toBe('my\\ field:')
  })
})

describe('surrounding documents', () => {
  it('are asked for on both sides and shown once, newest first', () => {
    expect(aroundBody('@timestamp', 5, 'x', 'older', 3)).toMatchObject({
      size: 3,
      sort: [{ '@timestamp': { order: 'desc' } }],
    })
    const hit = (_id: string) => ({ _id })
    // `b` has the very same time: both sides find it.
    const all = joined(hit('x'), [hit('b'), hit('a')], [hit('b'), hit('c'), hit('d')])
    expect(all.map(({ _id }) => _id)).toEqual(['d', 'c', 'x', 'b', 'a'])
  })
})

describe('saved searches', () => {
  it('keep what is searched, not the page', () => {
    expect(keptQuery(new URLSearchParams('q=a&p=7&i=logs'))).toBe('q=a&i=logs')
  })
})
