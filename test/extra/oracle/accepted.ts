/**
 * Differences that are counted apart, each with its reason. So far there is none: those that stay are listed in
 * docs/search-conformance.md and count as differences.
 */
import type { Difference } from './compare.ts'
import type { Request } from './nodes.ts'

interface Accepted {
  readonly reason: string
  readonly is: (request: Request, difference: Difference) => boolean
}

const accepted: readonly Accepted[] = []

export function acceptedReason(request: Request, difference: Difference): string | undefined {
  return accepted.find(({ is }) => is(request, difference))?.reason
}
