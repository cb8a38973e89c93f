/** The fields that begin every successful body: who answers, where, and in what state. A body key replaces one of these. */
import { hostname } from 'node:os'
import { withReadableNumbers } from '../../http/human.ts'
import { json, type Reply } from '../../http/respond.ts'
import type { HttpRequest } from '../../http/service.ts'
import { version } from '../../version.ts'
import { nodeStatus } from './health/status.ts'
import type { NodeView } from './view.ts'

export type Body = Record<string, unknown>

export function envelope(node: NodeView): Body {
  const { settings, id, ephemeralId, address } = node
  const cluster = settings.get('monitoring.cluster_uuid')
  return {
    host: hostname(),
    version: settings.get('api.compat.version'),
    http_address: address(),
    id,
    name: settings.get('node.name'),
    ephemeral_id: ephemeralId,
    snapshot: false,
    status: nodeStatus(node),
    ...(cluster !== null && { monitoring: { cluster_uuid: cluster } }),
    distribution: 'millrace',
    distribution_version: version,
    pipeline: {
      workers: settings.get('pipeline.workers'),
      batch_size: settings.get('pipeline.batch.size'),
      batch_delay: settings.get('pipeline.batch.delay'),
    },
  }
}

/** A 200 with the envelope before the body, and readable numbers when asked for. */
export function enveloped(node: NodeView, request: HttpRequest, body: Body): Reply {
  const full = { ...envelope(node), ...body }
  return json(request.query.flag('human') ? withReadableNumbers(full) : full)
}

/** Wraps a body that is JSON text already; it is parsed only when the request asks for another presentation. */
export function envelopedText(node: NodeView, request: HttpRequest, body: string): Reply {
  const { query, headers } = request
  const isOther = ['human', 'filter_path', 'format', 'pretty'].some((name) => query.has(name))
  if (isOther || headers.accept?.includes('yaml')) return enveloped(node, request, JSON.parse(body) as Body)
  const text = `${JSON.stringify(envelope(node)).slice(0, -1)},${body.slice(1)}`
  return { status: 200, type: 'application/json', content: { text } }
}
