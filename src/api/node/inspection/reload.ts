/**
 * `POST /_node/pipelines/:id/_reload`: reads the configuration of one pipeline and loads it, changed or not; a
 * pipeline that has ended or failed, or was not there before, is started. Others are left alone.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { HttpProblem } from '../../../http/problem.ts'
import type { Router } from '../../../http/router.ts'
import type { Handler } from '../../../http/service.ts'
import { type Body, enveloped } from '../envelope.ts'
import type { NodeView } from '../view.ts'

/** An output that waits for its receiver can hold up a reload for as long as it likes. */
const timeoutMillis = 30_000

export function addReloadRoutes(router: Router<Handler>, node: NodeView): void {
  const { agent } = node
  router.add('POST', '/_node/pipelines/:id/_reload', async (request) => {
    const id = request.parameters['id'] ?? ''
    if (agent.pipelines.get(id)?.config.settings.get('pipeline.system'))
      throw new HttpProblem(404, 'Not Found')
    // The counters of what runs now are about to go; the totals of the node have to know them.
    node.totals.observe()
    const enough = new AbortController()
    const result = await Promise.race([
      agent.reload(id),
      sleep(timeoutMillis, undefined, { signal: enough.signal }).catch(() => undefined),
    ])
    enough.abort()
    switch (result?.kind) {
      case 'done':
        return enveloped(node, request, { acknowledged: true, ...shadowOf(node, id) })
      case 'unknown':
        throw new HttpProblem(404, 'Not Found')
      case 'refused':
        throw new HttpProblem(409, result.message)
      case 'failed':
        throw new HttpProblem(400, result.message)
      case undefined:
        // It goes on; `reloads` in the stats tells how it ended.
        return { ...enveloped(node, request, { acknowledged: true }), status: 202 }
    }
  })
}

/** What a shadow reload found, when there was one. */
function shadowOf({ agent }: NodeView, id: string): Body {
  const shadow = agent.pipelines.get(id)?.shadow
  return shadow === undefined ? {} : { shadow }
}
