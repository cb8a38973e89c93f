/** The documents both nodes hold: ordinary ones, and the odd ones that users have. Texts are NDJSON or JSON with exact numbers. */
import { Random } from './random.ts'

export const words = [
  'error', 'connection', 'timeout', 'server', 'database', 'quick', 'brown', 'fox', 'jumps', 'lazy', 'dog', 'user',
  'login', 'failed', 'success', 'running', 'runs', 'warning', 'disk', 'full', 'memory', 'network', 'packet', 'lost',
] // biome-ignore format: a list of words

const odd = [
  '', ' ', '...', '© 2020 ™ Acme®', 'naïve café Ünïcode', '日本語のテキスト', '😀 emoji 👩‍👩‍👧 family', 'שלום עולם', 'مرحبا بالعالم', 'a.b.c',
  'user@example.com', 'http://example.com/path?x=1', "don't can't", '1.5 2,000 3:45', 'foo_bar foo-bar', 'First line\nsecond line\n\nthird. Fourth!',
  'The QUICK Brown FOX', 'x'.repeat(300), 'A. B. C.', 'one  two\tthree', 'mr. Smith went. To town? Yes! He did.', '$100 50% #tag',
] // biome-ignore format: a list of texts

export const tags = ['red', 'green', 'blue', 'Red', 'yellow', 'été', 'a b', '10', '9', '😀', '']

const cities = [
  { lat: 52.52, lon: 13.405 },
  { lat: 48.8566, lon: 2.3522 },
  { lat: 51.5074, lon: -0.1278 },
  { lat: -33.8688, lon: 151.2093 },
  { lat: 40.7128, lon: -74.006 },
  { lat: 0, lon: 0 },
  { lat: 35.6762, lon: 139.6503 },
]

export const mappings = {
  properties: {
    title: { type: 'text', fields: { raw: { type: 'keyword', ignore_above: 100 }, english: { type: 'text', analyzer: 'english' } } },
    body: { type: 'text', term_vector: 'with_positions_offsets' },
    note: { type: 'text', index_options: 'offsets' },
    plain: { type: 'text', norms: false },
    tag: { type: 'keyword' },
    code: { type: 'keyword', normalizer: 'low' },
    byte: { type: 'byte' },
    short: { type: 'short' },
    int: { type: 'integer' },
    long: { type: 'long' },
    ulong: { type: 'unsigned_long' },
    float: { type: 'float' },
    half: { type: 'half_float' },
    double: { type: 'double' },
    price: { type: 'scaled_float', scaling_factor: 100 },
    date: { type: 'date' },
    day: { type: 'date', format: 'yyyy-MM-dd||epoch_second' },
    nanos: { type: 'date_nanos' },
    flag: { type: 'boolean' },
    ip: { type: 'ip' },
    place: { type: 'geo_point' },
    ages: { type: 'integer_range' },
    span: { type: 'date_range' },
    comments: { type: 'nested', properties: { author: { type: 'keyword' }, text: { type: 'text' }, stars: { type: 'integer' }, at: { type: 'date' } } },
    obj: { properties: { name: { type: 'keyword' }, count: { type: 'long' } } },
    sugg: { type: 'completion' },
    wild: { type: 'wildcard' },
    rank: { type: 'rank_feature' },
    all: { type: 'text' },
    copied: { type: 'keyword', copy_to: ['all'] },
    alias_tag: { type: 'alias', path: 'tag' },
    hidden: { type: 'keyword', index: false },
    nodoc: { type: 'keyword', doc_values: false },
    bin: { type: 'binary' },
    fallback: { type: 'keyword', null_value: 'NONE' },
    tokens: { type: 'token_count', analyzer: 'standard' },
    like: { type: 'search_as_you_type' },
  },
} // biome-ignore format: a field a line

export const settings = {
  number_of_shards: 1,
  number_of_replicas: 0,
  refresh_interval: '-1',
  analysis: { normalizer: { low: { type: 'custom', filter: ['lowercase', 'asciifolding'] } } },
}

