import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SearchError } from '../request/search-error.ts'
import { plainValues } from '../request/test-values.ts'
import { caught, idsOf, search, type TestDoc, testIndex } from './test-search.ts'

const goods: TestDoc[] = [
  { id: 'a', source: { name: 'oak table', price: 40, rate: 2.5, sold: '2024-01-05T10:30:00Z', ok: true } },
  { id: 'b', source: { name: 'oak chair', price: 10, rate: 8, sold: '2024-03-01T00:00:00Z', ok: false } },
  { id: 'c', source: { name: 'pine', price: [3, 5, 30], rate: 1, place: { lat: 50, lon: 10 } } },
  { id: 'd', source: { name: 'nothing' } },
  { id: 'e', source: { name: 'gone', price: 1 }, isDeleted: true },
]

const shop = testIndex([[goods.slice(0, 2), goods.slice(2)]], {
  mappings: {
    properties: {
      name: { type: 'text', fields: { raw: { type: 'keyword' } } },
      price: { type: 'long' },
      rate: { type: 'double' },
      cost: { type: 'scaled_float', scaling_factor: 100 },
      sold: { type: 'date' },
      ok: { type: 'boolean' },
      place: { type: 'geo_point' },
      parts: { type: 'nested', properties: { size: { type: 'integer' } } },
    },
  },
})

interface Reason {
  readonly type: string
  readonly reason: string
  readonly caused_by?: Reason
}

/** The reason and the cause of the failure of the only shard. */
function failure(body: unknown): string {
  const error = caught(() => search(shop, body))
  expect(error.type).toBe('search_phase_execution_exception')
  const [shard] = error.details['failed_shards'] as { reason: Reason }[]
  const reasons: string[] = []
  for (let at: Reason | undefined = shard!.reason; at !== undefined; at = at.caused_by)
    reasons.push(`${at.type}: ${at.reason}`)
  return reasons.join('; ')
}

function has(field: string): unknown {
  return { exists: { field } }
}

