/**
 * What the cluster answers to a bulk request, item by item, in the order of the request:
 *
 *   {"errors":true,"items":[{"index":{"status":201}},{"index":{"status":400,"error":{"type":…,"reason":…}}}]}
 *
 * With `"errors":false` nobody needs to look at the items.
 */
import { parseJson } from '../../../event/json-parse.ts'
import { type Fields, isFields, type Value } from '../../../event/value.ts'

export interface ItemAnswer {
  readonly status: number
  readonly errorType: string | undefined
  readonly error: Value | undefined
  /** The whole item, for messages. */
  readonly response: Value
}

const allWell = /^\{\s*(?:"(?:took|ingest_took)"\s*:\s*\d+\s*,\s*)*"errors"\s*:\s*false\s*[,}]/

/** Undefined when all items succeeded; throws when this is no answer to a bulk request of `count` items. */
export function readBulkAnswer(body: string, count: number): ItemAnswer[] | undefined {
  if (allWell.test(body.slice(0, 200))) return undefined
  const answer = parseJson(body)
  if (!isFields(answer) || typeof answer['errors'] !== 'boolean') {
    throw new Error('The answer is no answer to a bulk request')
  }
  if (answer['errors'] === false) return undefined
  const { items } = answer
  if (!Array.isArray(items) || items.length !== count) {
    throw new Error(`The answer has ${Array.isArray(items) ? items.length : 'no'} items for ${count} actions`)
  }
  return items.map(readItem)
}

function readItem(item: Value): ItemAnswer {
  const result = isFields(item) ? Object.values(item)[0] : undefined
  const fields: Fields = isFields(result) ? result : {}
  const { status, error } = fields
  const type = isFields(error) ? error['type'] : undefined
  return {
    // An item without a status is tried again.
    status: typeof status === 'number' ? status : 0,
    errorType: typeof type === 'string' ? type : undefined,
    error,
    response: item,
  }
}
