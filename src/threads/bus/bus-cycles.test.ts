import { describe, expect, it } from 'vitest'
import { type Connection, cyclicConnections } from './bus-cycles.ts'

function connectionsOf(text: string): Connection<string>[] {
  return text.split(' ').map((arrow) => {
    const [from, to] = arrow.split(/->|=>/) as [string, string]
    return { from, to, waitsForOutputs: arrow.includes('->') }
  })
}

/** `a->b`: b keeps its events in memory; `a=>b`: on disk. */
function cyclicOf(text: string): string[] {
  return [...cyclicConnections(connectionsOf(text))].map(({ from, to }) => `${from}->${to}`)
}

describe('connections on a cycle', () => {
  it.each([
    ['a->b b->c a->c', []],
    ['a->b b->a', ['a->b', 'b->a']],
    ['a->a', ['a->a']],
    ['in->a a->b b->c c->a c->out', ['a->b', 'b->c', 'c->a']],
    ['a->b b->d a->c c->d', []],
    ['a->b a->b b->a', ['a->b', 'a->b', 'b->a']],
  ])('of %s are found', (text, cyclic) => {
    expect(cyclicOf(text)).toEqual(cyclic)
  })

  it.each([['a=>b b->a'], ['a=>a'], ['a->b b=>c c->a']])(
    'wait for nobody where a receiver keeps its events on disk: %s',
    (text) => {
      expect(cyclicOf(text)).toEqual([])
    },
  )
})