describe('a query by script', () => {
  it.each([
    ["doc['price'].size() > 1", ['c']],
    ["doc['price'].size() > 0 && doc['price'].value > 9", ['a', 'b']],
    ["doc['price'].contains(30L) || doc['ok'].size() == 1 && doc['ok'].value", ['a', 'c']],
    ["doc.rate.empty || doc['rate'].value < params.most", ['c', 'd']],
    ["doc['name.raw'].value.startsWith('oak')", ['a', 'b']],
    ["doc['sold'].size() > 0 && doc['sold'].value.monthValue == 3", ['b']],
    ["doc['sold'].size() > 0 && doc['sold'].value.dayOfWeek.getValue() == 5", ['a', 'b']],
    ["doc.containsKey('price') && !doc.containsKey('nowhere')", ['a', 'b', 'c', 'd']],
    ["int sum = 0; for (p in doc['price']) { sum += p } return sum == 38", ['c']],
    ["params._source.name == 'pine'", ['c']],
    ["doc['_id'].value == 'b'", ['b']],
  ])('%s', (source, expected) => {
    const script = { source, params: { most: 2 } }
    expect(idsOf(search(shop, { query: { script: { script } }, sort: 'name.raw' })).sort()).toEqual(expected)
  })

  it('runs only for documents that all other clauses leave', () => {
    const cheap = { script: { script: "doc['price'].value < 20" } }
    for (const occur of ['filter', 'must'])
      expect(idsOf(search(shop, { query: { bool: { [occur]: [cheap, has('price')] } } })).sort()).toEqual([
        'b',
        'c',
      ])
    const not = { bool: { filter: has('price'), must_not: cheap } }
    expect(idsOf(search(shop, { query: not }))).toEqual(['a'])
    const should = { bool: { filter: has('price'), should: [cheap], minimum_should_match: 1 } }
    expect(idsOf(search(shop, { query: should })).sort()).toEqual(['b', 'c'])
  })

  it('reports a missing field value', () => {
    expect(failure({ query: { script: { script: "doc['price'].value < 20" } } })).toBe(
      "script_exception: runtime error; illegal_state_exception: A document doesn't have a value for a field! Use doc[<field>].size()==0 to check if a document is missing a field!",
    )
  })

  it.each([
    ["doc['nowhere'].value == 1", 'No field found for [nowhere] in mapping'],
    ["doc['name'].value == ''", 'Text fields are not optimised'],
    ["doc['price'].size()", 'cannot cast def [int] to boolean'],
    ['while (true) {}', 'The maximum number of statements that can be executed in a loop'],
  ])('%s fails with %s', (script, reason) => {
    expect(failure({ query: { script: { script } } })).toContain(reason)
  })

  it('sees the values of nested objects inside of a nested query', () => {
    const index = testIndex(
      [
        [
          [
            { id: '1', source: { parts: [{ size: 1 }, { size: 7 }] } },
            { id: '2', source: { parts: [{ size: 3 }] } },
          ],
        ],
      ],
      { mappings: { properties: { parts: { type: 'nested', properties: { size: { type: 'integer' } } } } } },
    )
    const query = { nested: { path: 'parts', query: { script: { script: "doc['parts.size'].value > 5" } } } }
    expect(idsOf(search(index, { query }))).toEqual(['1'])
  })

  it('scores nested objects', () => {
    const index = testIndex([[[{ id: '1', source: { parts: [{ size: 1 }, { size: 7 }] } }]]], {
      mappings: { properties: { parts: { type: 'nested', properties: { size: { type: 'integer' } } } } },
    })
    const script = "int sum = 0; for (size in doc['parts.size']) { sum += size } return sum"
    const inner = { script_score: { query: { match_all: {} }, script: { source: script } } }
    const query = { nested: { path: 'parts', score_mode: 'sum', query: inner } }
    expect(search(index, { query }).hits.max_score).toBe(8)
  })

  it('may be a Lucene expression', () => {
    const script = {
      lang: 'expression',
      source: "doc['price'].max() > limit && !doc['rate'].empty",
      params: { limit: 20 },
    }
    expect(idsOf(search(shop, { query: { script: { script } } })).sort()).toEqual(['a', 'c'])
    const march = { lang: 'expression', source: "doc['sold'].getMonthValue() == 3 && doc['sold'].min() > 0" }
    expect(idsOf(search(shop, { query: { script: { script: march } } }))).toEqual(['b'])
  })
})

