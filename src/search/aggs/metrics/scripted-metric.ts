/** `scripted_metric`: init, map, combine and reduce scripts, with one state per bucket and shard. */
import { illegalArgument } from '../../request/errors.ts'
import type { JsonObject } from '../../request/request-values.ts'
import { finish, type Steps } from '../../scheduling/steps.ts'
import { type DocumentScript, documentScript } from '../../script/documents/document-script.ts'
import { mapFrom, toJson } from '../../script/json-values.ts'
import { compileSteps, guarded, type ReadScript, type Script, scriptReader } from '../../script/script.ts'
import type { ScriptMap, ScriptValue } from '../../script/values.ts'
import type { AggKind } from '../agg-kind.ts'
import type { AggOptions } from '../agg-options.ts'
import type { AggContext, Aggregator } from '../aggregator.ts'
import type { Batch } from '../batch.ts'
import { reducing } from '../reduce-error.ts'
import type { AggResult } from '../result.ts'

interface Scripts {
  readonly init: ReadScript | undefined
  readonly map: ReadScript
  readonly combine: ReadScript
  readonly reduce: ReadScript
  readonly params: JsonObject
}

function required(options: AggOptions, name: string): ReadScript {
  const script = options.raw(name)
  if (script !== undefined) return scriptReader(script)
  throw illegalArgument(
    name === 'map_script' ? 'Required [map_script]' : `[${name}] must not be null: [${options.aggregation}]`,
  )
}

export const scriptedMetricKind: AggKind = {
  name: 'scripted_metric',
  bucketing: 'none',
  parse(options) {
    const init = options.raw('init_script')
    const scripts: Scripts = {
      init: init === undefined ? undefined : scriptReader(init),
      map: required(options, 'map_script'),
      combine: required(options, 'combine_script'),
      reduce: required(options, 'reduce_script'),
      params: options.object('params') ?? {},
    }
    options.done()
    return (context) => new ScriptedMetric(scripts, context)
  },
}

interface Step {
  readonly script: Script
  readonly run: ReturnType<typeof compileSteps>
}

class ScriptedMetric implements Aggregator {
  readonly #context: AggContext
  readonly #params: ScriptMap
  readonly #init: Step | undefined
  readonly #combine: Step
  readonly #reduce: Step
  readonly #maps: ReadonlyMap<string, DocumentScript>
  /** By owner, then by shard. */
  readonly #states = new Map<number, Map<number, ScriptValue>>()

  constructor({ init, map, combine, reduce, params }: Scripts, context: AggContext) {
    this.#context = context
    context.gaps.isSeen = true
    this.#params = mapFrom(params)
    const stored = context.indices[0]?.queries.scripts
    const step = (read: ReadScript, name: string): Step => {
      const script = this.#withParams(read(stored))
      return { script, run: compileSteps(script, [name, 'params']) }
    }
    this.#init = init === undefined ? undefined : step(init, 'state')
    this.#combine = step(combine, 'state')
    this.#reduce = step(reduce, 'states')
    this.#maps = new Map(
      context.indices.map(({ name, queries }) => [
        name,
        documentScript(this.#withParams(map(queries.scripts)), queries, ['state']),
      ]),
    )
  }

  #withParams(script: Script): Script {
    return { ...script, params: new Map([...this.#params, ...script.params]) }
  }

  #state(owner: number, shard: number): ScriptValue {
    let states = this.#states.get(owner)
    if (states === undefined) this.#states.set(owner, (states = new Map()))
    let state = states.get(shard)
    if (state === undefined) {
      state = new Map()
      if (this.#init !== undefined) finish(run(this.#init, 'state', state))
      states.set(shard, state)
    }
    return state
  }

  collect({ leaf, docs, owners, length }: Batch): void {
    const map = this.#maps.get(leaf.index.name)!.open(leaf.reader)
    for (let i = 0; i < length; i++) map(docs[i]!, this.#state(owners[i]!, leaf.shardNumber))
  }

  finish(): void {
    // At the top level, shards without documents run their scripts too.
    if (this.#context.parents.length === 0)
      for (const { number } of this.#context.search.shards) this.#state(0, number)
  }

  result(owner: number): AggResult {
    return finish(this.resultSteps(owner))
  }

  *resultSteps(owner: number): Steps<AggResult> {
    const { gaps, search } = this.#context
    // A bucket without documents has the state that its shards begin with.
    if (!gaps.isInside && !this.#states.has(owner))
      for (const { number } of search.shards) this.#state(owner, number)
    const states = [...(this.#states.get(owner)?.entries() ?? [])].sort(([one], [other]) => one - other)
    const combined: ScriptValue[] = []
    for (const [, state] of states) combined.push(yield* run(this.#combine, 'state', state))
    // One that fills a gap has null for a state, which the script has to expect.
    if (states.length === 0) combined.push(null)
    const value = yield* reducing(run(this.#reduce, 'states', combined))
    const json = guarded(this.#reduce.script, () => toJson(value))
    const number = typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined
    return {
      typedName: 'scripted_metric',
      number: (property) => (property === 'value' ? number : undefined),
      toJson: () => ({ value: json }),
    }
  }
}

function run({ script, run: compiled }: Step, name: string, value: ScriptValue): Steps<ScriptValue> {
  return compiled(
    new Map<string, ScriptValue>([
      [name, value],
      ['params', script.params],
    ]),
  )
}
