/** Every route of the search API. */
import { aliasRoutes } from './aliases.ts'
import { bulkRoutes } from './bulk.ts'
import { byQueryRoutes } from './by-query.ts'
import { catIndexRoutes } from './cat-indices.ts'
import { catNodeRoutes } from './cat-node.ts'
import { catShardRoutes } from './cat-shards.ts'
import { clusterRoutes } from './cluster.ts'
import { healthRoutes } from './cluster-health.ts'
import { contextRoutes } from './contexts.ts'
import { dataStreamRoutes } from './data-streams.ts'
import { documentRoutes } from './documents.ts'
import { fieldRoutes } from './fields.ts'
import { identityRoutes } from './identity.ts'
import { indexRoutes } from './indices.ts'
import { maintenanceRoutes } from './maintenance.ts'
import { nodeRoutes } from './nodes.ts'
import type { Route } from './route.ts'
import { searchRoutes } from './search.ts'
import { searchTemplateRoutes } from './search-templates.ts'
import { statsRoutes } from './stats.ts'
import { storedRoutes } from './stored-things.ts'
import { taskRoutes } from './tasks.ts'
import { templateRoutes } from './templates.ts'
import { termVectorRoutes } from './term-vectors.ts'

export const searchApiRoutes: readonly Route[] = [
  ...identityRoutes,
  ...documentRoutes,
  ...bulkRoutes,
  ...searchRoutes,
  ...searchTemplateRoutes,
  ...termVectorRoutes,
  ...contextRoutes,
  ...fieldRoutes,
  ...indexRoutes,
  ...aliasRoutes,
  ...templateRoutes,
  ...dataStreamRoutes,
  ...maintenanceRoutes,
  ...statsRoutes,
  ...healthRoutes,
  ...clusterRoutes,
  ...nodeRoutes,
  ...catIndexRoutes,
  ...catShardRoutes,
  ...catNodeRoutes,
  ...taskRoutes,
  ...byQueryRoutes,
  ...storedRoutes,
]
