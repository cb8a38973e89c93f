import { describe, expect, it } from 'vitest'
import type { GraphEdge, GraphVertex } from '../api/node-stats.ts'
import { type Item, structureOf } from './structure.ts'

/** A source as nested lists: a text is a plugin, an array is `[condition, yes, no]`. */
type Source = readonly (string | readonly [condition: string, yes: Source, no: Source])[]

/** Joins vertices as the node does: each to all exits of what stands before it. */
function graphOf(inputs: readonly string[], filters: Source, outputs: Source) {
  const vertices: GraphVertex[] = []
  const edges: GraphEdge[] = []
  type Exit = { from: string; when?: boolean }
  const add = (vertex: Partial<GraphVertex> & { id: string }, entries: readonly Exit[]) => {
    vertices.push({ explicit_id: false, meta: null, type: 'plugin', ...vertex })
    for (const entry of entries) edges.push({ ...entry, to: vertex.id })
  }
  const walk = (source: Source, entries: readonly Exit[], kind: 'filter' | 'output'): readonly Exit[] => {
    let open = entries
    const left: Exit[] = []
    for (const item of source) {
      let exits: readonly Exit[]
      if (typeof item === 'string') {
        add({ id: item, config_name: item, plugin_type: kind }, open)
        exits = [{ from: item }]
      } else {
        const [condition, yes, no] = item
        const id = `if ${condition}`
        add({ id, type: 'if', condition }, open)
        exits = [true, false].flatMap((when) => {
          const body = when ? yes : no
          return body.length === 0 ? [{ from: id, when }] : walk(body, [{ from: id, when }], kind)
        })
      }
      if (kind === 'filter') open = exits
      else left.push(...exits)
    }
    return kind === 'filter' ? open : left
  }
  for (const id of inputs) add({ id, config_name: id, plugin_type: 'input' }, [])
  add(
    { id: 'queue', type: 'queue' },
    inputs.map((from) => ({ from })),
  )
  const filtered = walk(filters, [{ from: 'queue' }], 'filter')
  walk(outputs, filtered, 'output')
  return structureOf(vertices, edges)
}

/** Back to nested lists, with `else if` written out as branches. */
function shown(items: readonly Item[]): unknown[] {
  return items.map((item) =>
    item.kind === 'plugin'
      ? item.vertex.id
      : item.branches.map(({ condition, items: inner }) => [condition ?? 'else', shown(inner)]),
  )
}

describe('structureOf', () => {
  it('finds sections in source order', () => {
    const { inputs, filters, outputs } = graphOf(['tcp', 'http'], ['grok', 'date'], ['es', 'stdout'])
    expect(inputs.map(({ id }) => id)).toEqual(['tcp', 'http'])
    expect(shown(filters)).toEqual(['grok', 'date'])
    expect(shown(outputs)).toEqual(['es', 'stdout'])
  })

  it('nests conditions, and reads a condition alone in an else as else if', () => {
    const { filters } = graphOf(
      ['in'],
      [['a', ['f1', ['b', ['f2'], []], 'f3'], [['c', ['f4'], ['f5', 'f6']]]], ['d', [], ['f7']], 'f8'],
      ['out'],
    )
    expect(shown(filters)).toEqual([
      [
        ['a', ['f1', [['b', ['f2']]], 'f3']],
        ['c', ['f4']],
        ['else', ['f5', 'f6']],
      ],
      [
        ['d', []],
        ['else', ['f7']],
      ],
      'f8',
    ])
  })

  it('keeps a condition that ends the filters apart from the outputs', () => {
    const { filters, outputs } = graphOf(
      ['in'],
      [['x', ['drop'], []]],
      [['y', ['es', 'kafka'], ['file']], 'stdout'],
    )
    expect(shown(filters)).toEqual([[['x', ['drop']]]])
    expect(shown(outputs)).toEqual([
      [
        ['y', ['es', 'kafka']],
        ['else', ['file']],
      ],
      'stdout',
    ])
  })

  it('shows a pipeline without filters, and one of hundreds of conditions', () => {
    expect(shown(graphOf(['in'], [], ['out']).outputs)).toEqual(['out'])
    const many: Source = Array.from({ length: 300 }, (_, n) => [`c${n}`, [`f${n}`], []] as const)
    expect(graphOf(['in'], many, ['out']).filters).toHaveLength(300)
  })
})
