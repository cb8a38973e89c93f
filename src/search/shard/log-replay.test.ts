/** A shard replayed from its log against one that was never closed: their segments must have equal content. */
import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { MemoryFiles } from '../../storage/memory-files.ts'
import { bytePlan } from '../mapping/documents/byte-plan.ts'
import { PlanReader } from '../mapping/documents/byte-reader.ts'
import { parseDocument } from '../mapping/documents/document-parser.ts'
import { Mapping } from '../mapping/mapping.ts'
import { contentOf } from '../mapping/test-content.ts'
import { SourceShape } from '../segment/writer/source-shape.ts'
import { Shard, type ShardOptions } from './shard.ts'

const mapping = Mapping.create({
  properties: {
    t: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } },
    k: { type: 'keyword' },
    n: { type: 'double' },
    l: { type: 'long' },
    on: { type: 'boolean' },
    at: { type: 'date' },
    ip: { type: 'ip' },
    o: { properties: { k: { type: 'keyword' } } },
  },
})

afterEach(() => {
  vi.restoreAllMocks()
})

/** Every shard learns shapes by itself. */
function open(files: MemoryFiles): Shard {
  const reader = new PlanReader(bytePlan(mapping)!)
  const options: ShardOptions = {
    files,
    directory: 'shard',
    index: 'i',
    shard: 0,
    parse: (id, source) => {
      const raw = Buffer.from(source)
      return parseDocument({ id, source: JSON.parse(raw.toString()), raw }, mapping)
    },
    reader: () => reader,
  }
  return files.exists('shard/MANIFEST') ? Shard.open(options) : Shard.create(options)
}

function put(shard: Shard, id: string, json: string, reader: PlanReader): void {
  const source = new Uint8Array(Buffer.from(json))
  const version = (shard.state(id)?.version ?? 0) + 1
  const head = { kind: 'index' as const, id, routing: undefined, primaryTerm: 1, version }
  const operation = { ...head, seqNo: shard.nextSeqNo(), source }
  if (shard.addBytes(operation, reader, false)) return
  const parsed = parseDocument({ id, source: JSON.parse(json), raw: Buffer.from(source) }, mapping)
  shard.add(operation, parsed)
}

async function written(shard: Shard) {
  await shard.merge(true)
  return shard.reader().leaves.map(({ segment, live }) => ({
    ...contentOf(segment),
    live,
    documents: Array.from({ length: segment.docCount }, (_, doc) => [
      segment.id(doc),
      Buffer.from(segment.source(doc)).toString(),
      segment.versions[doc],
      segment.seqNos[doc],
    ]),
  }))
}

const text = fc.array(fc.constantFrom('a', 'é', '"', '\\', 'error', '漢字', '😀', '\n'), { maxLength: 6 })
const document = fc.record({
  t: text.map((words) => words.join(' ')),
  k: fc.oneof(fc.constantFrom('x', ''), fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 })),
  n: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(1.5, 100)),
  l: fc.integer(),
  on: fc.boolean(),
  at: fc.constantFrom('2024-02-29T01:02:03Z', '2024-02-29T01:02:03.123Z', 1_700_000_000_000),
  ip: fc.constantFrom('10.0.0.1', '10.20.30.40', '::1'),
  o: fc.record({ k: fc.constantFrom('x', 'y') }),
})
const someNames = fc.shuffledSubarray(['t', 'k', 'n', 'l', 'on', 'at', 'ip', 'o'], { minLength: 1 })
const step = fc.oneof(
  { weight: 12, arbitrary: fc.record({ document, id: fc.nat(30), isOfFirst: fc.boolean() }) },
  fc.constantFrom('commit' as const, 'flush' as const),
)

it('restores everything that was logged, byte for byte', async () => {
  const values = vi.spyOn(PlanReader.prototype, 'readValues')
  const steps = fc.array(step, { minLength: 1, maxLength: 80, size: 'max' })
  await fc.assert(
    fc.asyncProperty(steps, someNames, someNames, fc.boolean(), async (given, first, second, isSpaced) => {
      const files = new MemoryFiles()
      const shard = open(files)
      const reader = new PlanReader(bytePlan(mapping)!)
      for (const one of given) {
        if (one === 'commit') await shard.commit()
        else if (one === 'flush') await shard.flush()
        else {
          const json = JSON.stringify(one.document, one.isOfFirst ? first : second, isSpaced ? 1 : 0)
          put(shard, `${one.id}`, json, reader)
        }
      }
      await shard.commit()
      const after = open(files.crash())
      expect(await written(after)).toEqual(await written(shard))
    }),
    { numRuns: 100 },
  )
  expect(values.mock.results.filter((result) => result.value === true).length).toBeGreaterThan(200)
})

it('restores the JSON of only one document per shape', async () => {
  const files = new MemoryFiles()
  const shard = open(files)
  const reader = new PlanReader(bytePlan(mapping)!)
  for (let i = 0; i < 1000; i++) put(shard, `${i}`, `{"k":"x${i}","l":${i}}`, reader)
  await shard.commit()
  const made = vi.spyOn(SourceShape.prototype, 'document')
  const after = open(files.crash())
  expect(made.mock.calls.length).toBe(1)
  expect(Buffer.from(after.get('999')!.source).toString()).toBe('{"k":"x999","l":999}')
  expect(await written(after)).toEqual(await written(shard))
})
