/**
 * The hosts a cluster has, as `GET /_nodes/http` lists them. Nodes that only take part in elections are left out, as
 * they are not meant to serve requests.
 */
import { type ClusterHost, parseHost } from './cluster-host.ts'

interface NodeInfo {
  readonly roles?: readonly string[]
  readonly http?: { readonly publish_address?: string }
}

const electionRoles = new Set(['master', 'cluster_manager', 'voting_only'])

/** `seed` is the host that was asked: the others are reached the same way. */
export function hostsOf(body: unknown, seed: ClusterHost): ClusterHost[] {
  const nodes = (body as { nodes?: Record<string, NodeInfo> } | null)?.nodes ?? {}
  const found: ClusterHost[] = []
  for (const { roles = [], http } of Object.values(nodes)) {
    const address = http?.publish_address
    const isOnlyElecting = roles.length > 0 && roles.every((role) => electionRoles.has(role))
    if (typeof address !== 'string' || isOnlyElecting) continue
    found.push(parseHost(`${addressOf(address)}${seed.prefix}`, seed.isSecure ? 'https' : 'http'))
  }
  return found
}

/** `10.0.0.1:9200`, or `es1.example/10.0.0.1:9200` of a node that publishes a name, which certificates then carry. */
function addressOf(published: string): string {
  const slash = published.indexOf('/')
  if (slash < 0) return published
  const port = published.slice(published.lastIndexOf(':') + 1)
  return `${published.slice(0, slash)}:${port}`
}
