/** `GET /metrics`: the figures of `/_node/stats` for Prometheus, in the format that the scraper prefers. */
import type { Router } from '../../../http/router.ts'
import type { Handler } from '../../../http/service.ts'
import { ask } from '../inner-request.ts'
import type { NodeView } from '../view.ts'
import { logstashFamilies } from './prometheus-logstash.ts'
import { ownFamilies } from './prometheus-own.ts'
import { contentTypes, exposition, preferredExposition } from './prometheus-text.ts'

/** Named one by one: under old settings of `api.compat.version`, all of the stats are something else. */
const parts = '/_node/stats/jvm,process,events,flow,pipelines,reloads,queue'

export function addMetricsRoutes(router: Router<Handler>, node: NodeView): void {
  router.add('GET', '/metrics', async ({ headers, signal }) => {
    const [info, stats] = await Promise.all([ask(router, '/', signal), ask(router, parts, signal)])
    const form = preferredExposition(headers.accept)
    const figures = { node, info, stats }
    return {
      status: 200,
      type: contentTypes[form],
      content: { text: exposition([...logstashFamilies(figures), ...ownFamilies(figures)], form) },
      headers: { vary: 'accept, accept-encoding' },
    }
  })
}
