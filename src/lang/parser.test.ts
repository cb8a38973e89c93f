import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Attribute, BranchNode, Expression, PluginNode, Statement, ValueNode } from './ast.ts'
import { parse, parseConfig } from './parser.ts'
import { SyntaxFailure } from './syntax-failure.ts'

interface Row {
  config: string
  ok: boolean
  message?: string
}

const golden = JSON.parse(
  readFileSync(new URL('../../test/data/pipeline-golden.json', import.meta.url), 'utf8'),
) as { parse: Row[] }

function failureOf(text: string): SyntaxFailure {
  try {
    parse(text)
  } catch (failure) {
    if (failure instanceof SyntaxFailure) return failure
    throw failure
  }
  throw new Error(`parses: ${text}`)
}

const firstStatement = (text: string): Statement => parse(text).sections[0]!.body[0]!
const attributesOf = (text: string): Attribute[] => (firstStatement(text) as PluginNode).attributes
const literal = (text: string): ValueNode => attributesOf(`filter { mutate { a => ${text} } }`)[0]!.value
const expressionOf = (text: string): Expression =>
  (firstStatement(`filter { if ${text} { } }`) as BranchNode).cases[0]!.condition.first

describe('what Logstash accepts and how it refuses', () => {
  it('has the table', () => expect(golden.parse.length).toBeGreaterThan(70))

  it.each(golden.parse)('$config', ({ config, ok, message }) => {
    if (ok) expect(() => parse(config)).not.toThrow()
    else expect(failureOf(config).message).toBe(message)
  })

  it.each([
    ['filter { mutate { d-e => 3 9 => 4 "a b" => 1 } }'],
    ['filter { mutate { a => { "b" => 1 } } }'],
    ['filter { if [a]== 5and [b] { } }'],
    ['filter { if [a] not  in [b] { } }'],
    ['input {} filter {} filter {} output {} output {}'],
    ['\t\r\n# only a comment'],
    ['filter { if5 { } }'],
    ['filter { if5 { a => 1 } }'],
    ['filter { if [a] { } else { a => 1 } }'],
  ])('parses %s', (text) => {
    expect(() => parse(text)).not.toThrow()
  })

  it.each([
    ['filter { mutate { a => t } }'],
    ['filter { mutate { a => { b => 1 } } }'],
    ['filter { mutate { a => ["x", ] } }'],
    ['filter { mutate { a => [ {id => 1, name => bob} ] } }'],
    ['filter { if [type] == apache { } }'],
    ['filter { if [[a]] { } }'],
    ['filter { if [a] =~ /x\\\\/ { } }'],
    ['filter { mutate { a => "x\\\\" } }'],
    ['filter { if [a] in ["a]b", "c"] { } }'],
    ['# a lone carriage return\rinput { }'],
  ])('refuses %s', (text) => {
    expect(() => parse(text)).toThrow(SyntaxFailure)
  })

  it('counts characters, not UTF-16 units', () => {
    const failure = failureOf('filter { mutate { a => "\u{1f600}" } }\n\u{1f600}')
    expect(failure.message).toMatch(/ at line 2, column 1 \(byte 32\) after $/)
    expect([failure.offset, failure.line, failure.column]).toEqual([32, 2, 1])
    expect(failureOf('# \u{1f600}\nfilter { "\u{1f600}" x }').column).toBe(14)
  })
})

