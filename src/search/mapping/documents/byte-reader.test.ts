/** Documents indexed from bytes against the same documents parsed: the segments must have equal content. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Segment } from '../../segment/segment.ts'
import { SegmentBuilder } from '../../segment/writer/segment-builder.ts'
import { Mapping } from '../mapping.ts'
import { contentOf } from '../test-content.ts'
import { bytePlan } from './byte-plan.ts'
import { PlanReader } from './byte-reader.ts'
import { parseDocument } from './document-parser.ts'

const textAndKeyword = { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 8 } } }
const properties = {
  t: textAndKeyword,
  w: { type: 'text' },
  m: { type: 'match_only_text' },
  k: { type: 'keyword' },
  z: { type: 'keyword', null_value: 'NULL' },
  l: { type: 'long' },
  b: { type: 'byte' },
  f: { type: 'float' },
  d: { type: 'double' },
  h: { type: 'half_float' },
  s: { type: 'scaled_float', scaling_factor: 10 },
  at: { type: 'date' },
  on: { type: 'boolean' },
  ip: { type: 'ip' },
  e: { type: 'text', analyzer: 'english' },
  c: { type: 'keyword', copy_to: 'w' },
  o: { properties: { t: textAndKeyword, n: { type: 'integer' }, é: { type: 'keyword' } } },
  x: { type: 'nested', properties: { k: { type: 'keyword' } } },
}
const names = [...Object.keys(properties), 'é', 'n', 'unknown', 'o.t', '__proto__', '']

const word = fc.constantFrom(
  'a',
  'B',
  'ab',
  "it's",
  '3.5',
  'é',
  '😀',
  '_',
  'x_1',
  '',
  'a"b',
  '\\',
  '\n',
  '\u0001',
  '\ud800',
)
const text = fc.oneof(
  fc.array(word, { maxLength: 5 }).map((words) => words.join(' ')),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('2024-02-29T01:02:03Z', '2023-02-29T01:02:03Z', '2024-01-01T00:00:00.123456Z', '10.0.0.1'),
  fc.constantFrom('2024-01-01', '1.2.3', '256.1.1.1', '01.2.3.4', '::1', 'true', '12', '', '\ufeffa'),
)
/** Spellings of values, not values: `1.0` and `1` are two. */
const literal = fc.oneof(
  text.map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '"\\u0041\\/\\b"',
    '"\\ud83d\\ude00"',
    '"\\u00e9\\t"',
    '"\\ud800"',
    'null',
    'true',
    'false',
  ),
  fc.constantFrom(
    '0',
    '-0',
    '1',
    '-7',
    '127',
    '128',
    '1.0',
    '1.5',
    '-0.0',
    '1e3',
    '1E-2',
    '0.1',
    '1700000000000',
  ),
  fc.constantFrom(
    '9007199254740993',
    '123456789012345',
    '1234567890123456',
    '12345.678901234567',
    '1e39',
    '1e400',
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.integer().map(String),
)
const space = fc.constantFrom('', '', '', ' ', '\n', '\t ', '\r\n')
const { value } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    literal,
    fc
      .tuple(space, fc.array(literal, { maxLength: 3 }), space)
      .map(([a, items, b]) => `[${a}${items.join(`${b},${a}`)}${b}]`),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(fc.constantFrom(...names), space, tie('value'), space), { maxLength: 5 })
    .map(
      (members) =>
        `{${members.map(([name, a, inner, b]) => `${a}${JSON.stringify(name)}${b}:${a}${inner}${b}`).join(',')}}`,
    ),
}))
const document = fc
  .array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 6 })
  .map((members) => `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${inner}`).join(',')}}`)

interface Outcome {
  readonly segment: Segment
  readonly read: number
}

function index(documents: readonly string[], given: Mapping, reads: boolean): Outcome {
  const builder = new SegmentBuilder('s')
  let mapping = given
  let reader = new PlanReader(bytePlan(mapping)!)
  let read = 0
  documents.forEach((json, seqNo) => {
    const source = Buffer.from(json)
    const head = { id: String(seqNo), routing: undefined, seqNo, version: 1, primaryTerm: 1 }
    if (reads) builder.readLastAgain(reader)
    if (reads && builder.read(source, reader)) {
      builder.addRead(head, reader)
      read++
      return
    }
    try {
      const parsed = parseDocument(
        { id: head.id, source: JSON.parse(source.toString()), raw: source },
        mapping,
      )
      builder.add({ ...head, source, fields: parsed.fields, nested: parsed.nested })
      if (parsed.mapping === mapping) return
      mapping = parsed.mapping
      reader = new PlanReader(bytePlan(mapping)!)
    } catch {
      // Refused documents are in neither segment.
    }
  })
  return { segment: builder.build(), read }
}

const mappings = fc
  .subarray(Object.entries(properties))
  .chain((kept) =>
    fc
      .constantFrom<string | undefined>('true', 'false', 'strict')
      .map((dynamic) => Mapping.create({ dynamic, properties: Object.fromEntries(kept) })),
  )

describe('documents indexed from bytes', () => {
  it('make the segment that parsed documents make', () => {
    fc.assert(
      fc.property(mappings, fc.array(document, { minLength: 1, maxLength: 30 }), (mapping, documents) => {
        const fast = index(documents, mapping, true)
        expect(contentOf(fast.segment)).toEqual(contentOf(index(documents, mapping, false).segment))
      }),
      { numRuns: 400 },
    )
  })

  it('make the same segment when few values are distinct', () => {
    const few = fc.record(
      { t: fc.constantFrom('a b a', 'b', 'é A'), k: fc.constantFrom('x', 'y'), l: fc.nat(3) },
      { requiredKeys: [] },
    )
    const mapping = Mapping.create({ properties })
    fc.assert(
      fc.property(fc.array(few, { minLength: 30, maxLength: 80 }), (values) => {
        const documents = values.map((one) => JSON.stringify(one))
        const fast = index(documents, mapping, true)
        expect(fast.read).toBe(documents.length)
        expect(contentOf(fast.segment)).toEqual(contentOf(index(documents, mapping, false).segment))
      }),
      { numRuns: 60 },
    )
  })

  it('make the same segment when names, order and kinds repeat', () => {
    const bare = fc.constantFrom(
      '0',
      '1',
      '-7',
      '12.5',
      'null',
      'true',
      'false',
      '[]',
      '[3]',
      '"x"',
      '1e3',
      '01',
    )
    const quoted = text.map((one) => JSON.stringify(one))
    const member = (name: string, inner: fc.Arbitrary<string>) =>
      inner.map((one) => `${JSON.stringify(name)}:${one}`)
    const alike = fc
      .tuple(
        member('t', quoted),
        member('l', fc.oneof(fc.nat(200).map(String), bare)),
        member(
          'o',
          fc.oneof(member('n', bare), fc.constant('')).map((inner) => `{${inner}}`),
        ),
        member(
          'k',
          fc.oneof(
            quoted,
            fc.array(quoted, { maxLength: 3 }).map((items) => `[${items}]`),
            bare,
          ),
        ),
        member('at', fc.oneof(quoted, bare)),
        member('on', bare),
        fc.constantFrom('"l":1', '"ip":"10.0.0.1"', '"w":null'),
      )
      .map((members) => `{${members.join(',')}}`)
    const mapping = Mapping.create({ dynamic: 'strict', properties })
    fc.assert(
      fc.property(fc.array(alike, { minLength: 20, maxLength: 60 }), (documents) => {
        const fast = index(documents, mapping, true)
        expect(contentOf(fast.segment)).toEqual(contentOf(index(documents, mapping, false).segment))
      }),
      { numRuns: 100 },
    )
  })

  it('are read again after more shapes came than the trie holds', () => {
    const mapping = Mapping.create({ properties })
    // The members are in a different order in each document.
    const documents = Array.from({ length: 1500 }, (_, i) => {
      const left = ['"t":"a b"', `"k":"v${i}"`, `"l":${i}`, '"d":0.5', '"w":"c"', '"m":"d"', '"on":true']
      const members: string[] = []
      for (let rest = i; left.length > 0; rest = Math.floor(rest / (left.length + 1)))
        members.push(...left.splice(rest % left.length, 1))
      return `{${members}}`
    })
    expect(new Set(documents.map((one) => one.replace(/\d+/g, ''))).size).toBeGreaterThan(1000)
    const fast = index(documents, mapping, true)
    expect(fast.read).toBe(documents.length)
    expect(contentOf(fast.segment)).toEqual(contentOf(index(documents, mapping, false).segment))
  })

  it('make the same segment in a builder that replaces a smaller, equal or larger one', () => {
    const mapping = Mapping.create({ properties })
    const reader = new PlanReader(bytePlan(mapping)!)
    const filled = (count: number, before?: SegmentBuilder) => {
      const builder = new SegmentBuilder('s', before)
      for (let i = 0; i < count; i++) {
        const source = Buffer.from(`{"t":"a b${i}","k":"${'x'.repeat(i % 90)}${i}","l":${i},"d":${i / 8}}`)
        const head = { id: `id${i}`, routing: undefined, seqNo: i, version: 1, primaryTerm: 1 }
        expect(builder.read(source, reader)).toBe(true)
        builder.addRead(head, reader)
      }
      return builder
    }
    const alone = contentOf(filled(1500).build())
    for (const earlier of [0, 20, 1400, 9000])
      expect(contentOf(filled(1500, filled(earlier)).build())).toEqual(alone)
  })

  it('make the same segment with few values and with thousands, up to as many as are read', () => {
    const mapping = Mapping.create({ properties })
    const documents = [1, 511, 512, 513, 2047, 2049, 4096, 3, 4097, 600].map((count) => {
      const texts = Array.from({ length: count - 1 }, (_, i) => `"t${i}"`)
      return `{"k":[${texts}],"l":${count}}`
    })
    const fast = index(documents, mapping, true)
    expect(fast.read).toBe(documents.length - 1)
    expect(contentOf(fast.segment)).toEqual(contentOf(index(documents, mapping, false).segment))
  })

  it('are refused when JSON.parse refuses them or bytes are not UTF-8', () => {
    const mapping = Mapping.create({ properties })
    const reader = new PlanReader(bytePlan(mapping)!)
    // Neither old memory content nor values read before may matter.
    const builder = new SegmentBuilder('s')
    const change = fc.tuple(fc.nat(), fc.nat(255), fc.constantFrom('replace', 'remove', 'insert', 'cut'))
    fc.assert(
      fc.property(document, fc.array(change, { maxLength: 3 }), (json, changes) => {
        let bytes = Buffer.from(json)
        for (const [place, byte, what] of changes) {
          const at = bytes.length === 0 ? 0 : place % bytes.length
          const behind = what === 'insert' ? at : at + 1
          const middle = what === 'replace' || what === 'insert' ? Buffer.from([byte]) : Buffer.alloc(0)
          bytes =
            what === 'cut'
              ? bytes.subarray(0, at)
              : Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(behind)])
        }
        if (!builder.read(bytes, reader)) return
        expect(() =>
          JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)),
        ).not.toThrow()
        const doc = builder.addRead(
          { id: 'x', routing: undefined, seqNo: 0, version: 1, primaryTerm: 1 },
          reader,
        )
        expect(bytes.equals(builder.source(doc))).toBe(true)
      }),
      { numRuns: 20_000 },
    )
  })

  it('are stored as values when a shape repeats, and are restored byte for byte', () => {
    const mapping = Mapping.create({ properties })
    const reader = new PlanReader(bytePlan(mapping)!)
    const builder = new SegmentBuilder('s')
    const values = [
      '"a b"',
      '"é\\"\\\\"',
      '"\\u0041,}"',
      '"\u007f\u{1f600}\u007f"',
      '""',
      `"${'é,'.repeat(20)}"`,
    ]
    const sources = Array.from({ length: 200 }, (_, i) => {
      const numbers = ['0', '-7', '12.50', '1e3', '0.1e-2'][i % 5]!
      return Buffer.from(
        ` { "w" : ${values[i % 6]!},\n"l":${i}, "d":${numbers},"on":${i % 3 === 0}, "at":"2026-11-16T0${i % 10}:00:00.000Z" }\n`,
      )
    })
    let whole = 0
    let kept = 0
    sources.forEach((source, seqNo) => {
      const head = { id: `${seqNo}`, routing: undefined, seqNo, version: 1, primaryTerm: 1 }
      expect(builder.read(source, reader)).toBe(true)
      if (builder.readValues === undefined) whole++
      kept += builder.readValues?.length ?? source.length
      builder.addRead(head, reader)
    })
    expect(whole).toBe(1)
    sources.forEach((source, doc) => {
      expect(Buffer.from(builder.source(doc)).toString()).toBe(source.toString())
    })
    const bytes = sources.reduce((sum, { length }) => sum + length, 0)
    expect(kept).toBeLessThan(bytes * 0.7)
    expect(builder.sourceBytes).toBe(bytes)
  })

  it('are stored whole beyond the shape limit, and where memory behind them is not readable', () => {
    const mapping = Mapping.create({ properties })
    const reader = new PlanReader(bytePlan(mapping)!)
    const builder = new SegmentBuilder('s')
    const add = (source: Uint8Array) => {
      const head = { id: 'x', routing: undefined, seqNo: builder.docCount, version: 1, primaryTerm: 1 }
      expect(builder.read(source, reader)).toBe(true)
      const isWhole = builder.readValues === undefined
      expect(Buffer.from(source).equals(builder.source(builder.addRead(head, reader)))).toBe(true)
      return isWhole
    }
    // As many shapes as there are ways to put spaces in front of three members.
    const shaped = (i: number) =>
      `{${' '.repeat(i % 11)}"k":"v",${' '.repeat(Math.floor(i / 11) % 11)}"l":1,${' '.repeat(Math.floor(i / 121))}"d":2}`
    for (let i = 0; i < 2400; i++) add(Buffer.from(shaped(i % 1200)))
    expect(add(Buffer.from(shaped(7)))).toBe(false)
    expect(add(Buffer.from(shaped(1199)))).toBe(true)
    for (const length of [10, 9000]) {
      const alone = new Uint8Array(Buffer.from(`{"k":"${'y'.repeat(length)}","l":1,"d":2}`))
      add(alone.slice())
      // Short documents are copied to padded memory.
      expect(add(alone.slice())).toBe(false)
    }
    const large = new Uint8Array(Buffer.from(`{"w":[${Array(30).fill(`"${'z'.repeat(9000)}"`)}]}`))
    add(large.slice())
    expect(add(large.slice())).toBe(true)
  })

  it('are restored when shapes are so long that few of them are kept', () => {
    const reader = new PlanReader(bytePlan(Mapping.create({ properties }))!)
    const builder = new SegmentBuilder('s')
    const gap = ' '.repeat(20_000)
    let values = 0
    for (let i = 0; i < 1000; i++) {
      const [a, b, c] = [i % 9, Math.floor(i / 9) % 9, Math.floor(i / 81) % 6].map((n) => ' '.repeat(n))
      const source = Buffer.from(`{${gap}"k":"v${i}",${a}"l":${b}1,"d":2${c}}`)
      const head = { id: 'x', routing: undefined, seqNo: i, version: 1, primaryTerm: 1 }
      expect(builder.read(source, reader)).toBe(true)
      if (builder.readValues !== undefined) values++
      expect(source.equals(builder.source(builder.addRead(head, reader)))).toBe(true)
    }
    // There are 486 shapes with 10 MB in all; a builder keeps 1 MB of them.
    expect(values).toBeGreaterThan(20)
    expect(values).toBeLessThan(100)
  })

  it('are refused when they only look valid', () => {
    const reader = new PlanReader(bytePlan(Mapping.create({ properties }))!)
    const builder = new SegmentBuilder('s')
    const reads = (json: string | Buffer) => builder.read(Buffer.from(json), reader)
    expect(reads('{"k":"a\\nb","l":1}')).toBe(true)
    builder.addRead({ id: '1', routing: undefined, seqNo: 0, version: 1, primaryTerm: 1 }, reader)
    for (const json of [
      '{"k":"a\nb"}',
      '{"l":01}',
      '{"l":1.}',
      '{"l":.5}',
      '{"l":+1}',
      '{"k":"a"',
      '{"k":"a}',
      '{"k":tru}',
      '{"k":"a",}',
      '{,}',
      '{"k" "a"}',
      '{"k":"a"}}',
      '{"k":"a"} x',
      '{"l":1e}',
      '[{"k":"a"}]',
      '{"t":["a",]}',
      '{"t":[,"a"]}',
      '\ufeff{"k":"a"}',
      '{"k":"\\x"}',
      '{"k":"\\u12"}',
      '',
    ])
      expect([json, reads(json)]).toEqual([json, false])
    expect(reads(Buffer.concat([Buffer.from('{"k":"'), Buffer.from([0xff]), Buffer.from('"}')]))).toBe(false)
    // Of duplicate members the last one counts.
    expect(reads('{"k":"a","k":"b"}')).toBe(false)
    expect(reads('{"o":{"n":1},"o":{}}')).toBe(false)
  })
})
