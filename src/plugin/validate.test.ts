import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LsFloat } from '../event/value.ts'
import { defineCodec, defineFilter, defineInput, defineOutput, option } from './define.ts'
import { Password } from './option.ts'
import { RawPlugin, type RawValue } from './raw-value.ts'
import { firstStep, validateOptions } from './validate.ts'

const filter = defineFilter({
  name: 'mutate',
  summary: 'For tests.',
  options: {
    x: option.boolean({ doc: 'A boolean.' }),
    text: option.string({ doc: 'A string.' }),
    count: option.number({ doc: 'A number.', default: 7 }),
    items: option.array({ doc: 'A list.' }),
    map: option.hash({ doc: 'A hash.' }),
    mode: option.oneOf(['a', 'b'], { doc: 'A choice.' }),
    secret: option.password({ doc: 'A secret.' }),
    url: option.uri({ doc: 'An address.' }),
    urls: option.list(option.uri({ doc: 'An address.' }), { doc: 'Addresses.' }),
    file: option.path({ doc: 'A file.' }),
    size: option.bytes({ doc: 'A size.' }),
    ip: option.ipaddr({ doc: 'An IP address.' }),
    field: option.fieldReference({ doc: 'A field.' }),
    fingerprint: option.sha256Hex({ doc: 'A fingerprint.' }),
    numbers: option.list(option.number({ doc: 'A number.' }), { doc: 'Numbers.' }),
    old: option.string({ doc: 'Old.', deprecated: 'Use `text` in %PLUGIN%.' }),
  },
  create: () => ({}),
})

function check(raw: Record<string, RawValue>, strict = false) {
  return validateOptions(filter, new Map(Object.entries(raw)), { ecs: 'v8', strict })
}

function validated(name: string, raw: RawValue): unknown {
  const { options, problems } = check({ [name]: raw })
  expect(problems).toEqual([])
  return options?.[name]
}

