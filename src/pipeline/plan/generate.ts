/**
 * The plan as JavaScript: stage after stage over the whole batch, an `if` splits the batch in two lists
 * and joins them again, then-branch first. Only names we made and string literals reach the source.
 */
import type { Event } from '../../event/event.ts'
import { CodeScope } from './code-scope.ts'
import { type ConditionOptions, compileCondition } from './condition-compile.ts'
import type { IfStage, PlannedPlugin, Stage } from './plan.ts'

export type FilterCall = (batch: Event[]) => Event[] | Promise<Event[]>
export type FlushCall = (batch: Event[], final: boolean) => Promise<Event[]>
export type OutputCall = (batch: Event[]) => void | Promise<void>

/** What the generated code calls; made by whoever owns the plugin instances. */
export interface StageHooks {
  filter(plugin: PlannedPlugin): { call: FilterCall; async: boolean; flush: FlushCall | undefined }
  output(plugin: PlannedPlugin): OutputCall
  /** An event whose condition could not be evaluated; true sends it into the else branch. */
  conditionFailed(stage: IfStage, event: Event, error: unknown): boolean
}

export interface FilterProgram {
  readonly source: string
  readonly async: boolean
  run(batch: Event[]): Event[] | Promise<Event[]>
  /** Runs the batch and lets every filter that can flush add its events on the way. */
  flush(batch: Event[], final: boolean): Promise<Event[]>
}

export interface OutputProgram {
  readonly source: string
  run(batch: Event[]): Promise<void>
}

/** `keepsOrder`: an `if` leaves the batch as it is, which takes filters that never add an event. */
export function generateFilters(
  stages: readonly Stage[],
  hooks: StageHooks,
  options: ConditionOptions,
  url: string,
  keepsOrder = false,
): FilterProgram {
  const generator = new Generator(hooks, options, keepsOrder)
  const run = generator.filters(stages, 'b', false)
  const flush = generator.filters(stages, 'b', true)
  const source = [
    ...generator.functions,
    `${generator.async ? 'async ' : ''}function run(b) {\nlet t;\n${run}return b;\n}`,
    `async function flush(b, final) {\nlet t;\n${flush}return b;\n}`,
    'return { run, flush };',
  ].join('\n')
  const program = generator.scope.compile<Pick<FilterProgram, 'run' | 'flush'>>(source, url)
  return { source, async: generator.async, run: program.run, flush: program.flush }
}

export function generateOutputs(
  stages: readonly Stage[],
  hooks: StageHooks,
  options: ConditionOptions,
  url: string,
): OutputProgram {
  const generator = new Generator(hooks, options)
  const body = generator.outputs(stages, 'b')
  const source = `${[...generator.functions].join('\n')}\nreturn async function run(b) {\nlet t, r;\n${body}};`
  return { source, run: generator.scope.compile(source, url) }
}

class Generator {
  readonly scope = new CodeScope()
  async = false
  /** One per plugin, so that a stack says whose work it is. */
  readonly functions = new Set<string>()
  #hooks: StageHooks
  #options: ConditionOptions
  #keepsOrder: boolean
  #count = 0

  constructor(hooks: StageHooks, options: ConditionOptions, keepsOrder = false) {
    this.#hooks = hooks
    this.#options = options
    this.#keepsOrder = keepsOrder
  }

  filters(stages: readonly Stage[], batch: string, flushing: boolean): string {
    return stages
      .map((stage) =>
        stage.kind === 'plugin'
          ? this.#filter(stage.plugin, batch, flushing)
          : this.#split(stage, batch, flushing),
      )
      .join('')
  }

  /** The name of a function that calls the plugin and has its name and line. */
  #named(plugin: PlannedPlugin, call: FilterCall | OutputCall, prefix: 'filter' | 'output'): string {
    const bound = this.scope.bind(call, prefix)
    const name = `${bound}_${plugin.name.replace(/\W/g, '_')}_line${plugin.node.place.line}`
    this.functions.add(`function ${name}(b) { return ${bound}(b); }`)
    return name
  }

  #filterHooks = new Map<PlannedPlugin, ReturnType<StageHooks['filter']>>()

  #filter(plugin: PlannedPlugin, batch: string, flushing: boolean): string {
    let hook = this.#filterHooks.get(plugin)
    if (hook === undefined) {
      hook = this.#hooks.filter(plugin)
      this.#filterHooks.set(plugin, hook)
    }
    this.async ||= hook.async
    const call = `${batch} = ${hook.async ? 'await ' : ''}${this.#named(plugin, hook.call, 'filter')}(${batch});\n`
    const guarded = `if (${batch}.length > 0) ${call}`
    if (!flushing || hook.flush === undefined) return guarded
    return `${guarded}${batch} = await ${this.scope.bind(hook.flush, 'flush')}(${batch}, final);\n`
  }

  #split(stage: IfStage, batch: string, flushing: boolean): string {
    const n = this.#count++
    const then = this.filters(stage.matching, `x${n}`, flushing)
    const otherwise = this.filters(stage.otherwise, `y${n}`, flushing)
    if (this.#keepsOrder) {
      const alive = `${batch}.filter((e) => !e.cancelled)`
      return `${this.#partition(stage, batch, n)}${then}${otherwise}if (x${n}.length + y${n}.length < ${batch}.length) ${batch} = ${alive};\n`
    }
    return `${this.#partition(stage, batch, n)}${then}${otherwise}${batch} = y${n}.length === 0 ? x${n} : x${n}.length === 0 ? y${n} : x${n}.concat(y${n});\n`
  }

  #partition(stage: IfStage, batch: string, n: number): string {
    const { source, mayFail } = compileCondition(stage.condition, this.scope, this.#options)
    const choose = `(${source} ? x${n} : y${n}).push(e);`
    const fail = `if (${this.scope.bind(this.#hooks, 'hooks')}.conditionFailed(${this.scope.bind(stage, 'stage')}, e, error)) y${n}.push(e);`
    const step = mayFail ? `try { ${choose} } catch (error) { ${fail} }` : choose
    return `let x${n} = [], y${n} = [];\nfor (let i = 0; i < ${batch}.length; i++) { const e = ${batch}[i]; ${step} }\n`
  }

  outputs(stages: readonly Stage[], batch: string): string {
    return stages
      .map((stage) => {
        if (stage.kind === 'plugin') {
          const call = this.#named(stage.plugin, this.#hooks.output(stage.plugin), 'output')
          return `if (${batch}.length > 0) { r = ${call}(${batch}); if (r !== undefined) await r; }\n`
        }
        const n = this.#count++
        return `${this.#partition(stage, batch, n)}${this.outputs(stage.matching, `x${n}`)}${this.outputs(stage.otherwise, `y${n}`)}`
      })
      .join('')
  }
}
