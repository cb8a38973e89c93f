import { describe, expect, it } from 'vitest'
import { Analysis } from '../analysis/analysis.ts'
import type { JsonObject } from '../request/json-object.ts'
import { SearchError } from '../request/search-error.ts'
import { fieldCapabilities } from './field-caps.ts'
import { isTypedMapping, Mapping, mappingSettings, refuseTypedMapping } from './mapping.ts'

function caught(action: () => unknown): SearchError {
  try {
    action()
  } catch (error) {
    if (error instanceof SearchError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

const properties = (fields: JsonObject): JsonObject => ({ properties: fields })
const mapping = (fields: JsonObject) => Mapping.empty().merge(properties(fields))

describe('printing a mapping', () => {
  it('sorts names, omits defaults and keeps what was set', () => {
    const printed = mapping({
      zebra: { type: 'keyword', ignore_above: 256, doc_values: true },
      apple: { type: 'text', analyzer: 'whitespace', fields: { raw: { type: 'keyword' } } },
      count: { type: 'long', coerce: true, index: false },
      'sub.field': { type: 'date', format: 'strict_date_optional_time||epoch_millis' },
      items: { type: 'nested', properties: { n: { type: 'byte' } } },
      none: { type: 'object' },
    }).toJson()
    expect(JSON.stringify(printed)).toBe(
      JSON.stringify({
        properties: {
          apple: { type: 'text', analyzer: 'whitespace', fields: { raw: { type: 'keyword' } } },
          count: { type: 'long', index: false, coerce: true },
          items: { type: 'nested', properties: { n: { type: 'byte' } } },
          none: { type: 'object' },
          sub: { properties: { field: { type: 'date' } } },
          zebra: { type: 'keyword', ignore_above: 256 },
        },
      }),
    )
  })

  it('prints nothing for an empty mapping', () => {
    expect(Mapping.empty().toJson()).toEqual({})
    expect(Mapping.create({}).toJson()).toEqual({})
  })

  it('prints root settings in order', () => {
    const json = {
      dynamic: 'strict',
      _meta: { a: 1 },
      _routing: { required: true },
      _source: { excludes: ['a.*'] },
      dynamic_date_formats: ['yyyy'],
      dynamic_templates: [
        { all: { match: '*', match_mapping_type: 'string', mapping: { type: 'keyword' } } },
      ],
      date_detection: false,
      numeric_detection: true,
      properties: { a: { type: 'ip' } },
    }
    const made = Mapping.create(json)
    expect(JSON.stringify(made.toJson())).toBe(JSON.stringify(json))
    expect(JSON.stringify(Mapping.create(made.toJson()).toJson())).toBe(JSON.stringify(json))
    expect(made.routingRequired).toBe(true)
    expect(made.source).toEqual({ enabled: true, includes: [], excludes: ['a.*'] })
  })

  it('prints one field with its full name and, if asked, defaults', () => {
    const made = mapping({ a: { properties: { text: { type: 'text' } } } })
    expect(made.fieldJson('a.text')).toEqual({ full_name: 'a.text', mapping: { text: { type: 'text' } } })
    expect(made.fieldJson('a.text', 'own')).toMatchObject({ mapping: { text: { analyzer: 'default' } } })
    expect(made.fieldJson('other')).toBeUndefined()
  })
})

describe('mapping errors', () => {
  const refusals: readonly (readonly [JsonObject, string, string])[] = [
    [{ y: { type: 'x' } }, 'mapper_parsing_exception', 'No handler for type [x] declared on field [y]'],
    [
      { y: { type: 'murmur3' } },
      'mapper_parsing_exception',
      'No handler for type [murmur3] declared on field [y]',
    ],
    [{ y: {} }, 'mapper_parsing_exception', 'No type specified for field [y]'],
    [
      { y: 'text' },
      'mapper_parsing_exception',
      'Expected map for property [fields] on field [y] but got a class java.lang.String',
    ],
    [
      { y: { type: 'text', foo: 1 } },
      'mapper_parsing_exception',
      'unknown parameter [foo] on mapper [y] of type [text]',
    ],
    [
      { y: { type: 'text', analyzer: 'nope' } },
      'illegal_argument_exception',
      'analyzer [nope] has not been configured in mappings',
    ],
    [
      { y: { type: 'keyword', normalizer: 'nope' } },
      'mapper_parsing_exception',
      'normalizer [nope] not found for field [y]',
    ],
    [
      { y: { type: 'object', foo: 'bar' } },
      'mapper_parsing_exception',
      'Mapping definition for [y] has unsupported parameters:  [foo : bar]',
    ],
    [{ '': { type: 'keyword' } }, 'illegal_argument_exception', 'name cannot be empty string'],
    [
      { y: { type: 'keyword', index: 'analyzed' } },
      'illegal_argument_exception',
      'Could not convert [index] to boolean',
    ],
    [
      { y: { type: 'keyword', store: null } },
      'mapper_parsing_exception',
      '[store] on mapper [y] of type [keyword] must not have a [null] value',
    ],
    [{ y: { type: 'scaled_float' } }, 'illegal_argument_exception', 'Field [scaling_factor] is required'],
    [
      { y: { type: 'alias', path: 'z' } },
      'mapper_parsing_exception',
      'Invalid [path] value [z] for field alias [y]: an alias must refer to an existing field in the mappings.',
    ],
    [
      { y: { type: 'alias' } },
      'mapper_parsing_exception',
      'The [path] property must be specified for field [y].',
    ],
    [
      { y: { type: 'text', fields: { z: { type: 'nested' } } } },
      'mapper_parsing_exception',
      'Type [nested] cannot be used in multi field',
    ],
  ]
  for (const [fields, type, reason] of refusals) {
    it(reason, () => {
      const error = caught(() => mapping(fields))
      expect([error.type, error.message]).toEqual([type, reason])
    })
  }

  it('refuse unknown parameters at the root', () => {
    expect(caught(() => Mapping.empty().merge({ foo: { a: 1 } })).message).toBe(
      'Root mapping definition has unsupported parameters:  [foo : {a=1}]',
    )
  })

  it('are reported by index creation as a failure to parse', () => {
    const error = caught(() => Mapping.create({ properties: { '': { type: 'keyword' } } }))
    expect(error.type).toBe('mapper_parsing_exception')
    expect(error.message).toBe('Failed to parse mapping [_doc]: name cannot be empty string')
    expect(error.causedBy).toMatchObject({ type: 'illegal_argument_exception' })
  })

  it('refuse type names', () => {
    const typed = { _doc: { properties: { field: { type: 'keyword' } } } }
    expect(isTypedMapping(typed)).toBe(true)
    const error = caught(() => refuseTypedMapping(typed, 'put mapping'))
    expect(error.type).toBe('illegal_argument_exception')
    expect(error.message).toBe('Types cannot be provided in put mapping requests')
    refuseTypedMapping({ properties: {} }, 'put mapping')
    // Old templates have type names.
    expect(Mapping.empty().merge(typed).field('field')?.type).toBe('keyword')
  })
})

describe('merging mappings', () => {
  const before = mapping({
    f: { type: 'long' },
    t: { type: 'text', fields: { raw: { type: 'keyword' } } },
    o: { properties: { a: { type: 'ip' } } },
    n: { type: 'nested' },
    k: { type: 'keyword', meta: { bar: 'baz' } },
  })

  it('adds fields, multi-fields and inner fields, and leaves the old mapping alone', () => {
    const after = before.merge(
      properties({
        x: { type: 'date' },
        t: { type: 'text', fields: { english: { type: 'text', analyzer: 'english' } } },
        'o.b': { type: 'keyword' },
      }),
    )
    expect(after.field('x')?.type).toBe('date')
    expect(after.field('t.raw')?.type).toBe('keyword')
    expect(after.field('t.english')?.type).toBe('text')
    expect(after.field('o.a')?.type).toBe('ip')
    expect(after.field('o.b')?.type).toBe('keyword')
    expect(before.field('x')).toBeUndefined()
    expect(after.field('f')).toBe(before.field('f'))
  })

  it('returns the same mapping when nothing is new', () => {
    expect(before.merge({})).toBe(before)
    expect(before.merge(before.toJson())).toBe(before)
  })

  it('replaces parameters that may change', () => {
    const after = before.merge(properties({ k: { type: 'keyword', meta: { baz: 'quux' } } }))
    expect(after.toJson()).toMatchObject({ properties: { k: { meta: { baz: 'quux' } } } })
    expect(after.field('k')?.meta).toEqual({ baz: 'quux' })
  })

  const conflicts: readonly (readonly [JsonObject, string])[] = [
    [{ f: { type: 'text' } }, 'mapper [f] cannot be changed from type [long] to [text]'],
    [
      { f: { properties: { a: { type: 'text' } } } },
      'mapper [f] cannot be changed from type [long] to [ObjectMapper]',
    ],
    [{ o: { type: 'text' } }, "can't merge a non object mapping [o] with an object mapping"],
    [{ 'o.a': { type: 'long' } }, 'mapper [o.a] cannot be changed from type [ip] to [long]'],
    [
      { t: { type: 'text', analyzer: 'english', store: true } },
      'Mapper for [t] conflicts with existing mapper:\n\tCannot update parameter [store] from [false] to [true]\n\tCannot update parameter [analyzer] from [default] to [english]',
    ],
    [{ n: { type: 'object' } }, 'cannot change object mapping from nested to non-nested'],
  ]
  for (const [fields, reason] of conflicts) {
    it(`refuses: ${reason.split('\n')[0]}`, () => {
      const error = caught(() => before.merge(properties(fields)))
      expect([error.type, error.message]).toEqual(['illegal_argument_exception', reason])
    })
  }

  it('lets norms be switched off only', () => {
    const off = mapping({ t: { type: 'text', norms: false } })
    expect(
      mapping({ t: { type: 'text' } })
        .merge(off.toJson())
        .field('t')?.spec.norms,
    ).toBe(false)
    expect(caught(() => off.merge(properties({ t: { type: 'text' } }))).message).toContain(
      'Cannot update parameter [norms] from [false] to [true]',
    )
  })
})

describe('mapping limits', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, { type: 'long' }]))
  const nested = (depth: number): JsonObject => ({
    a: depth === 1 ? { type: 'object' } : { properties: nested(depth - 1) },
  })

  it.each([
    [many(1001), {}, 'Limit of total fields [1000] has been exceeded'],
    [
      nested(20),
      {},
      `Limit of mapping depth [20] has been exceeded due to object field [${Array(20).fill('a').join('.')}]`,
    ],
    [
      Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`n${index}`, { type: 'nested' }])),
      {},
      'Limit of nested fields [50] has been exceeded',
    ],
    [
      { longer: { type: 'ip' } },
      { fieldNameLengthLimit: 5 },
      'Field name [longer] is longer than the limit of [5] characters',
    ],
  ] as const)('refuse mapping number %#', (fields, settings, reason) => {
    const empty = Mapping.empty(mappingSettings(settings))
    const error = caught(() => empty.merge(properties(fields)))
    expect([error.type, error.message]).toEqual(['illegal_argument_exception', reason])
  })

  it('accept what just fits', () => {
    expect(mapping(many(1000)).fields.size).toBe(1000)
    expect(mapping(nested(19)).objects.size).toBe(19)
  })
})

