/**
 * From configuration texts to a plan: every plugin found, validated and given its id, filters and
 * outputs as stages in order. All problems are collected, so that one run of the check reports them all.
 */
import type {
  Attribute,
  BranchNode,
  Condition,
  Place,
  PluginNode,
  Section,
  SectionType,
  Statement,
} from '../../lang/ast.ts'
import type { Diagnostic } from '../../lang/diagnostic.ts'
import { findDuplicateKeys } from '../../lang/duplicate-keys.ts'
import { diagnose } from '../../lang/hints.ts'
import { parseConfig } from '../../lang/parser.ts'
import { findQuirks } from '../../lang/quirks.ts'
import { SyntaxFailure } from '../../lang/syntax-failure.ts'
import type { CodecDefinition, EcsCompatibility, PluginDefinition, PluginType } from '../../plugin/define.ts'
import { codecNames, concernsOf } from '../../plugin/instantiate.ts'
import type { CodecChoice } from '../../plugin/option.ts'
import type { RawValue } from '../../plugin/raw-value.ts'
import type { Registry } from '../../plugin/registry.ts'
import { type OldOption, type StandIn, validateOptions } from '../../plugin/validate.ts'
import { loadPatterns } from '../../regex/late-pattern.ts'
import { type AttributeOptions, readAttributes } from './attributes.ts'
import { ConfigurationError } from './configuration-error.ts'
import { oldSelection } from './old-selection.ts'
import { pipelineHash, type SourcePart, sourceId, vertexIds } from './source.ts'

export interface PlannedPlugin {
  readonly type: SectionType
  readonly name: string
  id: string
  readonly explicitId: boolean
  readonly definition: PluginDefinition
  /** Validated. */
  readonly options: Record<string, unknown>
  /** As configured: tells whether an input is unchanged by a reload. */
  readonly raw: ReadonlyMap<string, RawValue>
  /** Definitions of the codecs it uses, by name. */
  readonly codecs: ReadonlyMap<string, CodecDefinition>
  readonly part: SourcePart
  readonly node: PluginNode
}

interface PluginStage {
  readonly kind: 'plugin'
  readonly plugin: PlannedPlugin
}

export interface IfStage {
  readonly kind: 'if'
  id: string
  readonly condition: Condition
  readonly part: SourcePart
  readonly matching: Stage[]
  readonly otherwise: Stage[]
}

export type Stage = PluginStage | IfStage

export interface Plan {
  readonly hash: string
  readonly parts: readonly SourcePart[]
  readonly inputs: PlannedPlugin[]
  readonly filters: Stage[]
  readonly outputs: Stage[]
  /** Inputs that the texts have no more and whose records still wait in the queue. */
  readonly former: PlannedPlugin[]
}

export interface PlanOptions extends AttributeOptions {
  registry: Registry
  ecs: EcsCompatibility
  conditions: 'logstash' | 'fixed'
  escapeAware: boolean
  /** Refuse options that are no longer supported instead of translating them. */
  strict: boolean
  /** For a check: takes the place of the usual verdict on option values. */
  standIn?: StandIn | undefined
}

interface PlanResult {
  /** Absent when there is an error among the diagnostics. */
  readonly plan: Plan | undefined
  /** The plan without what is wrong in it. */
  readonly draft: Plan
  /** Kinds of sections in the texts that could be read. */
  readonly sections: ReadonlySet<SectionType>
  readonly diagnostics: Diagnostic[]
}

export async function buildPlan(parts: readonly SourcePart[], options: PlanOptions): Promise<PlanResult> {
  const builder = new PlanBuilder(options)
  for (const part of parts) await builder.add(part)
  return builder.finish(parts)
}

/** Also finds it in comments and texts, which does no harm. */
const matchOperator = /[=!]~/

