import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../request/json-object.ts'
import { SearchError } from '../../request/search-error.ts'
import type { FieldInputs } from '../../segment/document.ts'
import { Mapping, mappingSettings } from '../mapping.ts'
import { parseDocument } from './document-parser.ts'

const mapping = (fields: JsonObject, root: JsonObject = {}) =>
  Mapping.empty().merge({ ...root, properties: fields })

function parse(json: string, using = Mapping.empty(), id = '1') {
  return parseDocument({ id, source: JSON.parse(json), raw: new TextEncoder().encode(json) }, using)
}

function caught(action: () => unknown): SearchError {
  try {
    action()
  } catch (error) {
    if (error instanceof SearchError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

const terms = (fields: FieldInputs, name: string) =>
  fields.get(name)?.terms ?? fields.get(name)?.tokens?.terms

describe('dynamic mapping', () => {
  it('takes an object that a template made and that the document names twice', () => {
    const template = { t: { match_mapping_type: '*', match: 'a', mapping: { norms: false } } }
    const using = Mapping.create({ dynamic_templates: [template] })
    const { mapping: made } = parse('{"a.b":1,"a":{}}', using)
    expect(made.field('a.b')?.type).toBe('long')
    expect(caught(() => parse('{"a.b":1,"a":5}', using)).message).toBe(
      'unknown parameter [norms] on mapper [a] of type [null]',
    )
    expect(caught(() => parse('{"a":5,"a.b":1}')).message).toBe(
      "can't merge a non object mapping [a] with an object mapping",
    )
  })

  const cases: readonly (readonly [string, JsonObject | undefined])[] = [
    ['null', undefined],
    ['[]', undefined],
    ['[null]', undefined],
    ['true', { type: 'boolean' }],
    ['1', { type: 'long' }],
    ['12345678901234567', { type: 'long' }],
    ['1.0', { type: 'float' }],
    ['1.5', { type: 'float' }],
    ['1e3', { type: 'float' }],
    ['"2015-01-01T12:10:30Z"', { type: 'date' }],
    ['"2015-01-01"', { type: 'date' }],
    ['"2015/01/01 12:10:30"', { type: 'date', format: 'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis' }],
    ['"2015"', { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } }],
    ['"hello"', { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } }],
    ['[null, "a", 1]', { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } }],
    ['{"a": 1}', { properties: { a: { type: 'long' } } }],
    ['[{"a": 1}, {"b": true}]', { properties: { a: { type: 'long' }, b: { type: 'boolean' } } }],
    ['{}', { type: 'object' }],
  ]
  for (const [value, expected] of cases) {
    it(`infers the type of ${value}`, () => {
      const { mapping: after, mappingUpdate } = parse(`{"f":${value}}`)
      const shown = (after.toJson()['properties'] as JsonObject | undefined)?.['f']
      expect(shown).toEqual(expected)
      if (expected === undefined) expect(mappingUpdate).toBeUndefined()
      else expect(Mapping.empty().merge(mappingUpdate![0]!).toJson()).toEqual(after.toJson())
    })
  }

  it('makes objects of dotted names', () => {
    const { mapping: after, fields } = parse('{"a.b.c":1,"a":{"d":2}}')
    expect(after.toJson()).toEqual({
      properties: { a: { properties: { b: { properties: { c: { type: 'long' } } }, d: { type: 'long' } } } },
    })
    expect(fields.get('a.b.c')?.numbers).toEqual([1])
  })

  it('detects numbers and ignores dates when configured', () => {
    const { mapping: after } = parse(
      '{"a":"5","b":"1.5","c":"2020-01-01"}',
      mapping({}, { numeric_detection: true, date_detection: false }),
    )
    expect(after.toJson()).toMatchObject({
      properties: { a: { type: 'long' }, b: { type: 'float' }, c: { type: 'text' } },
    })
  })

  it('uses the first template that matches', () => {
    const templates = {
      dynamic_templates: [
        { ips: { match: '*_ip', mapping: { type: 'ip' } } },
        {
          inner: {
            path_match: 'user.*',
            path_unmatch: 'user.name',
            match_mapping_type: 'string',
            mapping: { type: 'keyword' },
          },
        },
        { whole: { match_mapping_type: 'long', mapping: { type: 'integer' } } },
        { same: { match: 'same', mapping: { type: '{dynamic_type}', meta: { was: '{name}' } } } },
        { things: { match_mapping_type: 'object', match: 'list', mapping: { type: 'nested' } } },
      ],
    }
    const { mapping: after, nested } = parse(
      '{"src_ip":"10.0.0.1","user":{"id":"x","name":"y"},"n":1,"same":true,"list":[{"k":1}]}',
      mapping({}, templates),
    )
    expect(after.toJson()['properties']).toEqual({
      list: { type: 'nested', properties: { k: { type: 'integer' } } },
      n: { type: 'integer' },
      same: { type: 'boolean', meta: { was: 'same' } },
      src_ip: { type: 'ip' },
      user: {
        properties: {
          id: { type: 'keyword' },
          name: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } },
        },
      },
    })
    expect(nested.map(({ path }) => path)).toEqual(['list'])
  })

  it('refuses with strict, ignores with false, and inner objects may differ', () => {
    const strict = mapping({ open: { dynamic: 'true', type: 'object' } }, { dynamic: 'strict' })
    const error = caught(() => parse('{"x":1}', strict))
    expect([error.type, error.message]).toEqual([
      'strict_dynamic_mapping_exception',
      'mapping set to strict, dynamic introduction of [x] within [_doc] is not allowed',
    ])
    expect(parse('{"open":{"x":1}}', strict).fields.get('open.x')?.numbers).toEqual([1])
    const closed = mapping({ o: { properties: {} } }, { dynamic: false })
    const parsed = parse('{"x":1,"o":{"y":{"z":2}},"p.q":3}', closed)
    expect(parsed.mapping).toBe(closed)
    expect(parsed.fields.size).toBe(0)
    const allow = mapping(
      {},
      {
        dynamic: 'strict_allow_templates',
        dynamic_templates: [{ t: { match: 'ok*', mapping: { type: 'keyword' } } }],
      },
    )
    expect(parse('{"okay":"a"}', allow).mapping.field('okay')?.type).toBe('keyword')
    expect(caught(() => parse('{"other":"a"}', allow)).message).toBe(
      'mapping set to strict_allow_templates, dynamic introduction of [other] within [_doc] is not allowed',
    )
  })

  it('stops at the limit of fields', () => {
    const small = Mapping.empty(mappingSettings({ totalFieldsLimit: 2 }))
    const error = caught(() => parse('{"a":1,"b":2,"c":3}', small))
    expect([error.type, error.message]).toEqual([
      'illegal_argument_exception',
      'Limit of total fields [2] has been exceeded',
    ])
  })

  it('stops at the limit of depth', () => {
    const deep = `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`
    expect(caught(() => parse(deep)).message).toMatch(/^Limit of mapping depth \[20\] has been exceeded/)
    expect(parse(deep, mapping({}, { dynamic: false })).fields.size).toBe(0)
  })

  it('accepts odd names as names', () => {
    const { fields, mapping: after } = parse(
      '{"__proto__":"a","constructor":{"toString":1},"hasOwnProperty":true}',
    )
    expect(terms(fields, '__proto__')).toEqual(['a'])
    expect(fields.get('constructor.toString')?.numbers).toEqual([1])
    expect(Object.keys(after.toJson()['properties'] as object)).toEqual([
      '__proto__',
      'constructor',
      'hasOwnProperty',
    ])
  })
})