describe('finding fields', () => {
  const made = mapping({
    message: { type: 'text', fields: { keyword: { type: 'keyword' } } },
    host: { properties: { name: { type: 'keyword' }, ip: { type: 'ip' } } },
    hostname: { type: 'alias', path: 'host.name' },
    labels: { type: 'flattened' },
    comments: {
      type: 'nested',
      properties: {
        author: { type: 'keyword' },
        replies: { type: 'nested', properties: { n: { type: 'long' } } },
      },
    },
  })

  it('finds by name, alias and key of a flattened field', () => {
    expect(made.field('hostname')).toBe(made.field('host.name'))
    expect(made.field('labels.release.version')).toMatchObject({
      name: 'labels.release.version',
      family: 'keyword',
    })
    expect(made.field('host')).toBeUndefined()
    expect(made.field('_ignored')?.family).toBe('keyword')
    expect(made.field('constructor')).toBeUndefined()
    expect(made.field('__proto__')).toBeUndefined()
  })

  it('finds by pattern', () => {
    expect([...made.namesMatching('host*')].sort()).toEqual(['host.ip', 'host.name', 'hostname'])
    expect(made.fieldsMatching('host*')).toHaveLength(2)
    expect(made.namesMatching('*.keyword')).toEqual(['message.keyword'])
    expect(made.namesMatching('nope')).toEqual([])
    expect(made.namesMatching('m*ge')).toEqual(['message'])
  })

  it('finds in nested objects', () => {
    expect(made.nestedPathOf('message')).toBeUndefined()
    expect(made.nestedPathOf('comments')).toBe('comments')
    expect(made.nestedPathOf('comments.author')).toBe('comments')
    expect(made.nestedPathOf('comments.replies.n')).toBe('comments.replies')
    expect(made.nestedPathOf('comments.unknown')).toBe('comments')
    expect(made.hasNested).toBe(true)
  })

  it('lists field capabilities', () => {
    const caps = (fields: JsonObject, name: string) =>
      fieldCapabilities(mapping(fields), [name]).find((field) => field.name === name)
    expect(caps({ f: { type: 'text' } }, 'f')).toMatchObject({
      type: 'text',
      isSearchable: true,
      isAggregatable: false,
    })
    expect(caps({ f: { type: 'long', index: false } }, 'f')).toMatchObject({
      isSearchable: false,
      isAggregatable: true,
    })
    expect(caps({ f: { type: 'float', doc_values: false } }, 'f')).toMatchObject({
      isSearchable: true,
      isAggregatable: false,
    })
    expect(caps({ f: { type: 'geo_point' } }, 'f')).toMatchObject({
      isSearchable: true,
      isAggregatable: true,
    })
    expect(caps({ f: { type: 'nested' } }, 'f')).toMatchObject({ type: 'nested', isSearchable: false })
    const all = fieldCapabilities(mapping({ o: { properties: { a: { type: 'ip' } } } }), ['o.a'])
    expect(all.map(({ name, type }) => [name, type])).toEqual([
      ['o.a', 'ip'],
      ['o', 'object'],
    ])
  })
})

describe('analysis', () => {
  it('uses analyzers of the index', () => {
    const analysis = new Analysis({
      analysis: {
        analyzer: { mine: { tokenizer: 'whitespace' }, default_search: { type: 'keyword' } },
        normalizer: { lower: { type: 'custom', filter: ['lowercase'] } },
      },
    })
    const made = Mapping.create(
      {
        properties: {
          a: { type: 'text', analyzer: 'mine' },
          b: { type: 'text' },
          k: { type: 'keyword', normalizer: 'lower' },
        },
      },
      mappingSettings({ analysis }),
    )
    expect(made.field('a')?.analyzer).toBe(analysis.analyzer('mine'))
    expect(made.field('a')?.searchAnalyzer).toBe(analysis.analyzer('mine'))
    expect(made.field('b')?.searchAnalyzer).toBe(analysis.analyzer('default_search'))
    expect(made.field('k')?.toTerm('ABC')).toBe('abc')
  })
})
