/** All routes of the monitoring API, loaded by the first request that the way in (`server.ts`) has no answer for. */
import { Router } from '../../http/router.ts'
import type { Handler } from '../../http/service.ts'
import type { Security } from '../../security/security.ts'
import { addFleetRoutes } from '../ui/fleet-routes.ts'
import { addPageRoutes } from '../ui/page-routes.ts'
import { addSearchRoutes, type SearchLink } from '../ui/search-routes.ts'
import { addSessionRoutes } from '../ui/session-routes.ts'
import type { Sessions } from '../ui/sessions.ts'
import { challengeFor, whoIsFor } from './guard.ts'
import { addHealthRoutes } from './health/health.ts'
import { addHotThreadsRoutes } from './hot-threads/hot-threads.ts'
import { addCheckRoutes } from './inspection/check.ts'
import { addDeadLetterRoutes } from './inspection/dead-letters.ts'
import { addGrokRoutes } from './inspection/grok.ts'
import { addLoggingRoutes } from './inspection/logging.ts'
import { addReloadRoutes } from './inspection/reload.ts'
import { addSourceRoutes } from './inspection/source.ts'
import { addTapRoutes } from './inspection/tap.ts'
import { addTraceRoutes } from './inspection/traces.ts'
import { addUpkeepRoutes } from './inspection/upkeep.ts'
import { addLiveRoutes } from './live.ts'
import { addMetricsRoutes } from './metrics/metrics-text.ts'
import { addOpenapiRoutes } from './openapi/openapi.ts'
import { addRootRoutes } from './root.ts'
import { addEarlyStatsRoutes } from './stats/early-stats.ts'
import { addInfoRoutes } from './stats/info.ts'
import { addPluginRoutes } from './stats/plugin-list.ts'
import { addStatsRoutes } from './stats/stats.ts'
import { addStreamRoutes } from './stream.ts'
import type { NodeView } from './view.ts'

const groups = [
  addRootRoutes,
  addInfoRoutes,
  addStatsRoutes,
  addEarlyStatsRoutes,
  addPluginRoutes,
  addHealthRoutes,
  addMetricsRoutes,
  addStreamRoutes,
  addReloadRoutes,
  addLiveRoutes,
  addOpenapiRoutes,
  addHotThreadsRoutes,
  addLoggingRoutes,
  addGrokRoutes,
  addDeadLetterRoutes,
  addUpkeepRoutes,
  addSourceRoutes,
  addCheckRoutes,
  addTapRoutes,
  addTraceRoutes,
]

/** Without those of the dashboard. */
export function routesOf(node: NodeView): Router<Handler> {
  const router = new Router<Handler>()
  for (const add of groups) add(router, node)
  return router
}

interface Visitors {
  readonly sessions: Sessions
  readonly security: Security | undefined
  readonly searchLink: SearchLink | undefined
}

export async function laterRoutes(
  node: NodeView,
  { sessions, security, searchLink }: Visitors,
): Promise<Router<Handler>> {
  const { settings } = node
  const router = routesOf(node)
  if (settings.get('api.ui.enabled')) {
    addPageRoutes(router)
    addSearchRoutes(router, settings, searchLink, challengeFor)
    addSessionRoutes(router, sessions, await whoIsFor(settings, security), settings.get('api.ssl.enabled'))
    addFleetRoutes(router, settings)
  }
  return router
}
