/** `_rollover`: when an index meets the conditions, its alias or data stream continues with a new index. */
import { illegalArgument, validationFailed } from '../../request/errors.ts'
import { isObject, type JsonObject, own } from '../../request/json-object.ts'
import { plainText } from '../../request/plain-text.ts'
import { parseBytes, parseTime } from '../../request/units/units.ts'
import { parseAlias } from '../admin/alias-parse.ts'
import type { Cluster } from '../cluster.ts'
import { memberOf } from '../cluster-state.ts'
import type { AliasMetadata, IndexMetadata } from '../index-metadata.ts'
import { checkIndexBody, type IndexBody, newIndex } from './create-index.ts'
import { rollDataStream } from './data-streams.ts'
import { resolveDateMathName } from './date-math-names.ts'

interface RolloverRequest {
  readonly target: string
  readonly newIndex: string | undefined
  readonly body: JsonObject
  readonly isDryRun: boolean
}

/** `[max_docs: 5]` → whether it is met. */
type Conditions = Record<string, boolean>

export async function rollover(cluster: Cluster, request: RolloverRequest): Promise<JsonObject> {
  const { target, body, isDryRun } = request
  const stream = memberOf(cluster.state.dataStreams, target)
  if (stream !== undefined) {
    if (request.newIndex !== undefined)
      throw illegalArgument('new index name may not be specified when rolling over a data stream')
    const current = cluster.index(stream.indices.at(-1) ?? '')
    const conditions = conditionsOf(cluster, current, own(body, 'conditions'))
    const wanted = holds(conditions)
    const [old, fresh] = rollDataStream(cluster, stream, isDryRun || !wanted)
    return answer(old, fresh, wanted && !isDryRun, isDryRun, conditions)
  }
  const source = writeIndexOf(cluster, target)
  const name = resolveDateMathName(request.newIndex ?? nextName(source.name), cluster.now())
  const { conditions: asked, ...indexBody } = body
  const conditions = conditionsOf(cluster, source, asked)
  const wanted = holds(conditions)
  const made = checkIndexBody(indexBody)
  // An invalid name is an error even without rolling over.
  newIndex(cluster.state, name, made, { now: cluster.now() })
  if (wanted && !isDryRun) await roll(cluster, target, source, name, made)
  return answer(source.name, name, wanted && !isDryRun, isDryRun, conditions)
}

function answer(
  old: string,
  fresh: string,
  rolled: boolean,
  dryRun: boolean,
  conditions: Conditions,
): JsonObject {
  return {
    acknowledged: rolled,
    shards_acknowledged: rolled,
    old_index: old,
    new_index: fresh,
    rolled_over: rolled,
    dry_run: dryRun,
    conditions,
  }
}

function writeIndexOf(cluster: Cluster, target: string): IndexMetadata {
  const behind = cluster.resolver().behindAlias(target)
  if (behind.length === 0) {
    if (cluster.index(target) !== undefined)
      throw illegalArgument(
        `rollover target is a [concrete index] but one of [alias,data_stream] was expected`,
      )
    throw illegalArgument(`rollover target [${target}] does not exist`)
  }
  const writer = behind.find(({ aliases }) => aliases[target]?.is_write_index === true)
  const only =
    behind.length === 1 && behind[0]?.aliases[target]?.is_write_index !== false ? behind[0] : undefined
  const found = writer ?? only
  if (found === undefined)
    throw illegalArgument(`rollover target [${target}] does not point to a write index`)
  return found
}

/** `logs-000001` → `logs-000002`; a number of any width becomes six digits. */
export function nextName(name: string): string {
  const [, start, digits] = /^(.*)-(\d+)(>?)$/.exec(name) ?? []
  if (start === undefined || digits === undefined)
    throw illegalArgument(`index name [${name}] does not match pattern '^.*-\\d+$'`)
  return `${start}-${plainText(Number(digits) + 1).padStart(6, '0')}`
}

async function roll(
  cluster: Cluster,
  alias: string,
  source: IndexMetadata,
  name: string,
  body: IndexBody,
): Promise<void> {
  const before = source.aliases[alias] ?? {}
  const isExplicit = before.is_write_index === true
  // With an explicit write index the alias keeps the old index for searches; otherwise it moves.
  const after: AliasMetadata = isExplicit
    ? { ...before, is_write_index: true }
    : parseAlias(alias, { ...before })
  cluster.createIndex(name, body, {
    also: (state) => {
      const fresh = state.indices[name]!
      const { [alias]: moved, ...rest } = source.aliases
      const old = isExplicit ? { ...source.aliases, [alias]: { ...before, is_write_index: false } } : rest
      return {
        ...state,
        indices: {
          ...state.indices,
          [source.name]: {
            ...state.indices[source.name]!,
            aliases: moved === undefined ? source.aliases : old,
          },
          [name]: { ...fresh, aliases: { ...fresh.aliases, [alias]: after } },
        },
      }
    },
  })
}

function holds(conditions: Conditions): boolean {
  const results = Object.values(conditions)
  return results.length === 0 || results.includes(true)
}

function conditionsOf(cluster: Cluster, index: IndexMetadata | undefined, json: unknown): Conditions {
  if (json === undefined || json === null) return {}
  if (!isObject(json)) throw illegalArgument('[conditions] must be an object')
  const figures =
    index === undefined ? [] : (cluster.openStore(index)?.shards ?? []).map((shard) => shard.figures())
  const docs = figures.reduce((sum, one) => sum + one.docs, 0)
  const bytes = docs === 0 ? 0 : figures.reduce((sum, one) => sum + one.bytes, 0)
  const largest = docs === 0 ? 0 : Math.max(0, ...figures.map((one) => one.bytes))
  const conditions: Conditions = {}
  for (const [name, value] of Object.entries(json)) {
    const text = plainText(value)
    const age = () => cluster.now() - (index?.creationDate ?? 0)
    const test: Readonly<Record<string, () => boolean>> = {
      max_docs: () => docs >= positive(name, text),
      max_age: () => age() >= parseTime(text, name),
      max_size: () => bytes >= parseBytes(text, name),
      max_primary_shard_size: () => largest >= parseBytes(text, name),
      max_primary_shard_docs: () => Math.max(0, ...figures.map((one) => one.docs)) >= positive(name, text),
    }
    const check = Object.hasOwn(test, name) ? test[name] : undefined
    if (check === undefined) throw illegalArgument(`[1:1] [conditions] unknown field [${name}]`)
    conditions[`[${name}: ${text}]`] = check()
  }
  return conditions
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0) throw validationFailed(`${name} must be a positive number`)
  return value
}
