/** Routes that exist only when security is on, as in both products. */
import type { Route } from '../route.ts'
import { apiKeyRoutes } from './api-key-routes.ts'
import { identityRoutes } from './identity-routes.ts'
import { openSearchRoutes } from './open-search-routes.ts'
import { roleRoutes } from './role-routes.ts'
import { userRoutes } from './user-routes.ts'

export const securityRoutes: readonly Route[] = [
  ...identityRoutes,
  ...userRoutes,
  ...roleRoutes,
  ...apiKeyRoutes,
  ...openSearchRoutes,
]
