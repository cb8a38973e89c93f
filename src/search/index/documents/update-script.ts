/** Scripts of `_update`, `_update_by_query` and `_reindex`, which change `ctx`. */
import { illegalArgument } from '../../request/errors.ts'
import { isObject, type JsonObject } from '../../request/json-object.ts'
import { bodyText } from '../../request/request-values.ts'
import { fromJson, mapFrom, toJson } from '../../script/json-values.ts'
import { compileScript, guarded, readScript } from '../../script/script.ts'
import type { ScriptMap, ScriptValue } from '../../script/values.ts'

interface ScriptResult {
  readonly source: JsonObject
  readonly op: 'index' | 'noop' | 'delete'
  /** `_index`, `_id` and `_routing` of `ctx`. */
  readonly place: ReadonlyMap<string, string | undefined>
}

export interface UpdateScript {
  /** `about` has the members of `ctx` besides source and operation: `_id`, `_index`. */
  run(source: JsonObject, about: JsonObject, op?: 'index' | 'create'): ScriptResult
}

/** Members that a reindex script may change. */
const places = ['_index', '_id', '_routing']

/** Compiles a script, and throws if it cannot run; `stored` has the scripts by id. */
export function updateScript(json: unknown, stored: Readonly<Record<string, JsonObject>>): UpdateScript {
  const script = readScript(json, stored)
  const run = compileScript(script, ['ctx', 'params'])
  return {
    run(source, about, op = 'index') {
      const ctx: ScriptMap = mapFrom(about)
      ctx.set('_source', fromJson(source)).set('op', op)
      const known = new Set<ScriptValue>(ctx.keys())
      run(
        new Map<string, ScriptValue>([
          ['ctx', ctx],
          ['params', mapFrom(toJson(script.params) as object)],
        ]),
      )
      const added = [...ctx.keys()].filter((name) => !known.has(name))
      if (added.length > 0) throw illegalArgument(`Invalid fields added to context [${added.join(',')}]`)
      const after = guarded(script, () => toJson(ctx.get('_source') ?? null))
      if (!isObject(after)) throw illegalArgument('the script left no object in [ctx._source]')
      return { source: after, op: operation(ctx.get('op') ?? null), place: placeOf(ctx) }
    },
  }
}

function placeOf(ctx: ScriptMap): ReadonlyMap<string, string | undefined> {
  return new Map(
    places.map((name) => {
      const value = ctx.get(name) ?? null
      return [name, value === null ? undefined : bodyText('ctx', name, toJson(value))]
    }),
  )
}

function operation(value: ScriptValue): ScriptResult['op'] {
  if (value === 'noop' || value === 'none') return 'noop'
  if (value === 'delete') return 'delete'
  if (value === 'index' || value === 'create') return 'index'
  throw illegalArgument(
    `Operation type [${String(toJson(value))}] not allowed, only [noop, index, delete] are allowed`,
  )
}
