/**
 * `/_node/traces`: the ways of single events through a pipeline. `GET` lists the last ones and says whether events are
 * followed, `PUT` follows them for some minutes, `GET /_node/traces/:key` is one of them, by the permanent name of the
 * event or the id of the document it became.
 */
import { HttpProblem } from '../../../http/problem.ts'
import type { Reply } from '../../../http/respond.ts'
import type { Router } from '../../../http/router.ts'
import type { Handler, HttpRequest } from '../../../http/service.ts'
import { enveloped, envelopedText } from '../envelope.ts'
import { jsonBody } from '../json-body.ts'
import type { NodeView } from '../view.ts'
import { requireTrust } from './trusted.ts'

const maxBody = 64 * 1024
const maxMinutes = 24 * 60
const listed = 100

export function addTraceRoutes(router: Router<Handler>, node: NodeView): void {
  const watches = () => {
    requireTrust(node.settings)
    const found = node.agent.watches
    if (found === undefined) throw new HttpProblem(404, 'Not Found')
    return found
  }
  const state = (request: HttpRequest): Reply => {
    const { traces, ring } = watches()
    return enveloped(node, request, {
      enabled: traces !== undefined,
      sample: traces?.sample ?? node.settings.get('lineage.sample'),
      until: traces?.until === undefined ? null : new Date(traces.until).toISOString(),
      count: ring.size,
      bytes: ring.bytes,
      max_bytes: ring.maxBytes,
      traces: ring.last(listed).map(({ keys, pipelineId, time }) => ({
        key: keys[0],
        pipeline: pipelineId,
        time: new Date(time).toISOString(),
      })),
    })
  }
  router.add('GET', '/_node/traces', state)
  router.add('PUT', '/_node/traces', async (request) => {
    const { enabled = true, minutes = 5, sample } = await jsonBody(request, maxBody)
    if (typeof enabled !== 'boolean') throw new HttpProblem(400, '`enabled` must be true or false')
    const rate = numberIn('sample', sample ?? node.settings.get('lineage.sample'), 1_000_000)
    const until = Date.now() + numberIn('minutes', minutes, maxMinutes) * 60_000
    watches().switchTraces(enabled ? { sample: rate, until } : undefined)
    return state(request)
  })
  router.add('GET', '/_node/traces/:key', (request) => {
    const found = watches().ring.find(request.parameters['key'] ?? '')
    if (found === undefined) throw new HttpProblem(404, 'Not Found')
    return envelopedText(node, request, found.text)
  })
}

function numberIn(name: string, value: unknown, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return value
  throw new HttpProblem(400, `\`${name}\` must be a number from 1 to ${max}`)
}
