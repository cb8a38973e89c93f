/** Errors of object parsers: what OpenSearch 3.8 said to the same bodies. */
import { describe, expect, it } from 'vitest'
import { checkObject, type ObjectShape } from './object-shape.ts'
import { SearchError } from './search-error.ts'
import { SourcePlaces } from './source-place.ts'

const shape: ObjectShape = {
  parser: 'bool',
  fields: {
    must: 'object array or null',
    ids: 'string array',
    percents: 'number array',
    boost: 'number',
    size: 'integer',
    adjust: 'flag',
    _name: 'string',
    missing: 'value',
  },
}

function refusal(text: string): string[] {
  const body = JSON.parse(text) as Record<string, unknown>
  try {
    checkObject(shape, body, new SourcePlaces(body, text))
  } catch (error) {
    const chain: string[] = []
    for (let at: unknown = error; at instanceof SearchError; at = at.causedBy)
      chain.push(`${at.type}: ${at.reason}`)
    return chain
  }
  return []
}

describe('an object that is read by an object parser', () => {
  it.each<[string, ...string[]]>([
    ['{"must":null,"boost":"2","missing":null}'],
    [
      '{"boost":true}',
      "x_content_parse_exception: [1:10] [bool] boost doesn't support values of type: VALUE_BOOLEAN",
    ],
    [
      '{"boost":"x"}',
      'x_content_parse_exception: [1:10] [bool] failed to parse field [boost]',
      'number_format_exception: For input string: "x"',
    ],
    ['{"boots":1}', 'x_content_parse_exception: [1:2] [bool] unknown field [boots] did you mean [boost]?'],
    ['{"a":"a"}', 'x_content_parse_exception: [1:2] [bool] unknown field [a]'],
    ['{"_name":"€","b":1}', 'x_content_parse_exception: [1:16] [bool] unknown field [b]'],
    [
      '{"ids":["a",null]}',
      'x_content_parse_exception: [1:13] [bool] failed to parse field [ids]',
      "illegal_state_exception: Can't get text on a VALUE_NULL at 1:13",
    ],
    [
      '{"must":[[]]}',
      'x_content_parse_exception: [1:10] [bool] failed to parse field [must]',
      'illegal_state_exception: expected value but got [START_ARRAY]',
    ],
    [
      '{"size":[1],"junk":1}',
      "x_content_parse_exception: [1:9] [bool] size doesn't support values of type: START_ARRAY",
    ],
    [
      '{"adjust":"x"}',
      'x_content_parse_exception: [1:11] [bool] failed to parse field [adjust]',
      'illegal_argument_exception: Failed to parse value [x] as only [true] or [false] are allowed.',
    ],
  ])('%s', (text, ...expected) => {
    expect(refusal(text)).toEqual(expected)
  })
})
