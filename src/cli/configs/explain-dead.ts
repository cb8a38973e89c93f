/**
 * Parts of a plan that no event can reach, as far as that can be told from the text: a condition that was false already
 * in an outer or earlier branch, one that compares constants, and whatever stands behind an unconditional drop.
 */
import type { Condition, Rvalue } from '../../lang/ast.ts'
import { conditionText } from '../../lang/inline-text.ts'
import type { IfStage, Plan, PlannedPlugin, Stage } from '../../pipeline/plan/plan.ts'

interface DeadPart {
  readonly place: string
  readonly why: string
}

/** Conditions known to hold, or not to, on the way to a part. */
interface Known {
  readonly holds: ReadonlySet<string>
  readonly fails: ReadonlySet<string>
}

export function deadParts(plan: Plan): DeadPart[] {
  const nothing: Known = { holds: new Set(), fails: new Set() }
  return [...deadIn(plan.filters, nothing), ...deadIn(plan.outputs, nothing)]
}

function deadIn(stages: readonly Stage[], known: Known): DeadPart[] {
  const found: DeadPart[] = []
  let drop: PlannedPlugin | undefined
  /** Filters may have changed what conditions were about. */
  let current = known
  for (const stage of stages) {
    if (drop !== undefined) {
      found.push({ place: placeOf(stage), why: `stands behind the drop of line ${drop.node.place.line}` })
      continue
    }
    if (stage.kind === 'plugin') {
      if (isDrop(stage.plugin)) drop = stage.plugin
      if (stage.plugin.type === 'filter') current = { holds: new Set(), fails: new Set() }
      continue
    }
    found.push(...deadBranches(stage, current))
    if (hasFilters(stage)) current = { holds: new Set(), fails: new Set() }
  }
  return found
}

function deadBranches(stage: IfStage, known: Known): DeadPart[] {
  const text = conditionText(stage.condition)
  const verdict =
    constantVerdict(stage.condition) ??
    (known.holds.has(text) ? true : known.fails.has(text) ? false : undefined)
  const why =
    constantVerdict(stage.condition) === undefined
      ? `the condition ${text} was decided above`
      : `the condition ${text} compares constants`
  const found: DeadPart[] = []
  if (verdict === false) found.push({ place: placeOf(stage), why: `${why} and never holds` })
  else found.push(...deadIn(stage.matching, { ...known, holds: new Set([...known.holds, text]) }))
  if (verdict === true && stage.otherwise.length > 0)
    found.push({ place: placeOf(stage.otherwise[0]!), why: `${why} and always holds` })
  else found.push(...deadIn(stage.otherwise, { ...known, fails: new Set([...known.fails, text]) }))
  return found
}

/** Without `percentage` it drops every event. */
function isDrop({ type, name, raw }: PlannedPlugin): boolean {
  return type === 'filter' && name === 'drop' && !raw.has('percentage')
}

function hasFilters({ matching, otherwise }: IfStage): boolean {
  return [...matching, ...otherwise].some((stage) =>
    stage.kind === 'if' ? hasFilters(stage) : stage.plugin.type === 'filter',
  )
}

/** Folds a comparison of two string literals; anything else depends on the event. */
function constantVerdict({ first, rest }: Condition): boolean | undefined {
  if (rest.length > 0 || first.kind !== 'compare') return undefined
  const left = textOf(first.left)
  const right = textOf(first.right)
  if (left === undefined || right === undefined) return undefined
  if (first.operator === '==') return left === right
  return first.operator === '!=' ? left !== right : undefined
}

function textOf(value: Rvalue): string | undefined {
  return value.kind === 'string' && !value.text.includes('${') && !value.text.includes('\\')
    ? value.text
    : undefined
}

function placeOf(stage: Stage): string {
  if (stage.kind === 'if') {
    const { line, column } = stage.condition.place
    return `${stage.part.id}:${line}:${column}`
  }
  const { part, node } = stage.plugin
  return `${part.id}:${node.place.line}:${node.place.column}`
}
