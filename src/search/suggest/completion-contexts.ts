/** Contexts of completions: categories of documents that a request filters and boosts by. */

import type { CompletionField } from '../mapping/fields/completion-field.ts'
import { illegalArgument } from '../request/errors.ts'
import { isObject } from '../request/json-object.ts'
import { plainText } from '../request/plain-text.ts'

/** A category that a request asks for (Elasticsearch's CategoryQueryContext). */
export interface ContextQuery {
  readonly name: string
  readonly value: string
  readonly boost: number
  readonly isPrefix: boolean
}

/** Undefined when the field has no contexts. */
export function readContextQueries(
  json: unknown,
  field: CompletionField,
): readonly ContextQuery[] | undefined {
  if (field.contexts.length === 0) {
    if (json !== undefined) throw illegalArgument(`field [${field.name}] does not have context`)
    return undefined
  }
  if (!isObject(json) || Object.keys(json).length === 0) {
    throw illegalArgument('Missing mandatory contexts in context query')
  }
  return Object.entries(json).flatMap(([name, value]) => {
    if (!field.contexts.some((one) => one.name === name)) {
      throw illegalArgument(
        `Unknown context name [${name}], must be one of [${field.contexts.map((one) => one.name).join(', ')}]`,
      )
    }
    return (Array.isArray(value) ? value : [value]).map((item: unknown): ContextQuery => {
      if (!isObject(item)) return { name, value: plainText(item), boost: 1, isPrefix: false }
      if (item['context'] === undefined) throw illegalArgument('no context provided')
      const boost = item['boost'] === undefined ? 1 : Number(item['boost'])
      if (!(boost > 0)) throw illegalArgument("'boost' must be greater than 0")
      return { name, value: plainText(item['context']), boost, isPrefix: item['prefix'] === true }
    })
  })
}

/** The highest boost of the matching contexts, 0 without any in the request; undefined when none matches. */
export function contextBoost(
  contexts: Readonly<Record<string, readonly string[]>>,
  queries: readonly ContextQuery[] | undefined,
): number | undefined {
  if (queries === undefined) return 0
  let best: number | undefined
  for (const { name, value, boost, isPrefix } of queries) {
    const own = Object.hasOwn(contexts, name) ? contexts[name]! : []
    if (!own.some((one) => (isPrefix ? one.startsWith(value) : one === value))) continue
    best = Math.max(best ?? 0, boost)
  }
  return best
}
