import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteWriter } from '../segment/encoding/byte-writer.ts'
import { expandSource, SourceShape, type SourceValues } from '../segment/writer/source-shape.ts'
import { type FrameShapes, type LoggedOperation, readOperations, writeOperation } from './operation.ts'

const shapes = ['a', 'bé', 'c'].map(
  (name) => new SourceShape([`{"${name}":"`, ',"n":', '}'].map((part) => new Uint8Array(Buffer.from(part)))),
)

const operation = fc.record({
  replaced: fc.option(fc.maxSafeNat(), { nil: null }),
  kind: fc.constantFrom('index' as const, 'delete' as const),
  id: fc.oneof(
    fc.string({ maxLength: 40, unit: 'binary' }).map((id) => Buffer.from(id).toString()),
    fc.constant('\ufeffafter a byte order mark'),
  ),
  routing: fc.option(fc.string({ maxLength: 5 }), { nil: undefined }),
  seqNo: fc.maxSafeNat(),
  primaryTerm: fc.nat(),
  version: fc.maxSafeNat(),
})
const given = fc.record({
  operation,
  shape: fc.option(fc.nat(2), { nil: undefined, freq: 3 }),
  text: fc.string({ maxLength: 30, unit: 'grapheme' }).map((text) => JSON.stringify(text).slice(1, -1)),
  number: fc.integer(),
})

/** Returns the operation, and its values at some offset of a larger memory if it has a shape. */
function operationOf({
  operation: head,
  shape: number,
  text,
  number: n,
}: typeof given extends fc.Arbitrary<infer T> ? T : never) {
  const shape = head.kind === 'delete' || number === undefined ? undefined : shapes[number]
  if (shape === undefined) {
    const source = head.kind === 'delete' ? '' : JSON.stringify({ text, n })
    return { operation: { ...head, source: new Uint8Array(Buffer.from(source)) }, values: undefined }
  }
  const memory = new Uint8Array(Buffer.from(`before${text}"${n},and behind`))
  const length = memory.length - 16
  const values: SourceValues = { shape, view: new DataView(memory.buffer), start: 6, length }
  return { operation: { ...head, source: shape.document(memory.subarray(6, 6 + length)) }, values }
}

const plain = ({ source, ...rest }: LoggedOperation) => ({
  ...rest,
  source: Buffer.from(expandSource(source)).toString(),
})

describe('operations in the write-ahead log', () => {
  it('round-trip, whole or as values', () => {
    fc.assert(
      fc.property(fc.array(given, { maxLength: 40 }), (all) => {
        const writer = new ByteWriter()
        const known: FrameShapes = new Map()
        const written = all.map(operationOf)
        for (const { operation: one, values } of written)
          writeOperation(writer, known, one, one.replaced, values)
        expect(readOperations(writer.finish()).map(plain)).toEqual(
          written.map(({ operation: one }) => plain(one)),
        )
      }),
    )
  })

  it('define a shape once per frame', () => {
    const writer = new ByteWriter()
    const known: FrameShapes = new Map()
    const shape = new SourceShape(
      [`{"${'name'.repeat(100)}":"`, '}'].map((part) => new Uint8Array(Buffer.from(part))),
    )
    const memory = new Uint8Array(Buffer.from('x"and behind'))
    const values: SourceValues = { shape, view: new DataView(memory.buffer), start: 0, length: 2 }
    const source = shape.document(memory.subarray(0, 2))
    const numbers = { seqNo: 1, primaryTerm: 1, version: 1 }
    const head = { kind: 'index', id: 'i', routing: undefined, replaced: null, ...numbers } as const
    const sizes = [0, 1, 2, 3].map(() => {
      const before = writer.length
      writeOperation(writer, known, { ...head, source }, null, values)
      return writer.length - before
    })
    expect(sizes.map((size) => size > 400)).toEqual([true, true, false, false])
    expect(readOperations(writer.finish()).map(plain)).toEqual(Array(4).fill(plain({ ...head, source })))
  })

  it('have no replaced sequence number in older logs', () => {
    const [index, deletion] = readOperations(
      new Uint8Array([0, 5, 1, 1, 1, 105, 0, 2, 123, 125, 1, 6, 1, 2, 1, 105, 0, 0]),
    )
    expect(index).toMatchObject({ kind: 'index', seqNo: 5, version: 1, id: 'i', replaced: undefined })
    expect(deletion).toMatchObject({ kind: 'delete', seqNo: 6, version: 2, id: 'i', replaced: undefined })
  })

  it('refuse unknown shape numbers and kinds', () => {
    const head = [1, 1, 1, 1, 105, 0]
    expect(() => readOperations(new Uint8Array([3, ...head, 0, 0]))).toThrow('unknown shape')
    expect(() => readOperations(new Uint8Array([7, ...head, 0, 0]))).toThrow('unknown shape')
    expect(() => readOperations(new Uint8Array([12, ...head, 0, 0]))).toThrow('unknown kind')
    expect(() => readOperations(new Uint8Array([2, ...head, 2, 1]))).toThrow(RangeError)
  })
})
