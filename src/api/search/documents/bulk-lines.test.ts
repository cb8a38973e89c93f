import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseBulk } from './bulk-lines.ts'

const defaults = {
  index: undefined,
  routing: undefined,
  pipeline: undefined,
  requireAlias: false,
  shownSource: undefined,
  allowsType: false,
  json: 'jackson3' as const,
}

const id = fc.oneof(fc.constantFrom('1', 'a b', 'é', 'x"y', '"_id":"z', '\\', '_id', ''), fc.string())
const metadata = fc.record(
  { _index: fc.constantFrom('logs', 'other', '"_id":"q"'), _id: id, routing: fc.constantFrom('r', '1') },
  { requiredKeys: ['_index'] },
)
const action = fc
  .tuple(fc.constantFrom('index', 'create', 'delete'), metadata, fc.nat(3))
  .map(([kind, members, n]) => ({ kind, members, source: kind === 'delete' ? '' : `{"n":${n}}` }))

it('reads every action line, also those that differ from the one before in the id alone', () => {
  fc.assert(
    fc.property(fc.array(action, { minLength: 1, maxLength: 12 }), (actions) => {
      const body = actions.map(
        ({ kind, members, source }) =>
          `${JSON.stringify({ [kind]: members })}\n${kind === 'delete' ? '' : `${source}\n`}`,
      )
      const read = [...parseBulk(Buffer.from(body.join('')), defaults)]
      expect(
        read.map(({ kind, index, id, routing, source }) => ({
          kind,
          members: {
            _index: index,
            ...(id !== undefined && { _id: id }),
            ...(routing !== undefined && { routing }),
          },
          source: source.toString(),
        })),
      ).toEqual(actions)
    }),
    { numRuns: 500 },
  )
})

it('does not take an id for one when the line goes on differently', () => {
  const lines = (second: string) =>
    `{"index":{"_index":"x","_id":"1"}}\n{}\n{"index":{"_index":"x","_id":"2"${second}}}\n{}\n`
  const read = (second: string) => [...parseBulk(Buffer.from(lines(second)), defaults)]
  expect(read(',"routing":"r"').map((one) => [one.id, one.routing])).toEqual([
    ['1', undefined],
    ['2', 'r'],
  ])
  expect(() => read(',"wrong":1')).toThrow('unknown parameter [wrong]')
  expect(() => read(' x')).toThrow()
})

it.each(['"version":3', '"version_type":"external"'])('refuses updates with %s', (member) => {
  const lines = `{"update":{"_index":"x","_id":"1",${member}}}\n{"doc":{}}\n`
  expect(() => [...parseBulk(Buffer.from(lines), defaults)]).toThrow(
    'Update requests do not support versioning. Please use `if_seq_no` and `if_primary_term` instead',
  )
})