class PlanBuilder {
  readonly diagnostics: Diagnostic[] = []
  readonly #sections = new Set<SectionType>()
  #options: PlanOptions
  #inputs: PlannedPlugin[] = []
  #filters: Stage[] = []
  #outputs: Stage[] = []
  #explicitIds: { id: string; node: PluginNode; part: SourcePart }[] = []
  #vertices: { vertex: PlannedPlugin | IfStage; source: string }[] = []

  constructor(options: PlanOptions) {
    this.#options = options
  }

  async add(part: SourcePart): Promise<void> {
    let sections: Section[]
    try {
      const { config, warnings } = parseConfig(part.text, { escapeAware: this.#options.escapeAware })
      sections = config.sections
      this.#report(part, ...warnings, ...findDuplicateKeys(config, part.text))
      if (this.#options.conditions === 'logstash') this.#report(part, ...findQuirks(config))
    } catch (error) {
      if (!(error instanceof SyntaxFailure)) throw error
      this.#report(part, diagnose(part.text, error))
      return
    }
    if (matchOperator.test(part.text)) await loadPatterns()
    for (const { type, body } of sections) {
      this.#sections.add(type)
      this.#prefetch(type, body)
    }
    for (const section of sections) await this.#section(section, part)
  }

  /** Starts loading every plugin at once; what cannot be loaded is reported when its turn comes. */
  #prefetch(type: SectionType, body: readonly Statement[]): void {
    for (const statement of body) {
      if (statement.kind === 'branch') {
        for (const branch of statement.cases) this.#prefetch(type, branch.body)
        this.#prefetch(type, statement.otherwise ?? [])
      } else void this.#options.registry.prefetch(type, statement.name)
    }
  }

  async #section(section: Section, part: SourcePart): Promise<void> {
    if (section.type === 'input') await this.#inputBody(section.body, part)
    else {
      const stages = await this.#stages(section.body, section.type, part)
      ;(section.type === 'filter' ? this.#filters : this.#outputs).push(...stages)
    }
  }

  /** Conditionals make no sense before there is an event: their plugins count as unconditional. */
  async #inputBody(body: readonly Statement[], part: SourcePart): Promise<void> {
    for (const statement of body) {
      if (statement.kind === 'plugin') {
        const plugin = await this.#plugin(statement, 'input', part)
        if (plugin !== undefined) this.#inputs.push(plugin)
        continue
      }
      this.#report(part, {
        severity: 'warning',
        code: 'conditional_input',
        message:
          'A conditional in the input section has no event to look at; its inputs start unconditionally.',
        ...position(statement),
      })
      for (const branch of statement.cases) await this.#inputBody(branch.body, part)
      await this.#inputBody(statement.otherwise ?? [], part)
    }
  }

  async #stages(body: readonly Statement[], type: SectionType, part: SourcePart): Promise<Stage[]> {
    const stages: Stage[] = []
    for (const statement of body) {
      if (statement.kind === 'branch') {
        const stage = await this.#branch(statement, 0, type, part)
        if (stage !== undefined) stages.push(stage)
      } else {
        const plugin = await this.#plugin(statement, type, part)
        if (plugin !== undefined) stages.push(this.#selecting(plugin))
      }
    }
    return stages
  }

  #selecting(plugin: PlannedPlugin): Stage {
    const { definition, options, part, node } = plugin
    const stage: PluginStage = { kind: 'plugin', plugin }
    const condition = oldSelection(definition, options)
    if (condition === undefined) return stage
    const { place } = node
    const around: IfStage = {
      kind: 'if',
      id: '',
      condition: { ...condition, place },
      part,
      matching: [stage],
      otherwise: [],
    }
    this.#vertices.push({ vertex: around, source: `${sourceId(part, place)} selection` })
    return around
  }

  /** `else if` is an `if` in the else branch. An `if` with nothing in any branch does not exist: it has no id. */
  async #branch(
    node: BranchNode,
    index: number,
    type: SectionType,
    part: SourcePart,
  ): Promise<IfStage | undefined> {
    const { condition, body } = node.cases[index]!
    const matching = await this.#stages(body, type, part)
    const otherwise: Stage[] = []
    if (index + 1 < node.cases.length) {
      const next = await this.#branch(node, index + 1, type, part)
      if (next !== undefined) otherwise.push(next)
    } else {
      otherwise.push(...(await this.#stages(node.otherwise ?? [], type, part)))
    }
    if (matching.length === 0 && otherwise.length === 0) return undefined
    const stage: IfStage = { kind: 'if', id: '', condition, part, matching, otherwise }
    this.#vertices.push({ vertex: stage, source: sourceId(part, condition.place) })
    return stage
  }

  async #plugin(node: PluginNode, type: SectionType, part: SourcePart): Promise<PlannedPlugin | undefined> {
    let raw: Map<string, RawValue>
    try {
      raw = readAttributes(node, type, this.#options)
    } catch (error) {
      this.#report(part, problem(error as Error, node))
      return undefined
    }
    const id = raw.get('id')
    if (typeof id === 'string') this.#explicitIds.push({ id, node, part })
    const definition = await this.#find(type, node.name, node, part)
    if (definition === undefined) return undefined
    const { options, problems, warnings, suspicions } = validateOptions(definition, raw, {
      ecs: this.#options.ecs,
      strict: this.#options.strict,
      standIn: this.#options.standIn,
    })
    for (const { option, ...rest } of problems) {
      const attribute = node.attributes.find(({ name }) => name === option) ?? node
      const subject = `${type} ${node.name}: ${option}`
      this.#report(part, { severity: 'error', subject, ...rest, ...position(attribute) })
    }
    for (const { option, message } of suspicions) {
      const attribute = node.attributes.find(({ name }) => name === option) ?? node
      const hint = 'Every event fails at this option.'
      this.#report(part, {
        severity: 'warning',
        code: 'field_reference',
        message,
        hint,
        ...position(attribute),
      })
    }
    this.#reportOld(part, `${type} ${node.name}`, warnings, node)
    if (options === undefined) return undefined
    for (const concern of concernsOf(definition, options, this.#options.ecs)) {
      const attribute = node.attributes.find(({ name }) => name === concern.option) ?? node
      const { message, hint, fatal } = concern
      this.#report(part, {
        severity: 'warning',
        code: fatal ? 'will_not_start' : 'concern',
        message,
        subject: `${type} ${node.name}: ${concern.option}`,
        ...(hint !== undefined && { hint }),
        ...position(attribute),
      })
    }
    const codecs = await this.#codecs(definition, options, node, part)
    if (codecs === undefined) return undefined
    const plugin: PlannedPlugin = {
      type,
      name: node.name,
      id: typeof options['id'] === 'string' ? options['id'] : '',
      explicitId: typeof options['id'] === 'string',
      definition,
      options,
      raw,
      codecs,
      part,
      node,
    }
    this.#vertices.push({ vertex: plugin, source: sourceId(part, node.place) })
    return plugin
  }

  async #find(
    type: PluginType,
    name: string,
    at: { place: Place },
    part: SourcePart,
  ): Promise<PluginDefinition | undefined> {
    const found = await this.#options.registry.find(type, name)
    if ('definition' in found) return found.definition
    const subject = `${type} ${name}`
    this.#report(part, { severity: 'error', subject, ...found.problem, ...position(at) })
    return undefined
  }

  /** Loads the codecs a plugin names and checks the options given to its own one. */
  async #codecs(
    plugin: PluginDefinition,
    options: Record<string, unknown>,
    node: PluginNode,
    part: SourcePart,
  ): Promise<Map<string, CodecDefinition> | undefined> {
    const codecs = new Map<string, CodecDefinition>()
    if (plugin.type !== 'input' && plugin.type !== 'output') return codecs
    const attribute = node.attributes.find(({ name }) => name === 'codec') ?? node
    const choice = options['codec'] as CodecChoice | undefined
    const names = new Set([...(choice === undefined ? [] : [choice.name]), ...codecNames(plugin, options)])
    let failed = false
    for (const name of names) {
      const definition = await this.#find('codec', name, attribute, part)
      if (definition === undefined) failed = true
      else codecs.set(name, definition as CodecDefinition)
    }
    const own = choice === undefined ? undefined : codecs.get(choice.name)
    if (own !== undefined && choice !== undefined) {
      const { problems, warnings } = validateOptions(own, choice.options, this.#options)
      failed ||= problems.length > 0
      this.#reportOld(part, `codec ${choice.name}`, warnings, attribute)
      for (const { option, ...rest } of problems) {
        const subject = `codec ${choice.name}: ${option}`
        this.#report(part, { severity: 'error', subject, ...rest, ...position(attribute) })
      }
    }
    return failed ? undefined : codecs
  }

  #reportOld(
    part: SourcePart,
    plugin: string,
    warnings: readonly OldOption[],
    at: { place: Place; attributes?: Attribute[] },
  ): void {
    for (const { option, sentence, message } of warnings) {
      this.#report(part, {
        severity: 'warning',
        code: 'deprecated',
        message,
        subject: `${plugin}: ${option}`,
        brief: `The option \`${option}\` is out of date. ${sentence}`,
        ...position(at.attributes?.find(({ name }) => name === option) ?? at),
      })
    }
  }

  finish(parts: readonly SourcePart[]): PlanResult {
    const ids = vertexIds(this.#vertices.map(({ source }) => source))
    this.#vertices.forEach(({ vertex }, i) => {
      if (vertex.id === '') vertex.id = ids[i]!
    })
    this.#findDuplicateIds()
    const failed = this.diagnostics.some(({ severity }) => severity === 'error')
    const draft: Plan = {
      hash: pipelineHash(parts),
      parts,
      inputs: this.#inputs,
      filters: this.#filters,
      outputs: this.#outputs,
      former: [],
    }
    const { diagnostics } = this
    return { plan: failed ? undefined : draft, draft, sections: this.#sections, diagnostics }
  }

  /** Two plugins with one id; also where one of them has other problems. */
  #findDuplicateIds(): void {
    const seen = new Set<string>()
    for (const { id, node, part } of this.#explicitIds) {
      if (seen.has(id)) {
        this.#report(part, {
          severity: 'error',
          code: 'duplicate_id',
          message: `Two plugins have the id '${id}', please fix this conflict`,
          ...position(node),
        })
      }
      seen.add(id)
    }
  }

  #report(part: SourcePart, ...diagnostics: Diagnostic[]): void {
    for (const diagnostic of diagnostics) this.diagnostics.push({ ...diagnostic, file: part.id })
  }
}

function position({ place }: { place: PluginNode['place'] }) {
  return { line: place.line, column: place.column, start: place.start, end: place.end }
}

function problem(error: Error, node: PluginNode): Diagnostic {
  const place = error instanceof ConfigurationError && error.place !== undefined ? error.place : node.place
  return {
    severity: 'error',
    code: error instanceof ConfigurationError ? error.code : 'configuration',
    message: error.message,
    ...(error instanceof ConfigurationError && error.hint !== undefined ? { hint: error.hint } : {}),
    ...position({ place }),
  }
}

/** Every plugin of a list of stages, in source order. */
export function pluginsOf(stages: readonly Stage[]): PlannedPlugin[] {
  return stages.flatMap((stage) =>
    stage.kind === 'plugin' ? [stage.plugin] : [...pluginsOf(stage.matching), ...pluginsOf(stage.otherwise)],
  )
}

/** Every `if` of a list of stages, outer ones first. */
export function conditionsOf(stages: readonly Stage[]): IfStage[] {
  return stages.flatMap((stage) =>
    stage.kind === 'if' ? [stage, ...conditionsOf(stage.matching), ...conditionsOf(stage.otherwise)] : [],
  )
}
