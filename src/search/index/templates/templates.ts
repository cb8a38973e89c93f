/**
 * Applies templates to a new index. Of composable templates only the one with the highest priority counts, on top of
 * its component templates; without one, all matching legacy templates are merged by order.
 */
import { illegalArgument } from '../../request/errors.ts'
import { deepMerge, type JsonObject } from '../../request/json-object.ts'
import { simpleMatch } from '../../request/simple-match.ts'
import type { ClusterState, IndexTemplate, TemplateBody } from '../cluster-state.ts'
import { memberOf } from '../cluster-state.ts'
import type { FlatSettings } from '../index-metadata.ts'
import { mergeMappings } from './mapping-merge.ts'

/** Settings, mappings and aliases from templates. */
export interface TemplateResult {
  readonly settings: FlatSettings
  readonly mappings: JsonObject
  /** As sent; `{index}` in names stands for the index. */
  readonly aliases: JsonObject
}

export interface FoundTemplate {
  readonly name: string
  readonly template: IndexTemplate
}

export function matchingTemplate(
  state: ClusterState,
  index: string,
  isHiddenIndex = false,
): FoundTemplate | undefined {
  let best: FoundTemplate | undefined
  for (const [name, template] of Object.entries(state.indexTemplates)) {
    const patterns = isHiddenIndex
      ? template.index_patterns.filter((one) => one !== '*')
      : template.index_patterns
    if (!patterns.some((pattern) => simpleMatch(pattern, index))) continue
    if (best === undefined || (template.priority ?? 0) > (best.template.priority ?? 0))
      best = { name, template }
  }
  return best
}

export function composed(state: ClusterState, template: IndexTemplate): TemplateResult {
  const bodies: TemplateBody[] = []
  for (const name of template.composed_of ?? []) {
    const component = memberOf(state.componentTemplates, name)
    if (component !== undefined) bodies.push(component.template)
    else if (!template.ignore_missing_component_templates?.includes(name))
      throw illegalArgument(`component template [${name}] does not exist`)
  }
  if (template.template !== undefined) bodies.push(template.template)
  if (template.data_stream !== undefined) {
    const timestamp = { properties: { '@timestamp': { type: 'date' } } }
    bodies.unshift({ mappings: timestamp })
  }
  return merged(bodies)
}

/** Returns the matching legacy templates, lowest order first. */
function matchingLegacy(state: ClusterState, index: string, isHiddenIndex = false): string[] {
  return Object.entries(state.legacyTemplates)
    .filter(([, { index_patterns: patterns }]) =>
      patterns.some((pattern) => !(isHiddenIndex && pattern === '*') && simpleMatch(pattern, index)),
    )
    .sort(([, a], [, b]) => a.order - b.order)
    .map(([name]) => name)
}

export function templateResult(state: ClusterState, index: string, isHiddenIndex = false): TemplateResult {
  const found = matchingTemplate(state, index, isHiddenIndex)
  if (found !== undefined) return composed(state, found.template)
  return merged(matchingLegacy(state, index, isHiddenIndex).map((name) => state.legacyTemplates[name]!))
}

function merged(bodies: readonly TemplateBody[]): TemplateResult {
  return {
    settings: Object.fromEntries(bodies.flatMap(({ settings = {} }) => Object.entries(settings))),
    mappings: mergeMappings(bodies.map(({ mappings = {} }) => mappings)),
    aliases: bodies.reduce<JsonObject>((all, { aliases = {} }) => deepMerge(all, aliases), {}),
  }
}

/** Returns templates whose patterns overlap these patterns. */
export function overlapping(
  templates: Readonly<Record<string, { readonly index_patterns: readonly string[] }>>,
  patterns: readonly string[],
  except: string,
): Record<string, readonly string[]> {
  const found: Record<string, readonly string[]> = {}
  for (const [name, template] of Object.entries(templates)) {
    if (name === except) continue
    if (template.index_patterns.some((one) => patterns.some((other) => patternsMeet(one, other))))
      found[name] = template.index_patterns
  }
  return found
}

/**
 * Returns whether two patterns could match one name: the prefix up to the first star and the suffix from the last
 * one must agree, and so must the literals between stars where both have them in the same places.
 */
function patternsMeet(a: string, b: string): boolean {
  if (!a.includes('*')) return simpleMatch(b, a)
  if (!b.includes('*')) return simpleMatch(a, b)
  const [firstA = '', ...restA] = a.split('*')
  const [firstB = '', ...restB] = b.split('*')
  if (!firstA.startsWith(firstB) && !firstB.startsWith(firstA)) return false
  const lastA = restA.at(-1) ?? ''
  const lastB = restB.at(-1) ?? ''
  if (!lastA.endsWith(lastB) && !lastB.endsWith(lastA)) return false
  const middleA = restA.slice(0, -1)
  const middleB = restB.slice(0, -1)
  if (firstA !== firstB || middleA.length !== middleB.length) return true
  return middleA.every((part, index) => {
    const other = middleB[index]!
    return part.includes(other) || other.includes(part)
  })
}

export function conflictingPriority(
  name: string,
  template: IndexTemplate,
  overlaps: Readonly<Record<string, readonly string[]>>,
  state: ClusterState,
): void {
  const priority = template.priority ?? 0
  const same = Object.entries(overlaps).filter(
    ([other]) => (state.indexTemplates[other]?.priority ?? 0) === priority,
  )
  if (same.length === 0) return
  const described = same.map(([other, patterns]) => `${other} => [${patterns.join(', ')}]`).join(', ')
  throw illegalArgument(
    `index template [${name}] has index patterns [${template.index_patterns.join(', ')}] matching patterns from existing templates [${same.map(([other]) => other).join(',')}] with patterns (${described}) that have the same priority [${priority}], multiple index templates may not match during index creation, please use a different priority`,
  )
}
