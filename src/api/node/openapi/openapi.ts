/** `GET /_node/openapi`: the description of this API, for people who generate clients or browse it with a tool. */
import { json } from '../../../http/respond.ts'
import type { Router } from '../../../http/router.ts'
import type { Handler } from '../../../http/service.ts'
import type { NodeView } from '../view.ts'

export function addOpenapiRoutes(router: Router<Handler>, _node: NodeView): void {
  router.add('GET', '/_node/openapi', async () => {
    const { openapiDocument } = await import('./openapi-document.ts')
    return json(openapiDocument)
  })
}