function noteOf(name: string, raw: RawValue): string | undefined {
  const { problems } = check({ [name]: raw })
  return problems[0]?.message.split('\n')[5]?.replace(/^ {6}# /, '')
}

describe('texts', () => {
  test('unknown option, with the name that was meant', () => {
    expect(check({ cuont: 1 }).problems).toEqual([
      {
        code: 'unknown_option',
        message: "Unknown setting 'cuont' for mutate",
        option: 'cuont',
        hint: 'did you mean `count`?',
      },
    ])
  })

  test('an obsolete option is never suggested', () => {
    expect(check({ exclude_tgas: 1 }).problems[0]?.hint).toBeUndefined()
  })

  test('missing option', () => {
    const grok = defineFilter({
      name: 'grok',
      summary: 'For tests.',
      options: { match: option.hash({ required: true, doc: 'Patterns.' }) },
      create: () => ({}),
    })
    const { options, problems } = validateOptions(grok, new Map(), { ecs: 'v8' })
    expect(options).toBeUndefined()
    expect(problems[0]?.message).toBe(
      'Missing a required setting for the grok filter plugin:\n\n  filter {\n    grok {\n' +
        '      match => # SETTING MISSING\n      ...\n    }\n  }',
    )
  })

  test('invalid value', () => {
    expect(check({ x: 'yes' }).problems[0]?.message).toBe(
      'Invalid setting for mutate filter plugin:\n\n  filter {\n    mutate {\n' +
        "      # This setting must be a boolean\n      # Expected boolean 'true' or 'false', got \"yes\"\n" +
        '      x => "yes"\n      ...\n    }\n  }',
    )
  })

  test('value that is not among the allowed ones', () => {
    const message = check({ mode: ['c'] }).problems[0]?.message
    expect(message).toContain('# This setting must be a ["a", "b"]\n')
    expect(message).toContain('# Expected one of ["a", "b"], got ["c"]\n')
    expect(message).toContain('mode => ["c"]\n')
  })

  test('obsolete option', () => {
    expect(check({ tags: ['a'] }).problems).toEqual([
      {
        code: 'obsolete_option',
        message:
          'The setting `tags` in plugin `mutate` is obsolete and is no longer available. You can achieve similar ' +
          'behavior with the new conditionals, like: `if "sometag" in [tags] { mutate { ... } }` If you have any ' +
          'questions about this, you are invited to visit https://discuss.elastic.co/c/logstash and ask.',
        option: 'tags',
      },
    ])
  })

  test('deprecated option', () => {
    const { options, warnings } = check({ old: 'v' })
    expect(options?.['old']).toBe('v')
    expect(warnings.map(({ message }) => message)).toEqual([
      'You are using a deprecated config setting "old" set in mutate. Deprecated settings will continue to work, ' +
        'but are scheduled for removal from logstash in the future. Use `text` in mutate. If you have any questions ' +
        'about this, please visit the #logstash channel on freenode irc.',
    ])
  })

  test('steps come in order, and Logstash would stop after the first', () => {
    const { problems } = check({ x: 'yes', tags: 'a', nonsense: 1, rubbish: 2 })
    expect(problems.map(({ code }) => code)).toEqual([
      'unknown_option',
      'unknown_option',
      'invalid_option',
      'obsolete_option',
    ])
    expect(firstStep(problems).map(({ option }) => option)).toEqual(['nonsense', 'rubbish'])
  })

  test('secrets never appear', () => {
    expect(check({ secret: ['hunter2', 'hunter3'] }).problems[0]?.message).not.toContain('hunter')
    expect(check({ url: 'http://me:hunter2@host/a b' }).problems[0]?.message).not.toContain('hunter')
    expect(check({ url: 'http://me:hun/ter@2@host/{' }).problems[0]?.message).not.toMatch(/hun|ter@2/)
    expect(check({ urls: ['http://me:hunter2@host', 'http://{'] }).problems[0]?.message).not.toContain(
      'hunter',
    )
    expect(check({ urls: ['http://me:hunter2@host/{'] }).problems[0]?.message).not.toContain('hunter')
  })
})

describe('kinds', () => {
  test('string', () => {
    expect(validated('text', 'a')).toBe('a')
    expect(validated('text', ['a'])).toBe('a')
    expect(validated('text', 5)).toBe('5')
    expect(validated('text', new LsFloat(1))).toBe('1.0')
    expect(validated('text', [])).toBeUndefined()
    expect(noteOf('text', ['a', 'b'])).toBe('Expected string, got ["a", "b"]')
    expect(noteOf('text', new Map([['a', 1]]))).toBe('Expected string, got {"a"=>1}')
  })

  test.each([
    ['5', 5],
    ['-12', -12],
    ['1.5', 1.5],
    ['1.0', 1],
    ['-0.0', -0],
    ['1.0e+20', 1e20],
    ['12345678901234567890', Number('12345678901234567890')],
  ])('number text %s', (text, value) => {
    expect(validated('count', text)).toBe(value)
  })

  test.each(['abc', '', '1.50', '1e5', '010', '+5', '5 ', '0x10', '-0', '1_000', 'NaN'])(
    'no number: %j',
    (text) => {
      expect(noteOf('count', text)).toBe(`Expected number, got ${JSON.stringify(text)} (type ${text})`)
    },
  )

  test('number', () => {
    expect(validated('count', [3])).toBe(3)
    expect(validated('count', 12345678901234567890n)).toBe(Number(12345678901234567890n))
    expect(validated('count', new LsFloat(2))).toBe(2)
    expect(validated('count', [])).toBe(7)
    expect(noteOf('count', [1, 2])).toBe('Expected number, got [1, 2] (type Array)')
  })

  test('boolean', () => {
    expect(validated('x', 'true')).toBe(true)
    expect(validated('x', ['false'])).toBe(false)
    expect(noteOf('x', 1)).toBe("Expected boolean 'true' or 'false', got 1")
    expect(noteOf('x', ['true', 'false'])).toBe('Expected boolean, got ["true", "false"]')
  })

  test('array', () => {
    expect(validated('items', 'a')).toEqual(['a'])
    expect(validated('items', ['a', 1, ['b']])).toEqual(['a', 1, ['b']])
    expect(validated('items', new Map([['a', 1]]))).toEqual([['a', 1]])
  })

  test('hash', () => {
    expect(validated('map', new Map([['a', 'b']]))).toEqual(new Map([['a', 'b']]))
    expect(validated('map', ['a', 1, 'b', 2])).toEqual(
      new Map([
        ['a', 1],
        ['b', 2],
      ]),
    )
    expect(validated('map', ['a', 1, 'a', 2, 'a', 3])).toEqual(new Map([['a', [1, 2, 3]]]))
    expect(noteOf('map', ['a', 1, 'b'])).toBe('This field must contain an even number of items, got 3')
  })

  test('hash keys and nested keys are data', () => {
    const inner = new Map([['__proto__', 'x']])
    const map = validated(
      'map',
      new Map<string, RawValue>([
        ['__proto__', 1],
        ['n', inner],
      ]),
    ) as Map<string, unknown>
    expect(map.get('__proto__')).toBe(1)
    expect(Object.getOwnPropertyNames(map.get('n'))).toEqual(['__proto__'])
  })

  test('password', () => {
    const secret = validated('secret', 'hunter2')
    expect(secret).toBeInstanceOf(Password)
    expect((secret as Password).value).toBe('hunter2')
    expect(noteOf('secret', ['a', 'b'])).toBe('Expected password (one value), got 2 values?')
    expect(noteOf('secret', 12345)).toMatch(/^Expected password/)
  })

  test('uri', () => {
    expect(validated('url', 'http://a:9200/x')).toBe('http://a:9200/x')
    expect(validated('url', 'localhost:9200')).toBe('//localhost:9200')
    expect(validated('urls', 'http://a http://b:1')).toEqual(['http://a', 'http://b:1'])
    expect(validated('urls', ['a', 'b c'])).toEqual(['//a', '//b', '//c'])
    expect(noteOf('url', ['a', 'b'])).toBe('Expected uri (one value), got 2 values?')
  })

  test('path', () => {
    expect(validated('file', '/')).toBe('/')
    expect(noteOf('file', '/no/such/file')).toBe('File does not exist or cannot be opened /no/such/file')
  })

  test.each<[RawValue, number]>([
    [1000, 1000],
    ['1000', 1000],
    ['10 KiB', 10_240],
    ['10KiB', 10_240],
    ['10 kb', 10_000],
    ['5mb', 5_000_000],
    ['1.5 MiB', 1_572_864],
    ['2g', 2_000_000_000],
    ['7b', 7],
    ['0x10', 16],
    ['010', 8],
    ['1_000', 1000],
    ['0', 0],
  ])('bytes %j', (raw, size) => {
    expect(validated('size', raw)).toBe(size)
  })

  test('bytes refused', () => {
    expect(noteOf('size', '10 XiB')).toBe(
      "Unparseable filesize: 10 XiB. possible units (KiB, MiB, ...) e.g. '10 KiB'. doc reference: " +
        'http://www.elastic.co/guide/en/logstash/current/configuration.html#bytes',
    )
  })

  test('ipaddr', () => {
    expect(validated('ip', '10.0.0.1')).toBe('10.0.0.1')
    expect(noteOf('ip', '10.0.0.256')).toBe('Expected IPaddr, got ["10.0.0.256"]')
  })

  test('field_reference', () => {
    expect(validated('field', '[a][b]')).toBe('[a][b]')
    expect(validated('field', '')).toBeUndefined()
    expect(noteOf('field', 'foo[bar]')).toBe('Expected a valid field reference, got `"foo[bar]"`')
    expect(check({ field: 'foo[bar]' }).problems[0]?.hint).toBe('Invalid FieldReference: `foo[bar]`')
    expect(noteOf('field', ['a', 'b'])).toBe('Expected exactly one field reference, got `["a", "b"]`')
  })

  test('any', () => {
    const input = defineInput({
      name: 'free',
      summary: 'x.',
      options: { body: option.any({ doc: 'x.' }) },
      create: () => ({ run: async () => {}, stop() {} }),
    })
    const bodyOf = (value: RawValue) =>
      validateOptions(input, new Map([['body', value]]), { ecs: 'v8' }).options?.['body']
    expect(bodyOf('x')).toBe('x')
    expect(bodyOf([1, ['a']])).toEqual([1, ['a']])
    expect(bodyOf(new Map([['a', new Map([['b', 1]])]]))).toEqual({ a: { b: 1 } })
  })

  test('sha_256_hex', () => {
    expect(validated('fingerprint', `${'ab:'.repeat(31)}cd`)).toBe(`${'AB'.repeat(31)}CD`)
    expect(noteOf('fingerprint', 'abc')).toBe('Expected a hex-encoded SHA-256 fingerprint, got `"abc"`')
  })

  test('list of one kind', () => {
    expect(validated('numbers', '5')).toEqual([5])
    expect(validated('numbers', [])).toEqual([])
    expect(noteOf('numbers', [1, 'b'])).toBe('[1, "Expected number, got \\"b\\" (type b)"]')
  })
})

describe('common options', () => {
  test('defaults', () => {
    expect(check({}).options).toMatchObject({
      count: 7,
      add_field: new Map(),
      remove_field: [],
      add_tag: [],
      remove_tag: [],
      enable_metric: true,
      periodic_flush: false,
      ecs_compatibility: 'v8',
    })
    expect(check({ ecs_compatibility: 'disabled' }).options?.['ecs_compatibility']).toBe('disabled')
    expect(check({ ecs_compatibility: 'v0' }).problems[0]?.message).toContain(
      '# Expected a v-prefixed integer major-version number (e.g., `v1`) or the literal `disabled`, got ["v0"]\n',
    )
  })

  test('lists of defaults are not shared', () => {
    expect(check({}).options?.['add_tag']).not.toBe(check({}).options?.['add_tag'])
  })

  const input = defineInput({
    name: 'stdin',
    summary: 'For tests.',
    codec: 'line',
    options: {},
    create: () => ({ run: async () => {}, stop() {} }),
  })
  const codecOf = (raw?: RawValue) =>
    validateOptions(input, new Map(raw === undefined ? [] : [['codec', raw]]), { ecs: 'v8' }).options?.[
      'codec'
    ]

  test('codec', () => {
    expect(codecOf()).toEqual({ name: 'line', options: new Map() })
    expect(codecOf('json')).toEqual({ name: 'json', options: new Map() })
    const options = new Map([['charset', 'UTF-16']])
    expect(codecOf(new RawPlugin('json', options))).toEqual({ name: 'json', options })
  })

  test('an input may have a type and tags', () => {
    const raw = new Map<string, RawValue>([
      ['type', 'x'],
      ['tags', 'y'],
    ])
    expect(validateOptions(input, raw, { ecs: 'v8' }).options).toMatchObject({ type: 'x', tags: ['y'] })
  })

  test('workers of an output is accepted with a warning', () => {
    const output = defineOutput({
      name: 'null',
      summary: 'x.',
      options: {},
      concurrency: 'shared',
      create: () => ({}),
    })
    const result = validateOptions(output, new Map([['workers', 2]]), { ecs: 'v8' })
    expect(result.problems).toEqual([])
    expect(result.warnings[0]?.message).toMatch(
      /^You are using a deprecated config setting "workers" set in null\./,
    )
  })

  test('a codec has no codec', () => {
    const codec = defineCodec({ name: 'dots', summary: 'x.', options: {}, create: () => ({}) })
    const { problems } = validateOptions(codec, new Map([['codec', 'x']]), { ecs: 'v8' })
    expect(problems[0]?.message).toBe("Unknown setting 'codec' for dots")
  })
})

describe('any value', () => {
  const raw = fc.letrec<{ value: RawValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.constantFrom('true', '10 KiB', '[a][b]', '[', '1.0', '//x', 'http://a b', '__proto__', ''),
      fc.double(),
      fc.integer(),
      fc.bigInt(),
      fc.double().map((n) => new LsFloat(n)),
      fc.constant(null),
      fc.array(tie('value')),
      fc.array(fc.tuple(fc.string(), tie('value'))).map((pairs) => new Map(pairs)),
      fc
        .tuple(fc.string(), fc.array(fc.tuple(fc.string(), tie('value'))))
        .map(([name, pairs]) => new RawPlugin(name, new Map(pairs))),
    ),
  })).value
  const name = fc.oneof(
    fc.constantFrom(...Object.keys(filter.options), 'add_field', 'tags', 'codec'),
    fc.string(),
  )

  test('is answered, never thrown at', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, raw)), fc.boolean(), (pairs, strict) => {
        const { options, problems, warnings } = validateOptions(filter, new Map(pairs), { ecs: 'v8', strict })
        expect(options === undefined).toBe(problems.length > 0)
        for (const { message: text } of [...warnings, ...problems]) expect(typeof text).toBe('string')
      }),
      { numRuns: 500 },
    )
  })

  test('nested too deep is refused', () => {
    let deep: RawValue = 'x'
    for (let i = 0; i < 5000; i++) deep = [deep]
    expect(check({ items: deep }).problems[0]?.code).toBe('invalid_option')
    expect(check({ text: deep }).problems[0]?.code).toBe('invalid_option')
  })
})

describe('names of fields inside values', () => {
  const suspicionsOf = (options: [string, RawValue][]) =>
    validateOptions(
      defineFilter({ name: 'f', summary: 's', options: {}, create: () => ({}) }),
      new Map(options),
      {
        ecs: 'disabled',
      },
    ).suspicions

  test('are looked at when they are known', () => {
    expect(suspicionsOf([['remove_field', ['ok', 'a[']]])).toEqual([
      { option: 'remove_field', message: 'Invalid FieldReference: `a[`' },
    ])
    expect(suspicionsOf([['add_field', new Map([['[x', 'y']])]])).toEqual([
      { option: 'add_field', message: 'Invalid FieldReference: `[x`' },
    ])
  })

  test('are left alone when an event fills them in', () => {
    expect(suspicionsOf([['remove_field', ['%{f}[']]])).toEqual([])
  })
})