describe('the tree', () => {
  it('keeps values as written', () => {
    expect(literal('"q\\"q"')).toMatchObject({ kind: 'string', text: 'q\\"q', quote: '"' })
    expect(literal("'a\nb'")).toMatchObject({ kind: 'string', text: 'a\nb', quote: "'" })
    expect(literal('010')).toMatchObject({ kind: 'number', text: '010' })
    expect(literal('-1.')).toMatchObject({ kind: 'number', text: '-1.' })
    expect(literal('true')).toMatchObject({ kind: 'bareword', text: 'true' })
    expect(literal('[1, "x", []]')).toMatchObject({
      kind: 'array',
      items: [{ text: '1' }, { text: 'x' }, { kind: 'array', items: [] }],
    })
    expect(literal('{ b1=>1c1=>2}')).toMatchObject({
      kind: 'hash',
      entries: [
        { key: { kind: 'bareword', text: 'b1' }, value: { text: '1' } },
        { key: { kind: 'bareword', text: 'c1' }, value: { text: '2' } },
      ],
    })
    expect(literal('json { x => 1 }')).toMatchObject({
      kind: 'plugin',
      name: 'json',
      attributes: [{ name: 'x' }],
    })
  })

  it('tells quoted names from plain ones', () => {
    expect(firstStatement('input { "stdin" { } }')).toMatchObject({ kind: 'plugin', name: '"stdin"' })
    expect(attributesOf("input { stdin { 'a b' => 1 c => 2 } }")).toMatchObject([
      { name: 'a b', quoted: true },
      { name: 'c', quoted: false },
    ])
    expect(
      attributesOf('input { stdin { __proto__ => 1 constructor => 2 } }').map(({ name }) => name),
    ).toEqual(['__proto__', 'constructor'])
  })

  it.each<[string, object]>([
    ['[a][ b ]', { kind: 'value', value: { kind: 'selector', path: ['a', ' b '] } }],
    ['([a])', { kind: 'group', condition: { first: { kind: 'value' } } }],
    ['! [a]', { kind: 'not', operand: { kind: 'selector', path: ['a'] } }],
    ['!([a])', { kind: 'not', operand: { kind: 'condition' } }],
    ['[a] in ["x"]', { kind: 'in', negated: false, right: { kind: 'selector', path: ['"x"'] } }],
    ['[a] not in ["x", 1]', { kind: 'in', negated: true, right: { kind: 'array', items: [{}, {}] } }],
    ['[a] <= 5.5', { kind: 'compare', operator: '<=', right: { kind: 'number', text: '5.5' } }],
    ['[a] =~ /x\\/y/', { kind: 'match', negated: false, pattern: { kind: 'regexp', text: 'x\\/y' } }],
    ['[a] !~ "x"', { kind: 'match', negated: true, pattern: { kind: 'string', text: 'x' } }],
    ['foo([a], 1)', { kind: 'value', value: { kind: 'method', name: 'foo', args: [{}, { text: '1' }] } }],
    ['[a] == [[1]]', { kind: 'compare', right: { kind: 'array', items: [{ kind: 'array' }] } }],
  ])('reads the condition %s', (text, expected) => {
    expect(expressionOf(text)).toMatchObject(expected)
  })

  it('keeps boolean operators in source order', () => {
    const branch = firstStatement('filter { if [a] or [b] and ![c] nand [d] {} }') as BranchNode
    expect(branch.cases[0]!.condition.rest.map(({ operator }) => operator)).toEqual(['or', 'and', 'nand'])
  })

  it('reads branches', () => {
    const branch = firstStatement('filter { if [a] { drop {} } elseif [b] { } else { } }') as BranchNode
    expect(branch.cases.map(({ body }) => body.length)).toEqual([1, 0])
    expect(branch.otherwise).toEqual([])
    expect((firstStatement('filter { if [a] { } }') as BranchNode).otherwise).toBeUndefined()
  })

  it('takes a branch that does not work out as a plugin, as the grammar does', () => {
    expect(firstStatement('filter { if5 { } }').kind).toBe('branch')
    expect(firstStatement('filter { if5 { a => 1 } }')).toMatchObject({ kind: 'plugin', name: 'if5' })
    expect(parse('filter { if [a] { } else { a => 1 } }').sections[0]!.body).toMatchObject([
      { kind: 'branch', otherwise: undefined },
      { kind: 'plugin', name: 'else' },
    ])
  })

  it('knows where everything stands', () => {
    const text = 'input {\n  "é\u{1f600}" { a => 1 } x { }\n}'
    const [section] = parse(text).sections
    expect(section!.place).toEqual({ start: 0, end: text.length, line: 1, column: 1 })
    const [first, second] = section!.body as [PluginNode, PluginNode]
    expect(first.place).toMatchObject({ start: 10, line: 2, column: 3 })
    expect(second.place).toEqual({ start: 27, end: 32, line: 2, column: 19 })
    expect(text.slice(first.attributes[0]!.place.start, first.attributes[0]!.place.end)).toBe('a => 1')
  })

  it('notes each comment once', () => {
    const text = 'input { # one\n stdin # two\r\n { a => "x" # three\n } }\n  # four'
    expect(parse(text).comments.map(({ text, trailing }) => [text, trailing])).toEqual([
      ['# one', true],
      ['# two', true],
      ['# three', true],
      ['# four', false],
    ])
  })
})

describe('limits', () => {
  it.each([
    ['arrays', `filter { m { a => ${'['.repeat(100_000)}`],
    ['hashes', `filter { m { a => ${'{ "x" => '.repeat(100_000)}`],
    ['plugins', `filter { m { a => ${'xx { a => '.repeat(100_000)}`],
    ['groups', `filter { if ${'('.repeat(100_000)}`],
    ['negations', `filter { if ${'!('.repeat(100_000)}`],
    ['calls', `filter { if ${'foo('.repeat(100_000)}`],
    ['branches', `filter { ${'if [a] { '.repeat(100_000)}`],
  ])('refuses endless nesting of %s with a clear sentence', (_, text) => {
    expect(failureOf(text).message).toMatch(/^Nested more than 250 levels deep at line 1, column \d+ /)
  })

  it('explains a failure below deep nesting', () => {
    expect(failureOf(`filter { ${'if [a] { '.repeat(240)} ;`).message).toMatch(/^Expected one of /)
  })

  it('reads long chains that are not nested', () => {
    const condition = Array.from({ length: 20_000 }, () => '[a]').join(' or ')
    expect(parse(`filter { if ${condition} { } }`).sections.length).toBe(1)
    const chain = 'else if [a] { } '.repeat(20_000)
    expect(parse(`filter { if [a] { } ${chain} }`).sections.length).toBe(1)
  })
})

describe('the escape-aware attempt', () => {
  const text = 'filter { mutate { a => \'x\\\\\' b => "\\\\" } }'

  it('is off unless asked for', () => {
    expect(() => parseConfig(text)).toThrow(SyntaxFailure)
  })

  it('accepts a string that ends in a doubled backslash, with a warning for each', () => {
    const { config, warnings } = parseConfig(text, { escapeAware: true })
    expect((config.sections[0]!.body[0] as PluginNode).attributes.map(({ value }) => value)).toMatchObject([
      { text: 'x\\\\' },
      { text: '\\\\' },
    ])
    expect(warnings).toMatchObject([
      { severity: 'warning', code: 'string_ends_in_backslash', line: 1, column: 24 },
      { severity: 'warning', code: 'string_ends_in_backslash', line: 1, column: 35 },
    ])
  })

  it('changes nothing about what Logstash accepts', () => {
    const accepted = 'filter { mutate { a => "x\\\\" # " } }'
    expect(parseConfig(accepted, { escapeAware: true })).toEqual({ config: parse(accepted), warnings: [] })
  })

  it('reports the first failure when it fails too', () => {
    const broken = "filter { mutate { a => 'x\\\\' , } }"
    expect(() => parseConfig(broken, { escapeAware: true })).toThrow(failureOf(broken).message)
  })
})
