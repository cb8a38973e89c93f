/**
 * Which connections between pipelines lie on a cycle. A pipeline that waits until its events are safe with a second one,
 * which waits for the first, would wait for ever; on a cycle it is enough that the receiver has room.
 */
export interface Connection<Member> {
  readonly from: Member
  readonly to: Member
  /** Whether what the receiver takes is safe only once its outputs have it. */
  readonly waitsForOutputs: boolean
}

/** Those of the connections whose sender would wait for itself. */
export function cyclicConnections<Member, C extends Connection<Member>>(connections: readonly C[]): Set<C> {
  const receivers = new Map<Member, Set<Member>>()
  for (const { from, to, waitsForOutputs } of connections) {
    if (!waitsForOutputs) continue
    const known = receivers.get(from)
    if (known === undefined) receivers.set(from, new Set([to]))
    else known.add(to)
  }
  const reached = new Map<Member, Set<Member>>()
  const reachedFrom = (start: Member): Set<Member> => {
    let found = reached.get(start)
    if (found === undefined) {
      found = new Set([start])
      // A set may grow while it is walked through.
      for (const member of found) for (const next of receivers.get(member) ?? []) found.add(next)
      reached.set(start, found)
    }
    return found
  }
  return new Set(
    connections.filter(({ from, to, waitsForOutputs }) => waitsForOutputs && reachedFrom(to).has(from)),
  )
}
