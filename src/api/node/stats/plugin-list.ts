/** `/_node/plugins`: every plugin that can be used, under the names Logstash's packages have. */
import type { Router } from '../../../http/router.ts'
import type { Handler } from '../../../http/service.ts'
import { version } from '../../../version.ts'
import { enveloped } from '../envelope.ts'
import type { NodeView } from '../view.ts'

const types = ['input', 'filter', 'output', 'codec'] as const

export function addPluginRoutes(router: Router<Handler>, node: NodeView): void {
  let known: Promise<{ name: string; version: string }[]> | undefined
  const handler: Handler = async (request) => {
    known ??= list(node)
    const plugins = await known
    return enveloped(node, request, { total: plugins.length, plugins })
  }
  router.add('GET', '/_node/plugins', handler)
  router.add('GET', '/_plugins', handler)
}

async function list({ settings }: NodeView): Promise<{ name: string; version: string }[]> {
  const { registryFor } = await import('../../../threads/configuration/compose.ts')
  const registry = registryFor(settings)
  const names = new Set(
    types.flatMap((type) => registry.names(type).map((name) => `logstash-${type}-${name}`)),
  )
  // Somebody else's plugin that cannot be loaded is a matter for the pipeline that uses it.
  const others = await registry.thirdParty().catch(() => [])
  for (const { definition } of others) names.add(`logstash-${definition.type}-${definition.name}`)
  return [...names].sort().map((name) => ({ name, version }))
}
