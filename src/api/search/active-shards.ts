/** The parameter `wait_for_active_shards`: how many copies of a shard have to be there. */
import { illegalArgument } from '../../search/request/errors.ts'
import type { Call } from './call.ts'

export function activeShardsOf(call: Call): number | 'all' | undefined {
  const text = call.text('wait_for_active_shards')
  if (text === undefined || text === 'all') return text
  if (!/^\d+$/.test(text)) throw illegalArgument(`cannot parse ActiveShardCount[${text}]`)
  return Number(text)
}