describe('scores by script', () => {
  function scores(query: unknown): (number | null)[] {
    return search(shop, { query, sort: ['_score', 'name.raw'] }).hits.hits.map(({ _score }) => _score)
  }

  it('are the result of script_score times the boost', () => {
    const script = { source: "_score * doc['price'].value / params.by", params: { by: 10.0 } }
    const query = { constant_score: { filter: has('price'), boost: 2 } }
    expect(scores({ script_score: { query, script } })).toEqual([8, 2, 0.6])
    expect(scores({ script_score: { query, script, boost: 3, min_score: 6 } })).toEqual([24, 6])
  })

  it('are computed for matching documents only', () => {
    const script = {
      source: "int sum = 0; for (p in doc['price']) { sum += p } return sum / doc['price'].length",
    }
    const query = {
      bool: { must: { script_score: { query: { match_all: {} }, script } }, filter: has('price') },
    }
    expect(scores(query)).toEqual([40, 12, 10])
    expect(failure({ query: { script_score: { query: { match_all: {} }, script } } })).toContain('/ by zero')
  })

  it.each([
    ["saturation(doc['rate'].value, 2)", [0.8, 0.5555555820465088, 0.3333333432674408]],
    ["sigmoid(doc['rate'].value, 2, 1)", [0.8, 0.5555555820465088, 0.3333333432674408]],
    ["decayNumericLinear(8, 10, 0, 0.5, doc['rate'].value)", [1, 0.7250000238418579, 0.6499999761581421]],
    ["decayNumericExp(1, 1.5, 0, 0.25, doc['rate'].value)", [1, 0.25, 0.0015503141]],
    ["Math.abs(doc['rate'].value - 2.5)", [5.5, 1.5, 0]],
  ])('%s', (source, expected) => {
    const found = scores({ script_score: { query: has('rate'), script: { source } } })
    expect(found).toHaveLength(expected.length)
    found.forEach((score, at) => {
      expect(score).toBeCloseTo(expected[at]!, 6)
    })
  })

  it('decay with time and distance', () => {
    const date = "decayDateGauss('2024-01-05T10:30:00Z', '10d', '0', 0.5, doc['sold'].value)"
    expect(scores({ script_score: { query: has('sold'), script: { source: date } } })[0]).toBe(1)
    const place = "decayGeoLinear('50,10', '10km', '0km', 0.5, doc['place'].value)"
    expect(scores({ script_score: { query: has('place'), script: { source: place } } })).toEqual([1])
  })

  it.each([
    ["decayDateGauss('never', '10d', '0', 0.5, doc['sold'].value)", 'failed to parse date field [never]'],
    [
      "decayDateGauss('2024-01-05', 'long', '0', 0.5, doc['sold'].value)",
      'with value [long] as a time value',
    ],
    ["decayGeoLinear('a b', '10km', '0km', 0.5, doc['place'].value)", '[a b]'],
  ])('cannot be %s', (source, reason) => {
    const query = {
      script_score: { query: has(source.includes('Geo') ? 'place' : 'sold'), script: { source } },
    }
    const told = failure({ query })
    expect(told).toMatch(/^script_exception: runtime error; /)
    expect(told).toContain(reason)
    const script = { source: `try { return ${source} } catch (Exception e) { return 7 }` }
    expect(new Set(scores({ script_score: { ...query.script_score, script } }))).toEqual(new Set([7]))
  })

  it('are functions of function_score', () => {
    const query = {
      function_score: {
        query: has('price'),
        functions: [
          { filter: has('ok'), script_score: { script: "doc['rate'].value" } },
          {
            filter: { term: { price: 30 } },
            script_score: { script: { source: '_score + params.more', params: { more: 6 } } },
          },
        ],
        boost_mode: 'replace',
      },
    }
    expect(scores(query)).toEqual([8, 7, 2.5])
  })

  it('cannot be negative', () => {
    const script = '-1'
    expect(
      failure({ query: { script_score: { query: has('rate'), script: { source: script } } } }),
    ).toContain(
      'script_score script returned an invalid score [-1.0] for doc [0]. Must be a non-negative score!',
    )
    expect(failure({ query: { function_score: { script_score: { script } } } })).toContain(
      'script score function must not produce negative scores, but got: [-1.0]',
    )
  })
})

describe('sorting by script', () => {
  function sorted(sort: Record<string, unknown>, query: unknown = { match_all: {} }): unknown[] {
    const { hits } = search(shop, { query, sort: [{ _script: sort }, 'name.raw'] }).hits
    return hits.map(({ _id, sort: values }) => [_id, plainValues(values![0])])
  }

  it('takes numbers', () => {
    const script = { source: "doc['price'].size() * params.by", params: { by: 2 } }
    expect(sorted({ type: 'number', script, order: 'desc' })).toEqual([
      ['c', 6],
      ['b', 2],
      ['a', 2],
      ['d', 0],
    ])
  })

  it('takes texts', () => {
    const script = "doc['name.raw'].value.substring(1)"
    expect(sorted({ type: 'string', script })).toEqual([
      ['b', 'ak chair'],
      ['a', 'ak table'],
      ['c', 'ine'],
      ['d', 'othing'],
    ])
  })

  it('continues with search_after', () => {
    const sort = [{ _script: { type: 'number', script: "doc['rate'].size() == 0 ? 9 : doc['rate'].value" } }]
    expect(idsOf(search(shop, { sort }))).toEqual(['c', 'a', 'b', 'd'])
    expect(idsOf(search(shop, { sort, search_after: [2.5] }))).toEqual(['b', 'd'])
    expect(idsOf(search(shop, { sort, from: 1, size: 2 }))).toEqual(['a', 'b'])
  })

  it('can read the score', () => {
    const query = { constant_score: { filter: has('price'), boost: 4 } }
    expect(sorted({ type: 'number', script: "_score * doc['price'].length" }, query)).toEqual([
      ['b', 4],
      ['a', 4],
      ['c', 12],
    ])
  })

  it('requires a type', () => {
    expect(caught(() => search(shop, { sort: { _script: { script: '1' } } })).message).toBe('Required [type]')
  })
})

