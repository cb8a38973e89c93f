/**
 * A pipeline as a graph for monitoring: inputs side by side into the queue, filters one after another, outputs
 * side by side behind the last of them. An `if` has an edge for true and one for false; a branch without
 * plugins goes on to whatever comes next. Ids are Logstash's: those of plugins and conditions from their
 * source text (source.ts), that of an edge from the ids it joins.
 */
import type { Place } from '../../lang/ast.ts'
import type { IfStage, Plan, PlannedPlugin, Stage } from './plan.ts'
import { type SourcePart, sha256 } from './source.ts'

/** Where a vertex stands in the configuration. The text itself is left out: it may hold secrets. */
interface VertexSource {
  protocol: string
  id: string
  line: number
  column: number
}

interface CommonVertex {
  id: string
  explicit_id: boolean
  meta: { source: VertexSource } | null
}

type GraphVertex =
  | (CommonVertex & { type: 'plugin'; config_name: string; plugin_type: 'input' | 'filter' | 'output' })
  | (CommonVertex & { type: 'if'; condition: string })
  | (CommonVertex & { type: 'queue' })

export interface GraphEdge {
  id: string
  from: string
  to: string
  type: 'plain' | 'boolean'
  when?: boolean
}

export interface PipelineGraph {
  vertices: GraphVertex[]
  edges: GraphEdge[]
}

/** A vertex whose events have not been told where to go, and which of them. */
interface Exit {
  from: string
  when: boolean | undefined
}

const queue = '__QUEUE__'

export function graphOf(plan: Plan): PipelineGraph {
  const graph = new GraphBuilder()
  for (const plugin of plan.inputs) graph.plugin(plugin, [])
  graph.vertices.push({ id: queue, explicit_id: false, type: 'queue', meta: null })
  graph.join(
    plan.inputs.map(({ id }) => ({ from: id, when: undefined })),
    queue,
  )
  const filtered = graph.sequence(plan.filters, [{ from: queue, when: undefined }])
  graph.parallel(plan.outputs, filtered)
  return { vertices: graph.vertices, edges: graph.edges }
}

class GraphBuilder {
  readonly vertices: GraphVertex[] = []
  readonly edges: GraphEdge[] = []

  /** Each stage follows the one before it. */
  sequence(stages: readonly Stage[], entries: readonly Exit[]): readonly Exit[] {
    let exits = entries
    for (const stage of stages) {
      exits =
        stage.kind === 'plugin'
          ? this.plugin(stage.plugin, exits)
          : this.#condition(stage, exits, (body, from) => this.sequence(body, from))
    }
    return exits
  }

  /** Every stage follows the same entries. */
  parallel(stages: readonly Stage[], entries: readonly Exit[]): readonly Exit[] {
    return stages.flatMap((stage) =>
      stage.kind === 'plugin'
        ? this.plugin(stage.plugin, entries)
        : this.#condition(stage, entries, (body, from) => this.parallel(body, from)),
    )
  }

  plugin({ id, explicitId, type, name, part, node }: PlannedPlugin, entries: readonly Exit[]): Exit[] {
    this.vertices.push({
      id,
      explicit_id: explicitId,
      type: 'plugin',
      config_name: name,
      plugin_type: type,
      meta: { source: sourceOf(part, node.place) },
    })
    this.join(entries, id)
    return [{ from: id, when: undefined }]
  }

  #condition(
    { id, condition: { place }, part, matching, otherwise }: IfStage,
    entries: readonly Exit[],
    body: (stages: readonly Stage[], from: readonly Exit[]) => readonly Exit[],
  ): Exit[] {
    this.vertices.push({
      id,
      explicit_id: false,
      type: 'if',
      condition: part.text.slice(place.start, place.end),
      meta: { source: sourceOf(part, place) },
    })
    this.join(entries, id)
    return [true, false].flatMap((when) => {
      const entry = { from: id, when }
      const stages = when ? matching : otherwise
      return stages.length === 0 ? [entry] : body(stages, [entry])
    })
  }

  join(exits: readonly Exit[], to: string): void {
    for (const { from, when } of exits) {
      const id = sha256(`${from}->${to}`)
      this.edges.push(
        when === undefined ? { id, from, to, type: 'plain' } : { id, from, to, type: 'boolean', when },
      )
    }
  }
}

function sourceOf({ protocol, id }: SourcePart, { line, column }: Place): VertexSource {
  return { protocol, id, line, column }
}
