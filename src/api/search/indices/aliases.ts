/** Alias routes. */

import { aliasesMissing, parseActions, updateAliases } from '../../../search/index/admin/alias-actions.ts'
import { aliasMembers } from '../../../search/index/admin/alias-parse.ts'
import { metadataOptions } from '../../../search/index/index-expressions.ts'
import { illegalArgument, validationFailed } from '../../../search/request/errors.ts'
import { isObject, type JsonObject } from '../../../search/request/json-object.ts'
import { NameIndex, namesMatchingAny } from '../../../search/request/name-index.ts'
import { isPattern } from '../../../search/request/simple-match.ts'
import { finish } from '../../../search/scheduling/steps.ts'
import type { Call } from '../call.ts'
import { type Answer, indicesOptions, type Route, route, timeouts } from '../route.ts'
import { checkFilters } from './alias-filters.ts'

const acknowledged: Answer = { body: { acknowledged: true } }

/** Applies patterns in order to names; `-x` removes what an earlier one added. */
export function aliasFilter(
  patterns: readonly string[],
  names: readonly string[],
): (name: string) => boolean {
  if (patterns.length === 0) return () => true
  const index = new NameIndex([...new Set(names)])
  const matched = new Set<string>()
  let hasWildcard = false
  for (const pattern of patterns) {
    const isExcluded = pattern.startsWith('-') && hasWildcard
    const wanted = isExcluded ? pattern.slice(1) : pattern === '_all' ? '*' : pattern
    for (const name of isPattern(wanted) ? index.matching(wanted) : [wanted]) {
      if (isExcluded) matched.delete(name)
      else matched.add(name)
    }
    hasWildcard ||= pattern.includes('*') || pattern === '_all'
  }
  return (name) => matched.has(name)
}

function look(call: Call): Answer {
  const patterns = call.list('name')
  const standard = { ...metadataOptions, expandClosed: true, expandHidden: true }
  const found = new Set<string>()
  const entries: [string, JsonObject][] = []
  const indices = call.cluster.resolve(call.expressions, call.indices(standard))
  const isWanted = aliasFilter(
    patterns,
    indices.flatMap(({ index }) => Object.keys(index.aliases)),
  )
  for (const { index } of indices) {
    const aliases = Object.entries(index.aliases).filter(([name]) => isWanted(name) && call.permits(name))
    for (const [name] of aliases) found.add(name)
    // Without names, indices without aliases are shown too.
    if (aliases.length > 0 || patterns.length === 0)
      entries.push([index.name, { aliases: Object.fromEntries(aliases) }])
  }
  const missing = missingOf(patterns, found)
  const body = Object.fromEntries(entries)
  if (missing.length === 0) return { body }
  const error =
    missing.length === 1 ? `alias [${missing[0]}] missing` : `aliases [${missing.join(',')}] missing`
  return { status: 404, body: { error, status: 404, ...body } }
}

function missingOf(patterns: readonly string[], found: ReadonlySet<string>): string[] {
  const firstWildcard = patterns.findIndex((one) => one.includes('*') || one === '_all')
  const isExclusion = (pattern: string, position: number) =>
    pattern.startsWith('-') && firstWildcard !== -1 && position > firstWildcard
  const missing = patterns
    .filter((pattern, position) => !isExclusion(pattern, position))
    .filter((pattern) => pattern !== '_all' && !isPattern(pattern) && !found.has(pattern))
  const excluded = namesMatchingAny(
    missing,
    patterns.filter(isExclusion).map((one) => one.slice(1)),
  )
  return missing.filter((pattern) => !excluded.has(pattern)).sort()
}

function exists(call: Call): Answer {
  const answer = look(call)
  const { body, status = 200 } = answer
  const names = call.list('name')
  const isEmpty = isObject(body) && Object.keys(body).length === 0 && names.length > 0
  return { ...answer, status: isEmpty ? 404 : status }
}

/** Patterns are refused unless everything they could match is permitted. */
async function change(call: Call, body: JsonObject): Promise<void> {
  const actions = await call.cluster.scheduler.begin(parseActions(body), () => {})
  for (const { kind, indices, aliases } of actions) {
    if (kind === 'remove_index') call.access?.demand('indices:admin/delete', indices)
    else call.access?.demand('indices:admin/aliases', [...indices, ...aliases])
  }
  await checkFilters(
    call,
    actions.flatMap(({ kind, aliases, body }) =>
      kind === 'add' ? aliases.map((name) => [name, body] as const) : [],
    ),
  )
  await updateAliases(call.cluster, actions)
}

async function update(call: Call): Promise<Answer> {
  await change(call, call.body.required)
  return acknowledged
}

async function putOne(call: Call): Promise<Answer> {
  const body = call.body.object ?? {}
  const { index: bodyIndex, alias: bodyAlias, ...rest } = body
  const wrong = Object.keys(rest).find((name) => !aliasMembers.has(name))
  if (wrong !== undefined) throw illegalArgument(`unknown field [${wrong}]`)
  const index = bodyIndex ?? call.parts['index']
  const alias = bodyAlias ?? call.parts['name']
  if (alias === undefined || alias === '') throw validationFailed('One of [alias] or [aliases] is required')
  if (index === undefined || index === '') throw validationFailed('One of [index] or [indices] is required')
  const indices = String(index).split(',')
  await change(call, { actions: [{ add: { ...rest, indices, alias: String(alias) } }] })
  return acknowledged
}

async function removeOne(call: Call): Promise<Answer> {
  const names = call.list('name')
  const { cluster } = call
  const indices = cluster
    .resolve(call.expressions, { ...metadataOptions, expandClosed: true, allowNoIndices: false })
    .map(({ index }) => index)
  const there = indices.flatMap(({ aliases }) => Object.keys(aliases))
  const wanted = names.map((name) => (name === '_all' ? '*' : name))
  const isThere = namesMatchingAny(there, wanted).size > 0
  if (!isThere) throw aliasesMissing(names)
  const action = { remove: { indices: indices.map(({ name }) => name), aliases: names } }
  await updateAliases(cluster, finish(parseActions({ actions: [action] })))
  return acknowledged
}

const lookParameters = `local ${indicesOptions} ${timeouts}`

export const aliasRoutes: readonly Route[] = [
  route(
    'GET',
    '/_alias /_aliases /_alias/:name /:index/_alias /:index/_alias/:name',
    lookParameters,
    (call) => (call.method === 'HEAD' ? exists(call) : look(call)),
  ),
  route('POST', '/_aliases', timeouts, update),
  route(
    'PUT|POST',
    '/:index/_alias/:name /:index/_aliases/:name /_alias/:name /_aliases/:name /:index/_alias /:index/_aliases /_alias',
    timeouts,
    putOne,
  ),
  route('DELETE', '/:index/_alias/:name /:index/_aliases/:name', timeouts, removeOne),
]
