/**
 * Inputs whose records wait in a persisted queue although the configuration has them no more. Records wait undecoded,
 * so the texts of the configurations they came from are kept beside them, and what decodes them is made from those.
 */
import { createHash } from 'node:crypto'
import { buildPlan, type Plan, type PlannedPlugin, type PlanOptions } from '../plan/plan.ts'
import type { SourcePart } from '../plan/source.ts'
import type { InputNames } from './frame-record.ts'
import { inputIdentity } from './input-identity.ts'

/** Names what decodes the records of an input: the plugin with the options as they are written. */
export function inputKey(plugin: PlannedPlugin): string {
  const digest = createHash('sha256').update(inputIdentity(plugin)).digest('base64url')
  return `${plugin.name}:${digest.slice(0, 16)}`
}

/** For records of nobody knows which input: texts as they are, and events that need no decoding. */
const unknownInput: SourcePart = {
  protocol: 'string',
  id: 'unknown_input',
  text: 'input { stdin { codec => plain } }',
}

/** The inputs of `sources` that `plan` lacks; the last one decodes what none of the others does. */
export async function formerInputs(
  plan: Plan,
  sources: readonly (readonly SourcePart[])[],
  options: PlanOptions,
): Promise<PlannedPlugin[]> {
  const known = new Set(plan.inputs.map(inputKey))
  const former: PlannedPlugin[] = []
  for (const parts of sources) {
    const { draft } = await buildPlan(parts, options)
    for (const input of draft.inputs) {
      const key = inputKey(input)
      if (known.has(key)) continue
      known.add(key)
      former.push({ ...input, id: `former ${key}` })
    }
  }
  const { draft } = await buildPlan([unknownInput], options)
  former.push({ ...draft.inputs[0]!, id: 'former unknown' })
  return former
}

/** Positions among the inputs of the plan and the former ones. */
export class PlannedInputNames implements InputNames {
  #keys: readonly string[] = []
  #positions: ReadonlyMap<string, number> = new Map()
  #unknown = -1

  use(plan: Plan): void {
    const all = [...plan.inputs, ...plan.former]
    this.#keys = all.map(inputKey)
    this.#unknown = all.length - 1
    // The first of two that are the same.
    this.#positions = new Map([...this.#keys.entries()].reverse().map(([position, key]) => [key, position]))
  }

  idOf(input: number): string {
    return this.#keys[input] ?? ''
  }

  positionOf(id: string): number {
    return this.#positions.get(id) ?? this.#unknown
  }
}
