/** Templates: the examples of the Elasticsearch documentation, the language's own rules, and what cannot be read. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SearchError } from '../request/search-error.ts'
import { finish } from '../scheduling/steps.ts'
import { encodingOf, renderSteps } from './render.ts'
import { parseTemplate } from './template.ts'

function render(source: string, parameters: unknown, contentType?: string): string {
  return finish(renderSteps(parseTemplate(source), parameters, encodingOf(contentType)))
}

describe('a Mustache template', () => {
  it.each([
    ['plain text', {}, 'plain text'],
    ['{"size":"{{my_size}}"}', { my_size: 5 }, '{"size":"5"}'],
    ['{{a}} {{ b.c }} {{b.none}}{{none.x}}', { a: true, b: { c: 1.5 } }, 'true 1.5 '],
    ['{{a}}', { a: 'say "hi"\n\\' }, 'say \\"hi\\"\\n\\\\'],
    ['{{{a}}} {{&a}}', { a: '"' }, '" "'],
    ['{{! nothing }}a{{!b}}', {}, 'a'],
    ['{{=<% %>=}}<%a%>{{a}}<%={{ }}=%>{{a}}', { a: 1 }, '1{{a}}1'],
    ['{{a.0}}{{a.1.b}} of {{a.size}}', { a: ['x', { b: 'y' }] }, 'xy of 2'],
    ['{{a}} {{b}}', { a: ['x', 2], b: { c: null } }, '{0=x, 1=2} {c=null}'],
    ['{{__proto__}}{{constructor}}{{a.length}}', { a: ['x'] }, ''],
  ])('%s of %j', (source, parameters, expected) => {
    expect(render(source, parameters)).toBe(expected)
  })

  it.each([
    // A condition, and a default value.
    ['{{#limit}}"size":{{limit}}{{/limit}}{{^limit}}"size":10{{/limit}}', { limit: 3 }, '"size":3'],
    ['{{#limit}}"size":{{limit}}{{/limit}}{{^limit}}"size":10{{/limit}}', {}, '"size":10'],
    ['{{#a}}yes{{/a}}{{^a}}no{{/a}}', { a: 0 }, 'yes'],
    ['{{#a}}yes{{/a}}{{^a}}no{{/a}}', { a: false }, 'no'],
    ['{{#a}}yes{{/a}}{{^a}}no{{/a}}', { a: '' }, 'no'],
    ['{{#a}}yes{{/a}}{{^a}}no{{/a}}', { a: [] }, 'no'],
    ['{{#a}}<{{.}}>{{/a}}', { a: [1, 'b'] }, '<1><b>'],
    ['{{#a}}{{b}}{{c}};{{/a}}', { a: [{ b: 1 }, { b: 2, c: 'own' }], c: 'outer' }, '1outer;2own;'],
    ['{{#a.b}}{{c}}{{/a.b}}', { a: { b: { c: 'deep' } } }, 'deep'],
  ])('with sections %s of %j', (source, parameters, expected) => {
    expect(render(source, parameters)).toBe(expected)
  })

  it.each([
    ['{{#toJson}}a{{/toJson}}', { a: ['x', { b: 1 }, null] }, '["x",{"b":1},null]'],
    ['{{#toJson}}a.b{{/toJson}}', { a: { b: { c: 'd"' } } }, '{"c":"d\\""}'],
    ['{{#toJson}}a{{/toJson}}{{#toJson}}none{{/toJson}}', { a: 'as it is' }, 'as it is'],
    ['{{#join}}a{{/join}}', { a: ['x@y', 2] }, 'x@y,2'],
    ["{{#join delimiter='||'}}a{{/join delimiter='||'}}", { a: [1, 2, 3] }, '1||2||3'],
    [
      '{{#url}}{{host}}/{{page}}{{/url}}',
      { host: 'http://a b', page: "i~*'" },
      'http%3A%2F%2Fa+b%2Fi%7E*%27',
    ],
  ])('with functions %s of %j', (source, parameters, expected) => {
    expect(render(source, parameters)).toBe(expected)
  })

  it('escapes values for its content type', () => {
    expect(render('{{a}}', { a: '"a b"' }, 'text/plain')).toBe('"a b"')
    expect(render('{{a}}', { a: 'a b' }, 'application/x-www-form-urlencoded')).toBe('a+b')
    expect(render('{{a}}', { a: '"' }, 'application/json; charset=UTF-8')).toBe('\\"')
    expect(() => encodingOf('image/png')).toThrow('No encoder found for MIME type [image/png]')
  })

  it('stays valid JSON whatever a value contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.jsonValue(), (text, value) => {
        const source = '{"text":"{{text}}","list":{{#toJson}}list{{/toJson}}}'
        expect(JSON.parse(render(source, { text, list: [value] }))).toEqual(
          JSON.parse(JSON.stringify({ text, list: [value] })),
        )
      }),
    )
  })
})

describe('invalid templates', () => {
  it.each([
    ['{{#a', "Failed to close 'a' tag @[query-template:1]"],
    ['{{/a', 'Mismatched start/end tags: null != a in query-template:1 @[query-template:1]'],
    ['{{a', 'Improperly closed variable @[query-template:1]'],
    ['\n{{#a}}x', "Failed to close 'a' tag @[query-template:2]"],
    ['{{#a}}{{/b}}', 'Mismatched start/end tags: a != b in query-template:1 @[query-template:1]'],
    ['{{/b}}', 'Mismatched start/end tags: null != b in query-template:1 @[query-template:1]'],
    ['{{>other}}', "Template 'other' not found @[query-template:1]"],
    ['{{#join}}{{a}}{{/join}}', /^Mustache function \[join\] must contain one and only one identifier/],
    ['{{#a}}'.repeat(300), /^Sections are nested too deeply/],
  ])('%s', (source, reason) => {
    const error = (() => {
      try {
        return parseTemplate(source)
      } catch (thrown) {
        return thrown
      }
    })()
    expect(error).toBeInstanceOf(SearchError)
    expect((error as SearchError).type).toBe('script_exception')
    expect((error as SearchError).reason).toMatch(reason)
  })

  it('render or throw a SearchError, whatever the text', () => {
    const piece = fc.constantFrom(
      '{{',
      '}}',
      '{{#',
      '{{/',
      '{{^',
      '{{{',
      '}}}',
      '{{=',
      '=}}',
      'a',
      ' ',
      '.',
      '|',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        try {
          expect(typeof render(pieces.join(''), { a: [{ a: 'b' }] })).toBe('string')
        } catch (error) {
          expect(error).toBeInstanceOf(SearchError)
        }
      }),
    )
  })

  it.each([
    ['one character each', '{{#a}}{{#a}}{{#a}}x{{/a}}{{/a}}{{/a}}'],
    ['nothing at all', '{{#a}}{{#a}}{{#a}}{{#a}}{{/a}}{{/a}}{{/a}}{{/a}}'],
  ])('end sections that multiply and write %s', { timeout: 60_000 }, (_, source) => {
    const many = Array.from({ length: 300 }, String)
    expect(() => render(source, { a: many })).toThrow('result size limit exceeded')
  })

  it('keep the order of many short texts, also inside of others', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => String(i % 10))
    const digits = many.join('')
    expect(render('<{{#a}}{{.}}{{/a}}>', { a: many })).toBe(`<${digits}>`)
    expect(render('<{{#url}}{{#a}}{{.}}{{/a}}{{/url}}>', { a: many })).toBe(`<${digits}>`)
  })

  it('report an unclosed tag', () => {
    const many = Array.from({ length: 5000 }, () => 'x'.repeat(1000))
    expect(() => render('{{#a}}{{#a}}{{.}}{{/a}}{{/a}}', { a: many })).toThrow('result size limit exceeded')
  })
})
