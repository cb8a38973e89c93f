import { describe, expect, it } from 'vitest'
import { Event } from './event.ts'
import { parseFieldReference } from './field-reference.ts'
import { parseJson } from './json-parse.ts'
import { Timestamp } from './timestamp.ts'
import { type Fields, LsFloat } from './value.ts'

const from = (text: string) => Event.from(parseJson(text) as Fields)

describe('construction', () => {
  it('adds time and version', () => {
    const event = from('{}')
    expect(event.get('@timestamp')).toBeInstanceOf(Timestamp)
    expect(event.get('@version')).toBe('1')
  })

  it('keeps a version of any type', () => {
    expect(from('{"@version":2}').get('@version')).toBe(2)
  })

  it('reads a time text', () => {
    expect(from('{"@timestamp":"2020-01-02T03:04:05Z"}').sprintf('%{@timestamp}')).toBe(
      '2020-01-02T03:04:05.000Z',
    )
  })

  it.each(['"garbage"', '5', '{"a":1}'])('moves %s out of the way when it is no time', (value) => {
    const event = from(`{"@timestamp":${value}}`)
    expect(event.get('@timestamp')).toBeInstanceOf(Timestamp)
    expect(event.get('_@timestamp')).toEqual(JSON.parse(value))
    expect(event.get('tags')).toEqual(['_timestampparsefailure'])
  })

  it('moves tags out of the way that are none', () => {
    const event = from('{"tags":{"a":1}}')
    expect(event.get('tags')).toEqual(['_tagsparsefailure'])
    expect(event.get('_tags')).toEqual([{ a: 1 }])
  })

  it('takes metadata out of the data, and refuses metadata that is no map', () => {
    const event = from('{"@metadata":{"k":"v"}}')
    expect(event.get('[@metadata][k]')).toBe('v')
    expect(event.toJson()).not.toContain('metadata')
    expect(() => from('{"@metadata":5}')).toThrow('expected Hash')
  })
})

describe('get, set, remove, include', () => {
  it('reads lists with negative positions and gives nothing out of range', () => {
    const event = from('{"a":["x","y"]}')
    expect(['[a][0]', '[a][-1]', '[a][2]', '[a][k]', '[a][0][b]'].map((ref) => event.get(ref))).toEqual([
      'x',
      'y',
      undefined,
      undefined,
      undefined,
    ])
  })

  it('creates maps for missing parents, also for numeric names', () => {
    const event = from('{}')
    event.set('[a][0]', 1)
    expect(event.get('a')).toEqual({ 0: 1 })
  })

  it('refuses to write below a scalar', () => {
    expect(() => from('{"a":"s"}').set('[a][b]', 1)).toThrow(
      "Could not set field 'b' on object 's' to value '1'.This is probably due to trying to set a field like " +
        '[foo][bar] = someValuewhen [foo] is not either a map or a string',
    )
  })

  it('pads lists with nulls, ignores names that are no position', () => {
    const event = from('{"a":["x"]}')
    event.set('[a][3]', 'z')
    event.set('[a][k]', 'ignored')
    expect(event.get('a')).toEqual(['x', null, null, 'z'])
    expect(() => event.set('[a][-9]', 'z')).toThrow(RangeError)
  })

  it('guards the reserved fields', () => {
    expect(() => from('{}').set('@timestamp', 'x')).toThrow(
      'wrong argument type String (expected LogStash::Timestamp)',
    )
    expect(() => from('{}').set('tags', { a: 1 })).toThrow(
      "Could not set the reserved tags field '[tags]' to value '{a=1}'. The tags field only accepts string or array of string.",
    )
    expect(() => from('{}').set('[tags][x]', 'y')).toThrow("'[tags][x]'")
  })

  it('leaves empty parents and shifts lists when something is removed', () => {
    const event = from('{"a":{"b":1},"l":["x","y"]}')
    expect(event.remove('[a][b]')).toBe(1)
    expect(event.remove('[l][0]')).toBe('x')
    expect(event.toHash()).toMatchObject({ a: {}, l: ['y'] })
    expect(event.include('[a][b]')).toBe(false)
    expect(event.include('@metadata')).toBe(true)
  })

  it('counts a null as present', () => {
    expect(from('{"a":null}').include('a')).toBe(true)
  })

  it('appends a tag once, a scalar becomes a list', () => {
    const event = from('{"tags":"x"}')
    event.tag('x')
    event.tag('y')
    event.tag('y')
    expect(event.get('tags')).toEqual(['x', 'y'])
  })
})

describe('whole events', () => {
  it('clone deeply, metadata too, and never cancelled', () => {
    const event = from('{"a":{"b":1},"@metadata":{"m":[1]}}')
    event.cancel()
    const copy = event.clone()
    event.set('[a][b]', 2)
    event.set('[@metadata][m]', 'x')
    expect(copy.get('[a][b]')).toBe(1)
    expect(copy.get('[@metadata][m]')).toEqual([1])
    expect(copy.cancelled).toBe(false)
  })

  it('append by uniting', () => {
    const event = from('{"a":1,"l":["x"],"m":{"p":1}}')
    event.append(from('{"a":2,"l":["x","y"],"m":{"q":2},"n":1,"@version":"1"}'))
    expect(event.toHash()).toMatchObject({
      a: [1, 2],
      l: ['x', 'y'],
      m: { p: 1, q: 2 },
      n: 1,
      '@version': '1',
    })
  })

  it('print as time, host and message', () => {
    const event = from('{"@timestamp":"2020-01-02T03:04:05Z","message":"hi"}')
    expect(String(event)).toBe('2020-01-02T03:04:05.000Z %{host} hi')
  })

  it('write numbers as they were', () => {
    const text = from('{"f":1.0,"g":1.5,"n":12345678901234567890,"i":1,"e":1e20}').toJson()
    expect(text).toContain('"f":1.0,"g":1.5,"n":12345678901234567890,"i":1,"e":1.0E20')
    expect(from('{"a":1.0}').get('a')).toEqual(new LsFloat(1))
  })
})

describe('field references', () => {
  it.each([
    ['a', ['a']],
    ['a.b c', ['a.b c']],
    ['', ['']],
    ['[a][b]', ['a', 'b']],
    ['[ a ]', [' a ']],
    ['[[a][b]][c]', ['a', 'b', 'c']],
    ['[[ok]]', ['ok']],
  ])('%j', (text, path) => {
    expect(parseFieldReference(text)).toMatchObject({ metadata: false, path })
  })

  it.each(['[a', 'a]', '[]', 'foo[bar]', '[foo]bar[baz]', '[nope[foo]]', '[foo]][bar]', '[[a]b]'])(
    'refuse %j',
    (text) => {
      expect(() => parseFieldReference(text)).toThrow(`Invalid FieldReference: \`${text}\``)
    },
  )

  it('address metadata', () => {
    expect(parseFieldReference('[@metadata][a]')).toMatchObject({ metadata: true, path: ['a'] })
    expect(parseFieldReference('@metadata')).toMatchObject({ metadata: true, path: [] })
  })
})
