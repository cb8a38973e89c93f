/** Authorizes the writes of a bulk request one by one; those not permitted fail alone. */
import {
  type WriteAction,
  type WriteAnswer,
  type WriteOptions,
  write,
} from '../../../search/index/documents/document-writes.ts'
import { SearchError } from '../../../search/request/search-error.ts'
import type { Call } from '../call.ts'
import type { Access } from './access.ts'

const actionOf: Readonly<Record<WriteAction['kind'], string>> = {
  index: 'indices:data/write/index',
  create: 'indices:data/write/index:op_type/create',
  update: 'indices:data/write/update',
  delete: 'indices:data/write/delete',
}

export function demandWrite(access: Access, { kind, index }: WriteAction): void {
  access.demand(actionOf[kind], [index])
  if (kind !== 'delete') access.demandCreation(index)
}

export async function writePermitted(
  call: Call,
  actions: readonly WriteAction[],
  options: WriteOptions,
): Promise<readonly WriteAnswer[]> {
  const { access } = call
  if (access === undefined) return write(call.cluster, actions, options)
  // Most bulk requests write to one index with one action.
  const verdicts = new Map<string, SearchError | undefined>()
  const refusals = actions.map((action) => {
    const key = `${action.kind} ${action.index}`
    if (!verdicts.has(key)) verdicts.set(key, refusalOf(access, action))
    return verdicts.get(key)
  })
  if (refusals.every((refusal) => refusal === undefined)) return write(call.cluster, actions, options)
  const permitted = actions.filter((_, position) => refusals[position] === undefined)
  const written = permitted.length === 0 ? [] : await write(call.cluster, permitted, options)
  let next = 0
  return actions.map(({ kind, index, id }, position) => {
    const error = refusals[position]
    return error === undefined ? written[next++]! : { kind, index, id, error }
  })
}

function refusalOf(access: Access, action: WriteAction): SearchError | undefined {
  try {
    demandWrite(access, action)
    return undefined
  } catch (error) {
    if (error instanceof SearchError) return error
    throw error
  }
}
