/**
 * Probes for whoever runs this process; they ask for no credentials and tell nothing but yes or no.
 * Live: this thread still answers. Ready: every pipeline that should run does, so events are taken.
 */
import { text } from '../../http/respond.ts'
import type { Router } from '../../http/router.ts'
import type { Handler } from '../../http/service.ts'
import { type NodeView, userPipelines } from './view.ts'

const livePath = '/-/live'
const readyPath = '/-/ready'

export function addLiveRoutes(router: Router<Handler>, node: NodeView): void {
  router.add('GET', livePath, () => text('live\n'))
  router.add('GET', readyPath, () => (isReady(node) ? text('ready\n') : text('not ready\n', 503)))
}

/** A trailing slash does not count, here as in routing. */
export function isProbe(path: string): boolean {
  const plain = path.endsWith('/') ? path.slice(0, -1) : path
  return plain === livePath || plain === readyPath
}

/** A pipeline that came to its end as it should is no reason to send events elsewhere, unless it was the last. */
function isReady({ agent, closing }: NodeView): boolean {
  const statuses = userPipelines(agent).map(({ status }) => status)
  return (
    !closing.aborted &&
    statuses.includes('running') &&
    statuses.every((status) => status === 'running' || status === 'finished')
  )
}
