/** Every route of the search API. */

import { catIndexRoutes } from './cat/cat-indices.ts'
import { catNodeRoutes } from './cat/cat-node.ts'
import { catShardRoutes } from './cat/cat-shards.ts'
import { clusterRoutes } from './cluster/cluster.ts'
import { healthRoutes } from './cluster/cluster-health.ts'
import { nodeRoutes } from './cluster/nodes.ts'
import { statsRoutes } from './cluster/stats.ts'
import { taskRoutes } from './cluster/tasks.ts'
import { bulkRoutes } from './documents/bulk.ts'
import { byQueryRoutes } from './documents/by-query.ts'
import { documentRoutes } from './documents/documents.ts'
import { identityRoutes } from './identity.ts'
import { aliasRoutes } from './indices/aliases.ts'
import { dataStreamRoutes } from './indices/data-streams.ts'
import { indexRoutes } from './indices/indices.ts'
import { maintenanceRoutes } from './indices/maintenance.ts'
import { scriptContextRoutes } from './indices/script-contexts.ts'
import { storedRoutes } from './indices/stored-scripts.ts'
import { templateRoutes } from './indices/templates.ts'
import type { Route } from './route.ts'
import { contextRoutes } from './searches/contexts.ts'
import { fieldRoutes } from './searches/fields.ts'
import { searchRoutes } from './searches/search.ts'
import { searchTemplateRoutes } from './searches/search-templates.ts'
import { termVectorRoutes } from './searches/term-vectors.ts'

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
  ...scriptContextRoutes,
]
