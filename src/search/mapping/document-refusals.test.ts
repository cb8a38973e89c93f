import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../request/json-object.ts'
import { SearchError } from '../request/search-error.ts'
import { parseDocument } from './documents/document-parser.ts'
import { Mapping, mappingSettings } from './mapping.ts'

/** What Jackson adds to the errors of wrong types. */
const read = (bytes: number) =>
  `\n at [Source: REDACTED (\`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION\` disabled); byte offset: #${bytes}]`

const mapping = (fields: JsonObject) => Mapping.empty().merge({ properties: fields })

function parse(json: string, using: Mapping) {
  return parseDocument({ id: '1', source: JSON.parse(json), raw: new TextEncoder().encode(json) }, using)
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

describe('documents that the mapping refuses', () => {
  const fields = mapping({
    n: { type: 'long' },
    i: { type: 'integer' },
    b: { type: 'byte' },
    d: { type: 'double' },
    strictly: { type: 'integer', coerce: false },
    flag: { type: 'boolean' },
    date: { type: 'date' },
    nanos: { type: 'date_nanos' },
    ip: { type: 'ip' },
    text: { type: 'text' },
    point: { type: 'geo_point' },
    range: { type: 'integer_range' },
    o: { properties: { x: { type: 'long' } } },
    alias: { type: 'alias', path: 'n' },
  })
  const refusals: readonly (readonly [string, string, string | undefined, string | undefined])[] = [
    [
      '{"n":"abc"}',
      "failed to parse field [n] of type [long] in document with id '1'. Preview of field's value: 'abc'",
      'illegal_argument_exception',
      'For input string: "abc"',
    ],
    [
      '{"d":"abc"}',
      "failed to parse field [d] of type [double] in document with id '1'. Preview of field's value: 'abc'",
      'number_format_exception',
      'For input string: "abc"',
    ],
    [
      '{"n":{"a":[1,{"b":null}]}}',
      "failed to parse field [n] of type [long] in document with id '1'. Preview of field's value: '{a=[1, {b=null}]}'",
      'input_coercion_exception',
      `Current token (START_OBJECT) not numeric, cannot use numeric value accessors${read(6)}`,
    ],
    [
      '{"n":99999999999999999999}',
      "failed to parse field [n] of type [long] in document with id '1'. Preview of field's value: '99999999999999999999'",
      'input_coercion_exception',
      `Numeric value (99999999999999999999) out of range of \`long\` (-9223372036854775808 - 9223372036854775807)${read(25)}`,
    ],
    [
      '{"n":"99999999999999999999"}',
      "failed to parse field [n] of type [long] in document with id '1'. Preview of field's value: '99999999999999999999'",
      'illegal_argument_exception',
      'Value [99999999999999999999] is out of range for a long',
    ],
    [
      '{"i":3000000000}',
      "failed to parse field [i] of type [integer] in document with id '1'. Preview of field's value: '3000000000'",
      'input_coercion_exception',
      `Numeric value (3000000000) out of range of \`int\` (-2147483648 - 2147483647)${read(15)}`,
    ],
    [
      '{"b":300}',
      "failed to parse field [b] of type [byte] in document with id '1'. Preview of field's value: '300'",
      'illegal_argument_exception',
      'Value [300] is out of range for a byte',
    ],
    [
      '{"strictly":"1"}',
      "failed to parse field [strictly] of type [integer] in document with id '1'. Preview of field's value: '1'",
      'illegal_argument_exception',
      'Integer value passed as String',
    ],
    [
      '{"strictly":1.5}',
      "failed to parse field [strictly] of type [integer] in document with id '1'. Preview of field's value: '1.5'",
      'illegal_argument_exception',
      '1.5 cannot be converted to Integer without data loss',
    ],
    [
      '{"flag":"maybe"}',
      "failed to parse field [flag] of type [boolean] in document with id '1'. Preview of field's value: 'maybe'",
      'illegal_argument_exception',
      'Failed to parse value [maybe] as only [true] or [false] are allowed.',
    ],
    [
      '{"date":"bar"}',
      "failed to parse field [date] of type [date] in document with id '1'. Preview of field's value: 'bar'",
      'illegal_argument_exception',
      'failed to parse date field [bar] with format [strict_date_optional_time||epoch_millis]',
    ],
    [
      '{"nanos":"1969-10-28T12:12:12.123456789Z"}',
      "failed to parse field [nanos] of type [date_nanos] in document with id '1'. Preview of field's value: '1969-10-28T12:12:12.123456789Z'",
      'illegal_argument_exception',
      'date[1969-10-28T12:12:12.123456789Z] is before the epoch in 1970 and cannot be stored in nanosecond resolution',
    ],
    [
      '{"nanos":"2263-10-29T12:12:12.123456789Z"}',
      "failed to parse field [nanos] of type [date_nanos] in document with id '1'. Preview of field's value: '2263-10-29T12:12:12.123456789Z'",
      'illegal_argument_exception',
      'date[2263-10-29T12:12:12.123456789Z] is after 2262-04-11T23:47:16.854775807 and cannot be stored in nanosecond resolution',
    ],
    [
      '{"ip":"quux"}',
      "failed to parse field [ip] of type [ip] in document with id '1'. Preview of field's value: 'quux'",
      'illegal_argument_exception',
      "'quux' is not an IP string literal.",
    ],
    [
      '{"a":{"text":1},\n "text": {"a":1}}',
      "failed to parse field [text] of type [text] in document with id '1'. Preview of field's value: '{a=1}'",
      'illegal_state_exception',
      "Can't get text on a START_OBJECT at 2:10",
    ],
    [
      '{"point":{"lat":91,"lon":0}}',
      'failed to parse field [point] of type [geo_point]',
      'illegal_argument_exception',
      'illegal latitude value [91.0] for point',
    ],
    [
      '{"point":{"lat":1}}',
      'failed to parse field [point] of type [geo_point]',
      'parse_exception',
      'field [lon] missing',
    ],
    [
      '{"range":{"gte":5,"lte":1}}',
      "failed to parse field [range] of type [integer_range] in document with id '1'. Preview of field's value: 'null'",
      'illegal_argument_exception',
      'min value (5) is greater than max value (1)',
    ],
    [
      '{"o":5}',
      'object mapping for [o] tried to parse field [o] as object, but found a concrete value',
      undefined,
      undefined,
    ],
    [
      '{"o":[5]}',
      'object mapping for [o] tried to parse field [null] as object, but found a concrete value',
      undefined,
      undefined,
    ],
    [
      '{"n.x":1}',
      'Could not dynamically add mapping for field [n.x]. Existing mapping for [n] must be of type object but found [long].',
      undefined,
      undefined,
    ],
    [
      '{"_id":"x"}',
      "failed to parse field [_id] of type [_id] in document with id '1'. Preview of field's value: 'x'",
      'mapper_parsing_exception',
      'Field [_id] is a metadata field and cannot be added inside a document. Use the index API request parameters.',
    ],
    ['{"":1}', 'failed to parse', 'illegal_argument_exception', 'field name cannot be an empty string'],
    [
      '{"a..b":1}',
      'failed to parse',
      'illegal_argument_exception',
      'object field starting or ending with a [.] makes object resolution ambiguous: [a..b]',
    ],
    [
      '{"alias":1}',
      'failed to parse',
      'illegal_argument_exception',
      'Cannot write to a field alias [alias].',
    ],
    ['[1]', 'failed to parse', undefined, undefined],
  ]
  for (const [json, reason, causeType, cause] of refusals) {
    it(`refuses ${json}`, () => {
      const error = caught(() => parse(json, fields))
      expect(error.type).toBe('mapper_parsing_exception')
      expect(error.message).toBe(reason)
      expect((error.causedBy as SearchError | undefined)?.type).toBe(causeType)
      expect(error.causedBy?.message).toBe(cause)
    })
  }

  it('accepts malformed values with ignore_malformed', () => {
    const lenient = Mapping.empty(mappingSettings({ ignoreMalformed: true })).merge({
      properties: {
        my_date: { type: 'date', ignore_malformed: false },
        my_ip: { type: 'ip' },
        n: { type: 'integer' },
        when: { type: 'date' },
      },
    })
    const { fields: parsed } = parse('{"my_ip":":::1","n":["x",5],"when":"bar"}', lenient)
    expect(parsed.get('_ignored')?.terms).toEqual(['my_ip', 'n', 'when'])
    expect(parsed.get('n')?.numbers).toEqual([5])
    expect(caught(() => parse('{"my_date":"bar"}', lenient)).message).toContain(
      'failed to parse field [my_date] of type [date]',
    )
  })

  it('refuses terms that are too long', () => {
    const long = `{"k":"${'a'.repeat(32_767)}"}`
    const error = caught(() => parse(long, mapping({ k: { type: 'keyword' } })))
    expect(error.causedBy?.message).toContain('Document contains at least one immense term in field="k"')
    expect(error.causedBy?.message).toContain('bytes can be at most 32766 in length; got 32767')
  })
})
