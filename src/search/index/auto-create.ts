/** Resolves the target index of a write: by name, alias or data stream, created when it does not exist. */
import { illegalArgument } from '../request/errors.ts'
import { indexClosed, indexNotCreated, indexNotFound } from '../request/index-errors.ts'
import type { SearchError } from '../request/search-error.ts'
import { simpleMatch } from '../request/simple-match.ts'
import type { Cluster } from './cluster.ts'
import { memberOf } from './cluster-state.ts'
import type { IndexMetadata } from './index-metadata.ts'
import { createDataStream, streamTemplate } from './templates/data-streams.ts'
import { resolveDateMathName } from './templates/date-math-names.ts'
import { matchingTemplate } from './templates/templates.ts'

export interface WriteTarget {
  readonly index: IndexMetadata
  /** The index routing of the alias. */
  readonly aliasRouting: string | undefined
  readonly alias: string | undefined
  /** A data stream accepts `create` only. */
  readonly isDataStream: boolean
}

interface WriteTargetOptions {
  readonly requireAlias?: boolean
  /** False for deletes, which create no index. */
  readonly mayCreate: boolean
}

export function writeTarget(cluster: Cluster, written: string, options: WriteTargetOptions): WriteTarget {
  const name = resolveDateMathName(written, cluster.now())
  if (options.requireAlias === true && !cluster.isAlias(name))
    throw indexNotCreated(name, `[require_alias] request flag is [true] and [${name}] is not an alias`)
  return find(cluster, name) ?? create(cluster, name, options)
}

/** The index that a name stands for, and nothing when it has to be created or cannot be written to. */
export function findTarget(cluster: Cluster, name: string): IndexMetadata | undefined {
  try {
    return find(cluster, name)?.index
  } catch {
    // The write meets the same error and reports it.
    return undefined
  }
}

function find(cluster: Cluster, name: string): WriteTarget | undefined {
  const index = cluster.index(name)
  if (index !== undefined)
    return open({ index, aliasRouting: undefined, alias: undefined, isDataStream: false })
  const stream = memberOf(cluster.state.dataStreams, name)
  if (stream !== undefined) {
    const backing = cluster.index(stream.indices.at(-1) ?? '')
    if (backing === undefined) throw indexNotFound(name)
    return open({ index: backing, aliasRouting: undefined, alias: undefined, isDataStream: true })
  }
  const behind = cluster.resolver().behindAlias(name)
  if (behind.length === 0) return undefined
  const writer = behind.find(({ aliases }) => aliases[name]?.is_write_index === true)
  const only =
    behind.length === 1 && behind[0]?.aliases[name]?.is_write_index !== false ? behind[0] : undefined
  const found = writer ?? only
  if (found === undefined)
    throw illegalArgument(
      `no write index is defined for alias [${name}]. The write index may be explicitly disabled using is_write_index=false or the alias points to multiple indices without one being designated as a write index`,
    )
  const aliasRouting = found.aliases[name]?.index_routing
  return open({ index: found, aliasRouting, alias: name, isDataStream: false })
}

function open(target: WriteTarget): WriteTarget {
  if (!target.index.isOpen) throw indexClosed(target.index.name, target.index.uuid)
  return target
}

function create(cluster: Cluster, name: string, { mayCreate }: WriteTargetOptions): WriteTarget {
  if (!mayCreate) throw indexNotFound(name)
  checkAllowed(cluster, name)
  if (streamTemplate(cluster, name) !== undefined) createDataStream(cluster, name)
  else cluster.createIndex(name, {})
  const found = find(cluster, name)
  if (found === undefined) throw indexNotFound(name)
  return found
}

/** `action.auto_create_index`: true, false, or a list of patterns with `+` and `-` in front. */
export function checkAllowed(cluster: Cluster, name: string): void {
  if (matchingTemplate(cluster.state, name)?.template.allow_auto_create === true) return
  const setting = cluster.setting('action.auto_create_index') ?? 'true'
  if (setting === 'true') return
  const refuse = (why: string): SearchError => indexNotCreated(name, why)
  if (setting === 'false') throw refuse('[action.auto_create_index] is [false]')
  for (const rule of setting.split(',').map((part) => part.trim())) {
    const pattern = rule.replace(/^[+-]/, '')
    if (!simpleMatch(pattern, name)) continue
    if (!rule.startsWith('-')) return
    throw refuse(
      `[action.auto_create_index] contains [-${pattern}] which forbids automatic creation of the index`,
    )
  }
  throw refuse(`[action.auto_create_index] ([${setting}]) doesn't match`)
}