describe('parsing values', () => {
  const all = mapping({
    text: { type: 'text', fields: { raw: { type: 'keyword', ignore_above: 5 } } },
    keyword: { type: 'keyword', null_value: 'NULL' },
    long: { type: 'long' },
    double: { type: 'double' },
    float: { type: 'float' },
    half: { type: 'half_float' },
    scaled: { type: 'scaled_float', scaling_factor: 100 },
    unsigned: { type: 'unsigned_long' },
    flag: { type: 'boolean' },
    date: { type: 'date' },
    nanos: { type: 'date_nanos' },
    ip: { type: 'ip' },
    point: { type: 'geo_point' },
    range: { type: 'integer_range' },
    dates: { type: 'date_range' },
    ips: { type: 'ip_range' },
    flat: { type: 'flattened' },
    count: { type: 'token_count', analyzer: 'standard' },
    off: { type: 'object', enabled: false },
    bin: { type: 'binary' },
    kept: { type: 'binary', store: true },
  })
  const field = (json: string, name: string) => parse(json, all).fields.get(name)

  it('parses text and its multi-fields', () => {
    const { fields } = parse('{"text":["One two","three"]}', all)
    expect(fields.get('text')?.tokens).toMatchObject({
      terms: ['one', 'two', 'three'],
      positions: [0, 1, 102],
      length: 3,
    })
    expect(fields.get('text')?.spec).toEqual({ index: 'positions', norms: true, ordinals: false })
    expect(fields.get('text.raw')?.terms).toEqual(['three'])
    expect(fields.get('_ignored')?.terms).toEqual(['text.raw'])
  })

  it('parses keywords as they are spelled', () => {
    expect(field('{"keyword":1.0}', 'keyword')?.terms).toEqual(['1.0'])
    expect(field('{"keyword":[1, true, null, "x", 12345678901234567890]}', 'keyword')?.terms).toEqual([
      '1',
      'true',
      'NULL',
      'x',
      '12345678901234567890',
    ])
    expect(field('{"keyword":"a"}', 'keyword')?.spec).toEqual({ index: 'docs', norms: false, ordinals: true })
  })

  it('parses numbers', () => {
    expect(field('{"long":[1, "2", 3.9, "4.9", -5, ""]}', 'long')?.numbers).toEqual([1, 2, 3, 4, -5])
    const big = field('{"long":[1, 9223372036854775807]}', 'long')
    expect(big?.exact).toEqual([1n, 9223372036854775807n])
    expect(field('{"unsigned":"10223372036854775807.23"}', 'unsigned')?.exact).toEqual([
      10223372036854775807n,
    ])
    expect(field('{"float":0.1}', 'float')?.numbers).toEqual([Math.fround(0.1)])
    expect(field('{"half":0.1}', 'half')?.numbers).toEqual([0.0999755859375])
    expect(field('{"scaled":1.239}', 'scaled')?.numbers).toEqual([124])
    expect(field('{"double":"1e3"}', 'double')?.numbers).toEqual([1000])
  })

  it('parses booleans, dates and IP addresses', () => {
    expect(field('{"flag":[true,"false",""]}', 'flag')?.numbers).toEqual([1, 0, 0])
    expect(field('{"date":["2017-01-01",1483228800000,"1483228800000"]}', 'date')?.numbers).toEqual(
      Array(3).fill(1483228800000),
    )
    const nanos = field('{"nanos":"2018-10-29T12:12:12.123456789Z"}', 'nanos')
    expect(nanos).toMatchObject({ numbers: [1540815132123], exact: [1540815132123456789n] })
    expect(field('{"ip":["192.168.0.1","::1"]}', 'ip')?.terms).toEqual([
      '00000000000000000000ffffc0a80001',
      '00000000000000000000000000000001',
    ])
  })

  it.each([
    ['{"lat":41.12,"lon":-71.34}'],
    ['[-71.34,41.12]'],
    ['"41.12,-71.34"'],
    ['"POINT (-71.34 41.12)"'],
    ['{"type":"Point","coordinates":[-71.34,41.12]}'],
    ['{"lat":"41.12","lon":"-71.34"}'],
  ])('parses the point %s', (value) => {
    expect(field(`{"point":${value}}`, 'point')?.points).toEqual([
      // As Lucene keeps it, in two numbers of 32 bits.
      [41.1199999647215, -71.34000004269183],
    ])
  })

  it('parses geohashes and several points', () => {
    const [point] = field('{"point":"drm3btev3e86"}', 'point')!.points!
    expect(point![0]).toBeCloseTo(41.12, 5)
    expect(point![1]).toBeCloseTo(-71.34, 5)
    const several = field('{"point":[[1,2],{"lat":3,"lon":4}]}', 'point')!.points!
    expect(several.map((one) => one.map((degrees) => Math.round(degrees * 1e6) / 1e6))).toEqual([
      [2, 1],
      [3, 4],
    ])
  })

  it('parses ranges', () => {
    expect(field('{"range":{"gt":1,"lt":5}}', 'range')?.ranges).toEqual([[2, 4]])
    expect(field('{"range":[{"gte":1},{"lte":2}]}', 'range')?.ranges).toEqual([
      [1, 2147483647],
      [-2147483648, 2],
    ])
    expect(field('{"dates":{"gte":"2017-09-01","lte":"2017-09-05"}}', 'dates')?.ranges).toEqual([
      [Date.UTC(2017, 8, 1), Date.UTC(2017, 8, 5)],
    ])
    expect(field('{"ips":"10.0.0.0/24"}', 'ips')?.ranges).toEqual([[0xffff_0a00_0000, 0xffff_0a00_00ff]])
  })

  it('parses flattened objects', () => {
    const { fields } = parse('{"flat":{"a":"x","b":{"c":[1,2.0]}}}', all)
    expect(fields.get('flat')?.terms).toEqual(['x', '1', '2.0'])
    expect(fields.get('flat.a')?.terms).toEqual(['x'])
    expect(fields.get('flat.b.c')?.terms).toEqual(['1', '2.0'])
  })

  it('parses token counts, disabled objects and binaries', () => {
    const { fields } = parse('{"count":"some text","off":{"x":1},"bin":"YWJj","kept":"YWJj"}', all)
    expect(fields.get('count')?.numbers).toEqual([2])
    expect([...fields.keys()].sort()).toEqual(['count', 'kept'])
    expect(parse('{"off":5}', all).fields.size).toBe(0)
  })

  it('parses a field that is neither indexed nor stored', () => {
    const none = mapping({
      a: { type: 'long', index: false, doc_values: false },
      b: { type: 'keyword', index: false },
    })
    const { fields } = parse('{"a":1,"b":"x"}', none)
    expect(fields.has('a')).toBe(false)
    expect(fields.get('b')?.spec).toEqual({ index: null, norms: false, ordinals: true })
  })

  it('copies values with copy_to', () => {
    const copying = mapping({
      a: { type: 'keyword', copy_to: ['all', 'new.one'] },
      b: { type: 'long', copy_to: 'all' },
      all: { type: 'text' },
    })
    const { fields, mapping: after } = parse('{"a":"X y","b":7}', copying)
    expect(terms(fields, 'all')).toEqual(['x', 'y', '7'])
    expect(terms(fields, 'new.one')).toEqual(['x', 'y'])
    expect(after.field('new.one')?.type).toBe('text')
  })

  it('copies no value on that was copied, also where two fields name each other', () => {
    const copying = mapping({
      a: { type: 'keyword', copy_to: 'b' },
      b: { type: 'keyword', copy_to: ['a', 'c'] },
      c: { type: 'keyword' },
    })
    const { fields } = parse('{"a":"x"}', copying)
    expect(terms(fields, 'b')).toEqual(['x'])
    expect(fields.has('c')).toBe(false)
    const both = parse('{"a":["x","y"],"b":"z"}', copying).fields
    expect(terms(both, 'a')).toEqual(['x', 'y', 'z'])
    expect(terms(both, 'c')).toEqual(['z'])
  })

  it('adds constant keywords to every document', () => {
    const constant = mapping({
      genre: { type: 'constant_keyword', value: '1' },
      late: { type: 'constant_keyword' },
    })
    expect(parse('{}', constant).fields.get('genre')?.terms).toEqual(['1'])
    expect(parse('{"genre":1}', constant).fields.get('genre')?.terms).toEqual(['1'])
    const { mapping: after, fields } = parse('{"late":"x"}', constant)
    expect(fields.get('late')?.terms).toEqual(['x'])
    expect(after.toJson()).toMatchObject({ properties: { late: { type: 'constant_keyword', value: 'x' } } })
    expect(caught(() => parse('{"genre":"2"}', constant)).causedBy?.message).toBe(
      '[constant_keyword] field [genre] only accepts values that are equal to the value defined in the mappings [1], but got [2]',
    )
  })
})