/** Numbers are written as texts of their own, so that those above 2^53 arrive as they are. */
class Raw {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

function write(value: unknown): string {
  if (value instanceof Raw) return value.text
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, part]) => `${JSON.stringify(name)}:${write(part)}`)
      .join(',')}}`
  return JSON.stringify(value)
}

const bigLongs = [
  '9007199254740993',
  '9007199254740992',
  '9223372036854775807',
  '-9223372036854775808',
  '-9007199254740993',
]
const bigUnsigned = ['18446744073709551615', '9223372036854775808', '9007199254740993']

function sentence(random: Random): string {
  const count = random.int(1, 12)
  const text = random.times(count, () => random.pick(words)).join(' ')
  return random.chance(0.3)
    ? `${text[0]!.toUpperCase()}${text.slice(1)}. ${random.pick(words)} ${random.pick(words)}.`
    : text
}

function oneOrMore<T>(random: Random, make: () => T): T | T[] {
  return random.chance(0.2) ? random.times(random.int(0, 3), make) : make()
}

export function document(random: Random): Record<string, unknown> {
  const time = () => new Date(1_577_836_800_000 + random.int(0, 3 * 365 * 24 * 3600) * 1000).toISOString()
  const text = () => (random.chance(0.1) ? random.pick(odd) : sentence(random))
  const all: Record<string, () => unknown> = {
    title: () => oneOrMore(random, text),
    body: () => random.times(random.int(1, 4), text).join('. '),
    note: text,
    plain: text,
    tag: () => oneOrMore(random, () => random.pick(tags)),
    code: () => random.pick(['ABC', 'abc', 'Été', 'xyz-1', 'XYZ-2']),
    byte: () => random.int(-128, 127),
    short: () => random.int(-300, 300),
    int: () => oneOrMore(random, () => random.int(-100, 1000)),
    long: () => (random.chance(0.2) ? new Raw(random.pick(bigLongs)) : random.int(-1_000_000, 1_000_000)),
    ulong: () => (random.chance(0.2) ? new Raw(random.pick(bigUnsigned)) : random.int(0, 1000)),
    float: () => random.int(-1000, 1000) / 8 + 0.1,
    half: () => random.int(-100, 100) / 4,
    double: () => (random.chance(0.05) ? new Raw(random.pick(['1e300', '1.0E-10', '-0.0', '12345678901234567890'])) : random.next() * 200 - 100),
    price: () => random.int(0, 10_000) / 100,
    date: () => oneOrMore(random, time),
    day: () => time().slice(0, 10),
    nanos: () => `${time().slice(0, 19)}.${String(random.int(0, 999_999_999)).padStart(9, '0')}Z`,
    flag: () => random.pick([true, false, 'true', 'false']),
    ip: () => random.pick(['10.0.0.1', '10.0.0.2', '192.168.1.77', '::1', '2001:db8::ff00:42:8329', '172.16.0.200']),
    place: () => {
      const { lat, lon } = random.pick(cities)
      return random.pick([{ lat, lon }, [lon, lat], `${lat},${lon}`])
    },
    ages: () => {
      const low = random.int(0, 50)
      return { gte: low, lt: low + random.int(1, 30) }
    },
    span: () => ({ gte: '2020-01-01', lte: time() }),
    comments: () =>
      random.times(random.int(0, 4), () => ({
        author: random.pick(['ann', 'bob', 'cid', 'Ann']),
        text: sentence(random),
        ...(random.chance(0.8) && { stars: random.int(1, 5) }),
        ...(random.chance(0.5) && { at: time() }),
      })),
    obj: () => ({ name: random.pick(['n1', 'n2', 'n3']), count: random.int(0, 5) }),
    sugg: () => random.pick<unknown>(['Nirvana', 'Nevermind', 'nero', ['One', 'Only'], { input: ['Nice', 'Nine'], weight: random.int(1, 3) }]),
    wild: () => `${random.pick(words)}-${random.int(1, 99)}`,
    rank: () => random.int(1, 100) / 4,
    copied: () => random.pick(words),
    hidden: () => random.pick(tags),
    nodoc: () => random.pick(words),
    bin: () => 'U29tZSBiaW5hcnk=',
    fallback: () => random.pick(['x', 'y', null]),
    tokens: () => sentence(random),
    like: () => sentence(random),
  } // biome-ignore format: a field a line
  const made: Record<string, unknown> = {}
  for (const [name, make] of Object.entries(all)) {
    const chance = random.next()
    if (chance < 0.7) made[name] = make()
    else if (chance < 0.74) made[name] = name === 'rank' ? 1 : null
  }
  return made
}

/** Documents without a mapping of their own: what dynamic mapping makes of odd names and values. */
export const dynamicDocuments = [
  '{"message":"hello world","level":"INFO","n":1,"at":"2021-01-01T00:00:00Z"}',
  '{"message":"second message","level":"WARN","n":2.5,"nested":{"a":{"b":"deep"}},"tags":["a","b"]}',
  '{"a.b":"dotted","a.c":1,"empty":{},"nothing":null,"none":[]}',
  '{"message":"","flag":true,"at":"2021/02/03","num_text":"42"}',
  '{"message":"😀 שלום","list":[{"x":1,"y":"p"},{"x":2,"y":"q"}],"n":9007199254740993}',
  '{"message":"x","__proto__":{"p":1},"constructor":"c","toString":"t"}',
  '{"level":"error","message":["first","second"],"geo":{"lat":1,"lon":2}}',
]

export function bulkBody(index: string, count: number, seed: number): string {
  const random = new Random(seed)
  let text = ''
  for (let id = 0; id < count; id++)
    text += `{"index":{"_index":"${index}","_id":"${id}"}}\n${write(document(random))}\n`
  return text
}
