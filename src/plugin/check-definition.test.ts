import { expect, test } from 'vitest'
import { Event } from '../event/event.ts'
import { type CheckTools, checkDefinition } from './check-definition.ts'
import { defineCodec, defineFilter, option } from './define.ts'
import { rawOptions } from './testing.ts'

/** Reads `name` or `name {"json": "options"}`. */
const tools: CheckTools = {
  readBlock(config) {
    const [, name = '', options = ''] = /^(\w+)\s*(.*)$/s.exec(config) ?? []
    return { name, options: rawOptions(JSON.parse(options || '{}')) }
  },
}

const setter = defineFilter({
  name: 'setter',
  summary: 'Sets a field.',
  options: {
    field: option.fieldReference({ default: '[a]', doc: 'Field to set.' }),
    size: option.bytes({ default: 10_240, doc: 'A size.' }),
    map: option.hash({ default: new Map([['__proto__', 'x']]), doc: 'A map.' }),
    deny: option.boolean({ default: false, doc: 'Whether to drop the event.' }),
  },
  examples: [
    { title: 'Set', config: 'setter {"field": "[b]"}', in: { n: 1 }, out: { n: 1, b: 'x' } },
    { title: 'Drop', config: 'setter {"deny": true}', in: [{ n: 1 }], out: [] },
  ],
  create: ({ options, compile }) => {
    const set = compile.set(options.field)
    return {
      filter(event) {
        if (options.deny) event.cancel()
        set(event, 'x')
        return true
      },
    }
  },
})

const spaced = defineCodec({
  name: 'spaced',
  summary: 'Words.',
  options: {},
  examples: [
    {
      title: 'Both ways',
      config: 'spaced',
      decode: { text: 'a b', out: [{ message: 'a' }, { message: 'b' }] },
      encode: { in: { message: 'a' }, text: 'a ' },
    },
  ],
  create: () => ({
    delimiter: Buffer.from(' '),
    decode: (text, emit, time) => emit(Event.from({ message: text }, time)),
    encode: (event) => `${event.get('message')} `,
  }),
})

test('nothing to complain about', async () => {
  expect(await checkDefinition(setter, tools)).toEqual([])
  expect(await checkDefinition(spaced, tools)).toEqual([])
})

test('complaints about the declaration', async () => {
  const careless = defineFilter({
    name: 'care-less',
    summary: 'No full stop',
    options: {
      camelCase: option.string({ doc: 'Fine.' }),
      undocumented: option.string({ doc: '' }),
      both: option.number({ required: true, default: 1, doc: 'Fine.' }),
      reference: option.fieldReference({ default: 'a[b]', doc: 'Fine.' }),
      address: option.uri({ default: 'localhost', doc: 'Fine.', aliases: ['both'] }),
    },
    metrics: { Failures: 'Things that failed' },
    create: () => ({}),
  })
  expect(await checkDefinition(careless)).toEqual([
    'care-less filter: the name is not in snake_case',
    'care-less filter: the option camelCase is not in snake_case',
    'care-less filter: the metric Failures is not in snake_case',
    'care-less filter: the summary is not a sentence with a full stop',
    'care-less filter: the doc of the option undocumented is not a sentence with a full stop',
    'care-less filter: the doc of the metric Failures is not a sentence with a full stop',
    'care-less filter: the option both is required and has a default',
    'care-less filter: the default of the option reference is refused: Expected a valid field reference, got `"a[b]"`',
    'care-less filter: the alias both of the option address is an option of its own',
    'care-less filter: the default of the option address is not what its validator makes of it: "//localhost"',
  ])
})

test('complaints about examples', async () => {
  const examples = [
    { title: 'Wrong', config: 'setter', in: { n: 1 }, out: { n: 2, a: 'x' } },
    { title: 'Other', config: 'mutate', in: {}, out: {} },
    { title: 'Bad option', config: 'setter {"nope": 1}', in: {}, out: {} },
  ]
  expect(await checkDefinition({ ...setter, examples }, tools)).toEqual([
    'setter filter: the example «Wrong» fails: got [{"n"=>1, "a"=>"x"}], expected [{"n"=>2, "a"=>"x"}]',
    'setter filter: the example «Other» fails: it configures the plugin mutate',
    "setter filter: the example «Bad option» fails: Unknown setting 'nope' for setter",
  ])
})