describe('nested objects', () => {
  const nested = mapping({
    n: {
      type: 'nested',
      include_in_root: true,
      properties: { a: { type: 'long' }, m: { type: 'nested', properties: { b: { type: 'keyword' } } } },
    },
  })

  it('become documents, inner ones first', () => {
    const parsed = parse('{"n":[{"a":1,"m":[{"b":"x"},{"b":"y"}]},{"a":2}],"n.a":3}', nested)
    expect(parsed.nested.map(({ path, fields }) => [path, [...fields.keys()]])).toEqual([
      ['n.m', ['n.m.b']],
      ['n.m', ['n.m.b']],
      ['n', ['n.a']],
      ['n', ['n.a']],
      ['n', ['n.a']],
    ])
    expect(parsed.fields.get('n.a')?.numbers).toEqual([1, 2, 3])
  })

  it('are limited in number', () => {
    const few = Mapping.empty(mappingSettings({ nestedObjectsLimit: 2 })).merge({
      properties: { n: { type: 'nested' } },
    })
    expect(caught(() => parse('{"n":[{},{},{}]}', few)).message).toBe(
      'The number of nested documents has exceeded the allowed limit of [2]. This limit can be set by changing the [index.mapping.nested_objects.limit] index level setting.',
    )
  })
})

describe('any document', () => {
  it('is parsed to the same fields again once its mapping update is applied', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (source) => {
        const json = JSON.stringify(source)
        let first: ReturnType<typeof parse>
        try {
          first = parse(json)
        } catch (error) {
          expect(error).toBeInstanceOf(SearchError)
          return
        }
        const second = parse(json, first.mapping)
        expect(second.mappingUpdate).toBeUndefined()
        expect(second.mapping).toBe(first.mapping)
        expect([...second.fields]).toEqual([...first.fields])
        expect(Mapping.create(first.mapping.toJson()).toJson()).toEqual(first.mapping.toJson())
      }),
    )
  })
})
