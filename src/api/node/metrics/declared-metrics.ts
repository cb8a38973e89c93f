/**
 * What a plugin declares about itself, as it is shown: counters, and numbers that follow from its options. A dot
 * in a name makes an object (`documents.successes`); `ext.` goes to our own additions, where the names 0, 1, 2, …
 * make a list.
 */
import type { Board } from '../../../metrics/board.ts'
import { metricKey } from '../../../metrics/pipeline-keys.ts'
import type { PluginSummary } from '../../../threads/messages.ts'
import type { Body } from '../envelope.ts'

/** A name may be any text, so objects are made at the end only. */
type Tree = Map<string, Tree | number>

interface Declared {
  readonly ext?: Body
  readonly [name: string]: unknown
}

export function declaredMetrics(
  { id, metrics, facts = {} }: Pick<PluginSummary, 'id' | 'metrics' | 'facts'>,
  board: Board | undefined,
): Declared {
  const tree: Tree = new Map()
  for (const metric of metrics)
    put(tree, metric.split('.'), Math.trunc(board?.sum(metricKey(id, metric)) ?? 0))
  for (const [name, fact] of Object.entries(facts)) {
    if (typeof fact === 'number') put(tree, [name], fact)
    else for (const [member, value] of Object.entries(fact)) put(tree, [name, member], value)
  }
  return shown(tree, false) as Declared
}

/** A name that is a number already cannot hold others: what comes second is left out. */
function put(tree: Tree, path: readonly string[], value: number): void {
  let place = tree
  for (const part of path.slice(0, -1)) {
    const next = place.get(part) ?? new Map()
    if (typeof next === 'number') return
    place.set(part, next)
    place = next
  }
  const last = path[path.length - 1] ?? ''
  if (!place.has(last)) place.set(last, value)
}

function shown(tree: Tree, hasLists: boolean): unknown {
  const entries = [...tree].map(([name, value]): [string, unknown] => [
    name,
    typeof value === 'number' ? value : shown(value, hasLists || name === 'ext'),
  ])
  const isList = hasLists && entries.length > 0 && entries.every(([name], index) => name === String(index))
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}
