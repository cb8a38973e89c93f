import { describe, expect, test } from 'vitest'
import { defineFilter, defineInput, defineOutput, option } from './define.ts'
import type { RawValue } from './raw-value.ts'
import { validateOptions } from './validate.ts'

describe('replacements of obsolete options', () => {
  const output = defineOutput({
    name: 'elasticsearch',
    summary: 'For tests.',
    concurrency: 'shared',
    options: {
      hosts: option.list(option.uri({ doc: 'x.' }), { required: true, aliases: ['host'], doc: 'Addresses.' }),
      host: option.string({ doc: 'Old.', obsolete: 'Please use the `hosts` setting.' }),
      ssl_enabled: option.boolean({ doc: 'Encrypt.', aliases: ['ssl'] }),
    },
    create: () => ({}),
  })

  test('are accepted with one warning', () => {
    const result = validateOptions(output, new Map([['host', 'a']]), { ecs: 'v8' })
    expect(result.problems).toEqual([])
    expect(result.options?.['hosts']).toEqual(['//a'])
    expect(result.options).not.toHaveProperty('host')
    expect(result.warnings).toHaveLength(1)
    expect(result.warnings[0]?.message).toContain('"host" set in elasticsearch. ')
    expect(result.warnings[0]?.message).toContain(' Use `hosts` instead. ')
  })

  test('are refused when strict', () => {
    const raw = new Map<string, RawValue>([
      ['host', 'a'],
      ['hosts', 'b'],
      ['ssl', 'true'],
    ])
    const { problems } = validateOptions(output, raw, { ecs: 'v8', strict: true })
    expect(problems.map(({ code, option }) => [code, option])).toEqual([
      ['unknown_option', 'ssl'],
      ['obsolete_option', 'host'],
    ])
  })

  test('give way to the option they stand for', () => {
    const raw = new Map<string, RawValue>([
      ['host', 'a'],
      ['hosts', 'b'],
    ])
    const result = validateOptions(output, raw, { ecs: 'v8' })
    expect(result.options?.['hosts']).toEqual(['//b'])
    expect(result.warnings[0]?.message).toContain('ignored')
  })

  test('an empty list counts as missing', () => {
    const { problems } = validateOptions(output, new Map([['hosts', []]]), { ecs: 'v8' })
    expect(problems[0]?.code).toBe('missing_option')
  })
})

describe('options that Logstash refuses or no longer knows', () => {
  const old = defineFilter({
    name: 'old',
    summary: 'For tests.',
    options: {
      current: option.string({ doc: 'x.', aliases: ['former', 'forgotten'] }),
      former: option.string({ doc: 'x.', deprecated: 'Use the other.' }),
      refused: option.string({ doc: 'x.', obsolete: 'Gone for good.' }),
      tolerated: option.number({ doc: 'x.', obsolete: 'Set that.', accepted: 'It still works in %PLUGIN%.' }),
      dropped: option.number({ doc: 'x.', default: 7, removed: 'It has no effect.' }),
    },
    create: () => ({}),
  })
  const validate = (name: string, value: RawValue, strict: boolean) =>
    validateOptions(old, new Map([[name, value]]), { ecs: 'v8', strict })

  test('obsolete, but accepted: one line, the value counts', () => {
    const { options, problems, warnings } = validate('tolerated', 5, false)
    expect(problems).toEqual([])
    expect(options?.['tolerated']).toBe(5)
    expect(warnings).toEqual([
      {
        option: 'tolerated',
        sentence: 'It still works in old.',
        message: expect.stringMatching(
          /^You are using a deprecated config setting "tolerated" set in old\. .* It still works in old\. /,
        ),
      },
    ])
    expect(validate('tolerated', 5, true).problems).toEqual([
      {
        code: 'obsolete_option',
        option: 'tolerated',
        message: expect.stringMatching(
          /^The setting `tolerated` in plugin `old` is obsolete and is no longer available\. Set that\. If you/,
        ),
      },
    ])
  })

  test('obsolete and nothing else: refused either way', () => {
    for (const strict of [false, true])
      expect(validate('refused', 'x', strict).problems.map(({ code }) => code)).toEqual(['obsolete_option'])
  })

  test('removed: unknown when strict', () => {
    const { options, warnings } = validate('dropped', 1, false)
    expect(options?.['dropped']).toBe(1)
    expect(warnings.map(({ sentence }) => sentence)).toEqual(['It has no effect.'])
    expect(validate('current', 'x', false).options?.['dropped']).toBe(7)
    const { problems } = validate('dropped', 1, true)
    expect(problems).toMatchObject([
      { code: 'unknown_option', message: "Unknown setting 'dropped' for old", hint: undefined },
    ])
  })

  test('a deprecated alias works when strict, too, with its own sentence', () => {
    for (const strict of [false, true]) {
      const { options, warnings } = validate('former', 'x', strict)
      expect(options?.['current']).toBe('x')
      expect(warnings.map(({ sentence }) => sentence)).toEqual(['Use the other.'])
    }
    expect(validate('forgotten', 'x', false).options?.['current']).toBe('x')
    expect(validate('forgotten', 'x', true).problems[0]?.message).toBe("Unknown setting 'forgotten' for old")
  })

  test('their values are checked like others', () => {
    expect(validate('tolerated', 'many', false).problems[0]?.code).toBe('invalid_option')
  })
})

describe('codecs of configurations older than codecs', () => {
  const input = defineInput({
    name: 'tcp',
    summary: 'For tests.',
    options: {},
    codec: 'line',
    create: () => ({ run: async () => {}, stop() {} }),
  })
  const codecOf = (options: [string, RawValue][]) =>
    validateOptions(input, new Map(options), { ecs: 'v8' }).options?.['codec']
  const codec = (name: string, ...options: [string, RawValue][]) => ({ name, options: new Map(options) })

  test.each<[[string, RawValue][], unknown]>([
    [[], codec('line')],
    [[['format', 'plain']], codec('plain')],
    [[['format', 'json']], codec('json')],
    [[['format', 'json_event']], codec('json')],
    [[['charset', 'CP1252']], codec('line', ['charset', 'CP1252'])],
    [
      [
        ['format', 'json'],
        ['charset', 'CP1252'],
      ],
      codec('json', ['charset', 'CP1252']),
    ],
    [
      [
        ['format', 'json'],
        ['codec', 'dots'],
      ],
      codec('dots'),
    ],
    [[['debug', 'true']], codec('line')],
  ])('%j', (options, expected) => {
    expect(codecOf(options)).toEqual(expected)
  })

  test('an option of that name that a plugin has itself keeps its meaning', () => {
    const own = { ...input, options: { format: option.string({ doc: 'x.' }) } }
    const { options } = validateOptions(own, new Map([['format', 'json']]), { ecs: 'v8' })
    expect(options?.['codec']).toEqual(codec('line'))
  })
})
