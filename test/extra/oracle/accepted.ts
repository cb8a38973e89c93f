/** Differences that stay, each with its reason. docs/search-conformance.md prints the same list. */
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