describe('fields by script', () => {
  function fields(script_fields: unknown, more: Record<string, unknown> = {}): Record<string, unknown> {
    const hit = search(shop, { query: { ids: { values: ['a'] } }, script_fields, ...more }).hits.hits[0]!
    return plainValues(hit) as Record<string, unknown>
  }

  it('are lists, and take the place of the source', () => {
    const hit = fields({
      double: { script: "doc['price'].value * 2" },
      all: { script: "doc['price']" },
      text: { script: { source: "params.greeting + ' ' + params._source.name", params: { greeting: 'an' } } },
      when: { script: "doc['sold'].value" },
      later: { script: "doc['sold'].value.plusMonths(1).format(DateTimeFormatter.ofPattern('yyyy-MM-dd'))" },
      days: {
        script: "ChronoUnit.DAYS.between(doc['sold'].value, ZonedDateTime.parse('2024-01-08T00:00:00Z'))",
      },
      none: { script: 'null' },
      map: { script: "['a': 1, 'b': [true]]" },
    })
    expect(hit['fields']).toEqual({
      double: [80],
      all: [40],
      text: ['an oak table'],
      when: ['2024-01-05T10:30:00.000Z'],
      later: ['2024-02-05'],
      days: [2],
      none: [null],
      map: [{ a: 1, b: [true] }],
    })
    expect(hit).not.toHaveProperty('_source')
  })

  it('stand beside the source where that is asked for', () => {
    expect(fields({ one: { script: '1' } }, { _source: true })).toHaveProperty('_source')
  })

  it('fail, unless that is to be ignored', () => {
    const script = "doc['place'].value"
    expect(() => fields({ broken: { script } })).toThrow(SearchError)
    expect(fields({ broken: { script, ignore_failure: true } })).not.toHaveProperty('fields')
  })
})

describe('terms_set', () => {
  it('asks a script how many terms are needed', () => {
    const query = (source: string) => ({
      terms_set: { name: { terms: ['oak', 'chair', 'pine'], minimum_should_match_script: { source } } },
    })
    expect(idsOf(search(shop, { query: query('params.num_terms - 1') }))).toEqual(['b'])
    expect(idsOf(search(shop, { query: query("doc['price'].size() > 1 ? 1 : 2") })).sort()).toEqual([
      'b',
      'c',
    ])
  })
})

describe('intervals', () => {
  it('are filtered by a script', () => {
    const query = (source: string) => ({
      intervals: { name: { match: { query: 'oak', filter: { script: { source } } } } },
    })
    expect(idsOf(search(shop, { query: query('interval.start == 0 && interval.gaps == 0') })).sort()).toEqual(
      ['a', 'b'],
    )
    expect(idsOf(search(shop, { query: query('interval.end > 0') }))).toEqual([])
  })
})

describe('scripts, compared with what does the same without', () => {
  const numbers = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 12 })

  it('filters, sorts and scores agree', () => {
    fc.assert(
      fc.property(
        numbers,
        fc.integer({ min: -9, max: 9 }),
        fc.integer({ min: 0, max: 12 }),
        (values, least, from) => {
          const docs = values.map(
            (n, at): TestDoc => ({ id: String(at), source: { n }, isDeleted: at % 5 === 4 }),
          )
          const index = testIndex([[docs.slice(0, 3), docs.slice(3, 7)], [docs.slice(7)]], {
            mappings: { properties: { n: { type: 'integer' } } },
          })
          const page = (body: Record<string, unknown>) => idsOf(search(index, { from, size: 5, ...body }))
          const script = { source: "doc['n'].value >= params.least", params: { least } }
          expect(page({ query: { script: { script } } })).toEqual(
            page({ query: { constant_score: { filter: { range: { n: { gte: least } } } } } }),
          )
          for (const order of ['asc', 'desc'])
            expect(page({ sort: { _script: { type: 'number', order, script: "doc['n'].value" } } })).toEqual(
              page({ sort: { n: order } }),
            )
          const loop = "int sum = 9; for (n in doc['n']) { sum += n } return sum"
          const scored = { script_score: { query: { match_all: {} }, script: { source: loop } } }
          expect(page({ query: scored })).toEqual(page({ sort: { n: 'desc' } }))
        },
      ),
      { numRuns: 50 },
    )
  })
})

