/**
 * `GET /_health_report`: how the node and its pipelines are, what is wrong and what to do about it. The answer is
 * a 200 however bad the news.
 */
import { json } from '../../../http/respond.ts'
import type { Router } from '../../../http/router.ts'
import type { Handler } from '../../../http/service.ts'
import { type Body, envelope } from '../envelope.ts'
import type { NodeView } from '../view.ts'
import { nodeHealth } from './health-node.ts'

/** Who speaks; the rest of the envelope is not part of a report. */
const identity = ['host', 'version', 'http_address', 'id', 'name', 'ephemeral_id', 'snapshot'] as const

export function addHealthRoutes(router: Router<Handler>, node: NodeView): void {
  router.add('GET', '/_health_report', () => json(healthReport(node)))
}

function healthReport(node: NodeView): Body {
  const from = envelope(node)
  return {
    ...Object.fromEntries(identity.map((name) => [name, from[name]])),
    ...nodeHealth(node),
    timestamp: new Date().toISOString(),
  }
}
