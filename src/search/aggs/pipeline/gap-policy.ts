/** `gap_policy`: what replaces the value of a bucket that has none. */
import type { SearchError } from '../../request/search-error.ts'

export type GapPolicy = 'insert_zeros' | 'skip' | 'keep_values'

const policies: readonly GapPolicy[] = ['insert_zeros', 'skip', 'keep_values']

export function readGapPolicy(text: string, error: (reason: string) => SearchError): GapPolicy {
  const policy = policies.find((one) => one === text)
  if (policy !== undefined) return policy
  throw error(`Invalid gap policy: [${text}], accepted values: [${policies.join(', ')}]`)
}

/** `value` may be NaN or infinite, or come from an empty bucket. Returns NaN to skip the bucket. */
export function fillGap(policy: GapPolicy, value: number): number {
  if (policy === 'insert_zeros') return 0
  return policy === 'keep_values' && Number.isFinite(value) ? value : Number.NaN
}
