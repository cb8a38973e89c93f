/**
 * A pipeline's graph as the nested list its source is. The node writes vertices in source order, and joins each to the
 * exits of what stands before it; so a vertex that is entered from exactly the open exits is the next one of its list.
 */
import type { GraphEdge, GraphVertex } from '../api/node-stats.ts'

interface PluginItem {
  readonly kind: 'plugin'
  readonly vertex: GraphVertex
}

interface BranchItem {
  readonly kind: 'branches'
  readonly id: string
  /** `if`, any number of `else if`, perhaps `else`, which has no condition. */
  readonly branches: readonly Branch[]
}

interface Branch {
  readonly condition: string | undefined
  readonly items: readonly Item[]
}

export type Item = PluginItem | BranchItem

export interface Structure {
  readonly inputs: readonly GraphVertex[]
  readonly filters: readonly Item[]
  readonly outputs: readonly Item[]
}

/** A vertex, and on which of its sides, as text. */
type Exits = ReadonlySet<string>

export function structureOf(vertices: readonly GraphVertex[], edges: readonly GraphEdge[]): Structure {
  const inputs = vertices.filter(({ plugin_type }) => plugin_type === 'input')
  const queueAt = vertices.findIndex(({ type }) => type === 'queue')
  const lastFilter = vertices.findLastIndex(({ plugin_type }) => plugin_type === 'filter')
  const reader = new StructureReader(vertices, edges)
  const start: Exits = new Set([exitOf(vertices[queueAt]?.id ?? '', undefined)])
  reader.at = queueAt + 1
  const { items: filters, exits } = reader.list(start, Math.max(queueAt, lastFilter) + 1, true)
  const { items: outputs } = reader.list(exits, vertices.length, false)
  return { inputs, filters, outputs }
}

class StructureReader {
  at = 0
  readonly #vertices: readonly GraphVertex[]
  readonly #entries = new Map<string, Set<string>>()

  constructor(vertices: readonly GraphVertex[], edges: readonly GraphEdge[]) {
    this.#vertices = vertices
    for (const { from, to, when } of edges) {
      const known = this.#entries.get(to)
      if (known === undefined) this.#entries.set(to, new Set([exitOf(from, when)]))
      else known.add(exitOf(from, when))
    }
  }

  /** `isChain`: each follows the one before; otherwise all follow the same exits. */
  list(entries: Exits, end: number, isChain: boolean): { items: Item[]; exits: Exits } {
    const items: Item[] = []
    let open = entries
    const left = new Set<string>()
    while (this.at < end) {
      const vertex = this.#vertices[this.at]!
      if (!isSame(this.#entries.get(vertex.id), open)) break
      this.at += 1
      const exits =
        vertex.type === 'if'
          ? this.#branches(vertex, end, isChain, items)
          : new Set([exitOf(vertex.id, undefined)])
      if (vertex.type !== 'if') items.push({ kind: 'plugin', vertex })
      if (isChain) open = exits
      else for (const exit of exits) left.add(exit)
    }
    return { items, exits: isChain ? open : left }
  }

  #branches(vertex: GraphVertex, end: number, isChain: boolean, into: Item[]): Exits {
    const yes = this.list(new Set([exitOf(vertex.id, true)]), end, isChain)
    const no = this.list(new Set([exitOf(vertex.id, false)]), end, isChain)
    const branches: Branch[] = [{ condition: vertex.condition ?? '', items: yes.items }]
    const [only] = no.items
    if (no.items.length === 1 && only?.kind === 'branches') branches.push(...only.branches)
    else if (no.items.length > 0) branches.push({ condition: undefined, items: no.items })
    into.push({ kind: 'branches', id: vertex.id, branches })
    // A side without plugins goes on by itself.
    const noExit = exitOf(vertex.id, false)
    const yesExit = exitOf(vertex.id, true)
    return new Set([
      ...(yes.items.length === 0 ? [yesExit] : yes.exits),
      ...(no.items.length === 0 ? [noExit] : no.exits),
    ])
  }
}

function exitOf(id: string, when: boolean | undefined): string {
  return `${when === undefined ? '' : when} ${id}`
}

function isSame(a: Exits | undefined, b: Exits): boolean {
  if (a === undefined || a.size !== b.size) return false
  for (const one of a) if (!b.has(one)) return false
  return true
}
