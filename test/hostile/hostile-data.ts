/** Values and bytes that something behind a pipeline may send by mistake or with intent. */
import { gzipSync } from 'node:zlib'
import { parseJson } from '../../src/event/json-parse.ts'
import { Timestamp } from '../../src/event/timestamp.ts'
import { float, type Value } from '../../src/event/value.ts'

export function nested(depth: number, open: string, close: string): string {
  return open.repeat(depth) + close.repeat(depth)
}

/** By a name for the title of a test. */
export const hostileValues: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['null', null],
  ['an empty text', ''],
  ['a text', 'web1'],
  ['a number', 7],
  ['a negative number', -1],
  ['a huge number', float(1e308)],
  ['an infinite number', float(Number.POSITIVE_INFINITY)],
  ['no number', float(Number.NaN)],
  ['an integer of 64 bits', 2n ** 63n],
  ['an integer of 400 digits', 10n ** 400n],
  ['true', true],
  ['an empty list', []],
  ['a list of nothing', [null]],
  ['a list of everything', [1, 'a', null, [], {}, true]],
  ['an empty map', {}],
  ['a map', { a: { b: 1 } }],
  [
    'a map named like a prototype',
    parseJson('{"__proto__":{"x":1},"constructor":{"prototype":{}},"toString":1}'),
  ],
  ['names with brackets', { '[a]': 1, 'a]b[': 2, '[': 3, '': 4 }],
  ['lists a thousand deep', parseJson(nested(990, '[', ']'))],
  ['maps a thousand deep', parseJson(`${'{"a":'.repeat(990)}1${'}'.repeat(990)}`)],
  ['a hundred thousand elements', Array.from({ length: 100_000 }, (_, n) => n)],
  ['half a character', 'a\ud800b'],
  ['a zero byte', 'a\0b'],
  ['line ends', 'a\r\nb\nc'],
  ['a long text', 'x '.repeat(50_000)],
  ['half a reference', '[a][b'],
  ['half a template', '%{'],
  ['a template', '%{[a][b]}%{+yyyy}'],
  ['a date beyond all calendars', '+275760-09-13T00:00:00.001Z'],
  ['a number of 30 digits', '999999999999999999999999999999'],
  ['half a JSON document', '{"a":'],
  ['half an XML document', '<a><b x="'],
  ['a quote', '"'],
  ['a time beyond all calendars', new Timestamp(8.64e15)],
])

export const hostileBytes: ReadonlyMap<string, Buffer> = new Map([
  ['nothing', Buffer.alloc(0)],
  ['a zero byte', Buffer.of(0)],
  ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe, 0x80, 0xc3, 0x28, 0xed, 0xa0, 0x80])],
  ['every byte', Buffer.from(Array.from({ length: 256 }, (_, n) => n))],
  ['a byte order mark', Buffer.from('\ufeff{"a":1}')],
  ['a text for a host', Buffer.from('{"host":"web1","message":"x"}')],
  ['a list for a host', Buffer.from('{"host":[1,2],"url":7,"http":null,"event":"e","log":"l"}')],
  ['a text for each map of the schema', Buffer.from(schemaOfTexts())],
  ['odd tags', Buffer.from('{"tags":{"a":1},"message":"x"}')],
  ['an odd time', Buffer.from('{"@timestamp":{"a":1},"@version":[],"@metadata":"m"}')],
  ['a time beyond all calendars', Buffer.from('{"@timestamp":"+999999-01-01T00:00:00Z"}')],
  ['a prototype', Buffer.from('{"__proto__":{"x":1},"constructor":{"prototype":{"y":2}}}')],
  ['names with brackets', Buffer.from('{"[a][b]":1,"a]":2,"[":3,"":4}')],
  ['huge numbers', Buffer.from('{"a":1e400,"b":-0,"c":9223372036854775808,"d":1e-400}')],
  ['half a character', Buffer.from('{"a":"\\ud800"}')],
  ['lists a thousand deep', Buffer.from(`{"a":${nested(999, '[', ']')}}`)],
  ['lists ten thousand deep', Buffer.from(nested(10_000, '[', ']'))],
  ['maps a hundred thousand deep', Buffer.from(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)],
  ['a hundred thousand elements', Buffer.from(`[${'{},'.repeat(100_000)}{}]`)],
  ['a hundred thousand names', Buffer.from(`{${Array.from({ length: 100_000 }, (_, n) => `"k${n}":1`)}}`)],
  ['half a document', Buffer.from('{"a":')],
  ['a bare text', Buffer.from('"text"')],
  ['an action without a document', Buffer.from('{"index":7}')],
  ['packed lists without end', Buffer.alloc(5000, 0x91)],
  ['a packed map that promises much', Buffer.from([0xdf, 0xff, 0xff, 0xff, 0xff, 0xa1, 0x61])],
  ['a flow packet that promises much', Buffer.from([0, 9, 0xff, 0xff, ...Array(40).fill(0xff)])],
  ['a compressed text', gzipSync('{"a":1}')],
  ['a compressed bomb', gzipSync(Buffer.alloc(120 * 1024 * 1024))],
  ['a bare header', Buffer.from('CEF:0|a|b|c|d|e|f|=')],
  ['a long line', Buffer.alloc(1024 * 1024, 'x')],
])

function schemaOfTexts(): string {
  const names =
    'agent client destination event file host http log network observer process service source url user_agent'
  return JSON.stringify(Object.fromEntries(names.split(' ').map((name) => [name, 'text'])))
}
