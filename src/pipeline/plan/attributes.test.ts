import { describe, expect, it } from 'vitest'
import type { PluginNode } from '../../lang/ast.ts'
import { parse } from '../../lang/parser.ts'
import type { RawValue } from '../../plugin/raw-value.ts'
import { readAttributes } from './attributes.ts'

function read(attributes: string, supportEscapes = false): unknown {
  const config = parse(`filter { x { ${attributes} } }`)
  const options = readAttributes(config.sections[0]!.body[0] as PluginNode, 'filter', {
    supportEscapes,
    substitute: (text) => text.replace('${V}', 'value'),
    substituteId: (text) => text.replace('${V}', 'env'),
  })
  return plain(options)
}

function plain(value: RawValue): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, item]) => [name, plain(item)]))
  return Array.isArray(value) ? value.map(plain) : value
}

describe('the entries of a hash', () => {
  const names = (hashOrder: 'logstash' | 'written') => {
    const config = parse('filter { x { a => { "env" => "prod" "index" => { "k" => 1 "j" => 2 } } } }')
    const node = config.sections[0]!.body[0] as PluginNode
    const same = (text: string) => text
    const options = { supportEscapes: false, hashOrder, substitute: same, substituteId: same }
    const hash = readAttributes(node, 'filter', options).get('a') as Map<string, RawValue>
    return [[...hash.keys()], [...(hash.get('index') as Map<string, RawValue>).keys()]]
  }

  it('come in the order of a HashMap, as Logstash was seen to apply them', () => {
    expect(names('logstash')).toEqual([
      ['index', 'env'],
      ['j', 'k'],
    ])
  })

  it('come as they are written when asked', () => {
    expect(names('written')).toEqual([
      ['env', 'index'],
      ['k', 'j'],
    ])
  })
})

describe('repeated attributes', () => {
  it.each([
    ['hashes merge', 'a => { "x" => "1" } a => { "x" => "2" "y" => "3" }', { x: ['1', '2'], y: '3' }],
    ['equal values of a key stay one', 'a => { "x" => "1" } a => { "x" => "1" }', { x: '1' }],
    [
      'lists under a key are joined',
      'a => { "x" => ["1"] } a => { "x" => ["1", "2"] }',
      { x: ['1', '1', '2'] },
    ],
    [
      'hashes under a key merge, their lists without duplicates',
      'a => { "x" => { "y" => ["1"] } } a => { "x" => { "y" => ["1", "2"] } }',
      { x: { y: ['1', '2'] } },
    ],
    ['elements of a list become keys of a hash', 'a => { "x" => "1" } a => ["y"]', { x: '1', y: null }],
    ['a list takes more elements', 'a => ["1"] a => ["2", "3"]', ['1', '2', '3']],
    ['a list takes a scalar', 'a => ["1"] a => "2"', ['1', '2']],
    ['a list takes a hash as pairs', 'a => ["1"] a => { "k" => "v" }', ['1', ['k', 'v']]],
    ['scalars become a list', 'a => "1" a => "2" a => "3"', ['1', '2', '3']],
    ['an equal scalar is kept once', 'a => "1" a => "1"', '1'],
  ])('%s', (_, attributes, expected) => {
    expect(read(attributes)).toEqual({ a: expected })
  })

  it('refuse a second codec of an input', () => {
    const node = parse('input { stdin { codec => json codec => json } }').sections[0]!.body[0] as PluginNode
    expect(() =>
      readAttributes(node, 'input', { supportEscapes: false, substitute: (t) => t, substituteId: (t) => t }),
    ).toThrow(
      'The input plugin stdin at line 1 has multiple `codec` declarations - this is not a valid configuration, ' +
        'only one top-level `codec` per input plugin is supported.',
    )
  })
})

describe('values', () => {
  it('keep escapes unless they are switched on', () => {
    expect(read(String.raw`a => "x\ty\"z\q"`)).toEqual({ a: String.raw`x\ty\"z\q` })
    expect(read(String.raw`a => "x\ty\"z\q"`, true)).toEqual({ a: 'x\ty"z\\q' })
  })

  it('read numbers as Ruby does', () => {
    expect(read('a => 010 b => -5 c => 1.5')).toEqual({ a: 8, b: -5, c: 1.5 })
    expect(() => read('a => 08')).toThrow('invalid value for Integer(): "08"')
    expect(() => read('a => 1.')).toThrow('invalid value for Float(): "1."')
  })

  it('substitute variables in values, not in keys, and the id from its own source', () => {
    expect(read('a => { "${V}" => ["${V}"] } id => "${V}"')).toEqual({ a: { '${V}': ['value'] }, id: 'env' })
  })
})