describe('arithmetic over columns', () => {
  const numbers = testIndex(
    [
      [
        [
          { id: '1', source: { n: 7, x: 0.5, big: '9007199254740993', ok: true, s: 12.34 } },
          { id: '2', source: { n: [3, -4], x: [-2, 8.25], big: 5, ok: false, s: -1 } },
        ],
        [
          { id: '3', source: { n: 0, x: 0, big: -7, ok: true, s: 0.01 } },
          { id: '4', source: { n: -2_147_483_648, x: 1e300, big: '-9223372036854775808', ok: false, s: 3 } },
          { id: '5', source: { other: 1 } },
        ],
      ],
    ],
    {
      mappings: {
        properties: {
          n: { type: 'integer' },
          x: { type: 'double' },
          big: { type: 'long' },
          ok: { type: 'boolean' },
          s: { type: 'scaled_float', scaling_factor: 100 },
        },
      },
    },
  )

  const { number } = fc.letrec<{ number: string; condition: string }>((tie) => ({
    number: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'script' },
      fc.constantFrom('0', '1', '-3', '2.5', '4L', '1e3', 'params.i', "params['d']", 'Math.PI', '_score'),
      fc.constantFrom("doc['n'].value", 'doc.x.value', "doc['big'].value", "doc['s'].getValue()"),
      fc.constantFrom("doc['n'].size()", "doc['x'].length"),
      fc
        .tuple(tie('number'), fc.constantFrom('+', '-', '*', '/', '%'), tie('number'))
        .map(([a, sign, b]) => `(${a} ${sign} ${b})`),
      fc.tuple(tie('condition'), tie('number'), tie('number')).map(([c, a, b]) => `(${c} ? ${a} : ${b})`),
      fc
        .tuple(
          fc.constantFrom(
            'Math.abs',
            'Math.sqrt',
            'Math.log1p',
            'Math.round',
            '-',
            '(long)',
            '(double)',
            '(int)',
          ),
          tie('number'),
        )
        .map(([name, a]) => `${name}(${a})`),
      fc
        .tuple(fc.constantFrom('Math.max', 'Math.min', 'Math.pow'), tie('number'), tie('number'))
        .map(([name, a, b]) => `${name}(${a}, ${b})`),
    ),
    condition: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'script' },
      fc.constantFrom('true', "doc['ok'].value", "doc['n'].empty", "doc['x'].isEmpty()", 'params.yes'),
      fc
        .tuple(tie('number'), fc.constantFrom('<', '<=', '>', '>=', '==', '!='), tie('number'))
        .map(([a, sign, b]) => `(${a} ${sign} ${b})`),
      fc
        .tuple(tie('condition'), fc.constantFrom('&&', '||'), tie('condition'))
        .map(([a, sign, b]) => `(${a} ${sign} ${b})`),
      tie('condition').map((a) => `!(${a})`),
    ),
  }))

  const params = { i: 12, d: 0.1, yes: false }

  function values(source: string, id: string): unknown {
    const query = { term: { _id: id } }
    const sort = [{ _script: { type: 'number', script: { source, params } } }]
    try {
      return search(numbers, { query, sort }).hits.hits.map((hit) => Number(hit.sort![0]))
    } catch (error) {
      return error instanceof SearchError ? 'failed' : error
    }
  }

  it('gives what the same script gives value by value', () => {
    fc.assert(
      fc.property(number, fc.constantFrom('1', '2', '3', '4', '5'), (source, id) => {
        // A script of two statements is not one expression, and runs the general way.
        expect(values(source, id)).toEqual(values(`def result = ${source}; return result`, id))
      }),
      { numRuns: 600 },
    )
  })

  /** Ids and scores, or why there are none. */
  function scores(index: ReturnType<typeof testIndex>, source: string, inner: unknown): unknown {
    const query = { script_score: { query: inner, script: { source, params } } }
    try {
      const found = search(index, { query, size: 2000 })
      return found.hits.hits.map((hit) => [hit._id, hit._score])
    } catch (error) {
      if (!(error instanceof SearchError)) return error
      const [shard] = error.details['failed_shards'] as { reason: Reason }[]
      return (shard!.reason.caused_by ?? shard!.reason).type
    }
  }

  const { arithmetic } = fc.letrec<{ arithmetic: string }>((tie) => ({
    arithmetic: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'arithmetic' },
      fc.constantFrom(
        '_score',
        '1',
        '2.5',
        '4L',
        'params.i',
        "doc['n'].value",
        'doc.x.value',
        "doc['s'].value",
      ),
      fc
        .tuple(tie('arithmetic'), fc.constantFrom('+', '-', '*', '/', '%'), tie('arithmetic'))
        .map(([a, sign, b]) => `(${a} ${sign} ${b})`),
      fc
        .tuple(fc.constantFrom('-', 'Math.sqrt', 'Math.log', 'Math.exp', 'Math.ceil'), tie('arithmetic'))
        .map(([name, a]) => `${name}(${a})`),
      fc.tuple(tie('arithmetic'), tie('arithmetic')).map(([a, b]) => `Math.pow(${a}, ${b})`),
    ),
  }))

  it('gives the same scores over vectors as value by value', () => {
    const inner = fc.constantFrom({ match_all: {} }, { terms: { _id: ['1', '2', '3'] } }, { term: { n: 7 } })
    fc.assert(
      fc.property(fc.oneof(number, arithmetic), inner, (source, query) => {
        expect(scores(numbers, source, query)).toEqual(
          scores(numbers, `def result = ${source}; return result`, query),
        )
      }),
      { numRuns: 600 },
    )
  })

  describe('of more documents than a vector holds', () => {
    const many = Array.from({ length: 1300 }, (_, i): TestDoc => {
      const source = { n: (i * 7919) % 1000, x: i / 7, s: (i % 90) / 100 }
      // Only deleted documents have no number, or one that makes a negative score.
      return i % 300 === 17
        ? { id: `${i}`, source: i % 600 === 17 ? {} : { ...source, n: -5000 }, isDeleted: true }
        : { id: `${i}`, source }
    })
    const mappings = {
      properties: {
        n: { type: 'integer' },
        x: { type: 'double' },
        s: { type: 'scaled_float', scaling_factor: 100 },
      },
    }
    const index = testIndex([[many.slice(0, 1200), many.slice(1200)]], { mappings })
    const missing = testIndex([[[...many, { id: 'none', source: { x: 1 } }]]], { mappings })

    it.each([
      "_score * Math.log(2 + doc['n'].value) + params.d * doc['x'].value",
      "doc['n'].value / 7 + doc['n'].value * 3",
      "3 * doc['n'].value + (params.d + 2) * 4",
      "2.5 * (doc['x'].value + 1) * (1 + doc['n'].value)",
      "Math.sqrt(doc['s'].value) * Math.exp(-0.01) + Math.log10(1 + doc['x'].value)",
      "Math.pow(doc['x'].value, 1.5) - 0",
      "doc['n'].value - 5",
      "doc['n'].value * 9007199254740991L + 1",
      "10 / doc['n'].value",
    ])('%s', (source) => {
      const general = `def result = ${source}; return result`
      for (const each of [index, missing])
        expect(scores(each, source, { match_all: {} })).toEqual(scores(each, general, { match_all: {} }))
    })
  })
})
