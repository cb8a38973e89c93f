import { describe, expect, it } from 'vitest'
import { Registry } from '../../plugin/registry.ts'
import { catalogue } from '../../plugins/catalogue.ts'
import { type GraphEdge, graphOf, type PipelineGraph } from './graph.ts'
import { buildPlan } from './plan.ts'
import { sha256 } from './source.ts'

async function graph(text: string): Promise<PipelineGraph> {
  const { plan, diagnostics } = await buildPlan([{ protocol: 'file', id: '/etc/main.conf', text }], {
    registry: new Registry(catalogue, { roots: [] }),
    ecs: 'disabled',
    conditions: 'logstash',
    escapeAware: false,
    strict: false,
    supportEscapes: false,
    substitute: (value) => value,
    substituteId: (value) => value,
  })
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  return graphOf(plan!)
}

/** Edges as text; conditions stand for their ids. */
function drawn({ vertices, edges }: PipelineGraph): string[] {
  const names = new Map(
    vertices.map((vertex) => [vertex.id, vertex.type === 'if' ? vertex.condition : vertex.id]),
  )
  const arrow = ({ type, when }: GraphEdge) => (type === 'plain' ? '->' : `-${when}->`)
  return edges.map((edge) => `${names.get(edge.from)} ${arrow(edge)} ${names.get(edge.to)}`)
}

describe('the graph of a pipeline', () => {
  it('leads inputs to the queue, filters in a row and outputs side by side', async () => {
    const { vertices, edges } = await graph(
      'input { generator { id => "a" } stdin { id => "b" } }\nfilter { mutate { id => "c" } drop { id => "d" } }\n' +
        'output { stdout { id => "e" } null { id => "f" } }',
    )
    expect(drawn({ vertices, edges })).toEqual([
      'a -> __QUEUE__',
      'b -> __QUEUE__',
      '__QUEUE__ -> c',
      'c -> d',
      'd -> e',
      'd -> f',
    ])
    expect(vertices.map(({ id }) => id)).toEqual(['a', 'b', '__QUEUE__', 'c', 'd', 'e', 'f'])
    expect(vertices[2]).toEqual({ id: '__QUEUE__', explicit_id: false, type: 'queue', meta: null })
    expect(vertices[3]).toEqual({
      id: 'c',
      explicit_id: true,
      type: 'plugin',
      config_name: 'mutate',
      plugin_type: 'filter',
      meta: { source: { protocol: 'file', id: '/etc/main.conf', line: 2, column: 10 } },
    })
  })

  it('joins the queue to the outputs when there are no filters', async () => {
    expect(drawn(await graph('input { stdin { id => "a" } } output { stdout { id => "b" } }'))).toEqual([
      'a -> __QUEUE__',
      '__QUEUE__ -> b',
    ])
  })

  it('forks at conditions; a branch without plugins goes on to what follows', async () => {
    const drawing = drawn(
      await graph(
        `input { stdin { id => "i" } }
         filter {
           if [x] == 1 { mutate { id => "a" } mutate { id => "b" } }
           else if [y] { drop { id => "c" } }
           mutate { id => "d" }
         }
         output {
           if [z] { stdout { id => "o" } null { id => "p" } } else { null { id => "q" } }
           null { id => "r" }
         }`,
      ),
    )
    expect(drawing).toEqual([
      'i -> __QUEUE__',
      '__QUEUE__ -> [x] == 1',
      '[x] == 1 -true-> a',
      'a -> b',
      '[x] == 1 -false-> [y]',
      '[y] -true-> c',
      'b -> d',
      'c -> d',
      '[y] -false-> d',
      'd -> [z]',
      '[z] -true-> o',
      '[z] -true-> p',
      '[z] -false-> q',
      'd -> r',
    ])
  })

  it('leads from a condition at the end of the filters to every output', async () => {
    const drawing = drawn(
      await graph(
        'input { stdin { id => "i" } } filter { if [a] { drop { id => "x" } } } output { null { id => "o" } null { id => "p" } }',
      ),
    )
    expect(drawing.slice(3)).toEqual(['x -> o', '[a] -false-> o', 'x -> p', '[a] -false-> p'])
  })

  it('has the ids of Logstash: of edges too', async () => {
    const { vertices, edges } = await graph('input { stdin {} } output { stdout {} }')
    expect(vertices[0]?.id).toMatch(/^[0-9a-f]{64}$/)
    for (const { id, from, to } of edges) expect(id).toBe(sha256(`${from}->${to}`))
    // As recorded from a Logstash 8 node.
    const [queue, stage] = ['__QUEUE__', 'e24d45cc4f3bb9981356480856120ed5f68127abbc3af7f47e7bca32460e5019']
    expect(sha256(`${queue}->${stage}`)).toBe(
      'cb33f8fb7611e31a2c1751b74cdedf5b8cdb96ea46b812a2541e2db4f13dca10',
    )
  })
})
