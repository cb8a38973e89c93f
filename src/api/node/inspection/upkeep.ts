/** What somebody who looks after a pipeline asks for: its last reloads with their errors, and the pages of its queue. */
import type { Router } from '../../../http/router.ts'
import type { Handler } from '../../../http/service.ts'
import { concealed } from '../../../log/hidden-texts.ts'
import { enveloped } from '../envelope.ts'
import { findPipeline } from '../stats/one-pipeline.ts'
import type { NodeView } from '../view.ts'

export function addUpkeepRoutes(router: Router<Handler>, node: NodeView): void {
  router.add('GET', '/_node/pipelines/:id/_reloads', (request) => {
    const { history } = findPipeline(node, request.parameters['id'] ?? '').reloads
    return enveloped(node, request, {
      reloads: history.toReversed().map(({ at, isSuccess, message, explanation }) => ({
        timestamp: at.toISOString(),
        success: isSuccess,
        ...(!isSuccess && { message: concealed(message) }),
        ...(explanation !== undefined && { explanation: concealed(explanation) }),
      })),
    })
  })
  router.add('GET', '/_node/pipelines/:id/_queue', async (request) => {
    const { id, config, thread } = findPipeline(node, request.parameters['id'] ?? '')
    const { settings } = config
    const isPersisted = settings.get('queue.type') === 'persisted'
    const path = thread?.queue?.path ?? `${settings.get('path.queue')}/${id}`
    const { queuePages } = await import('../../../threads/queues/queue-pages.ts')
    return enveloped(node, request, {
      queue: {
        type: settings.get('queue.type'),
        ...(isPersisted && {
          path,
          page_capacity_in_bytes: settings.get('queue.page_capacity'),
          unread_events: thread?.queue?.unreadEvents ?? 0,
          unacknowledged_events: thread?.queue?.unackedEvents ?? 0,
        }),
        pages: isPersisted ? queuePages(path) : [],
      },
    })
  })
}
