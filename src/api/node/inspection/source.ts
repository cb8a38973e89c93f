/**
 * `/_node/pipelines/:id/_source`: the texts of a pipeline's configuration. Reading them needs the right to manage the
 * node where users are on, because passwords stand in them; elsewhere known secrets are blanked. A file is replaced
 * only by somebody who signed in, only when it still is what the editor was given, and in one step.
 */
import { HttpProblem } from '../../../http/problem.ts'
import type { Router } from '../../../http/router.ts'
import type { Handler, HttpRequest } from '../../../http/service.ts'
import { concealed } from '../../../log/hidden-texts.ts'
import { sha256 } from '../../../pipeline/plan/source.ts'
import { readConfigText, replaceConfigText } from '../../../threads/configuration/config-files.ts'
import { enveloped } from '../envelope.ts'
import { findPipeline } from '../stats/one-pipeline.ts'
import type { NodeView } from '../view.ts'
import { requireTrust } from './trusted.ts'

const maxBody = 4 * 1024 * 1024

export function addSourceRoutes(router: Router<Handler>, node: NodeView): void {
  const asks = node.settings.get('security.enabled') || node.settings.get('api.auth.type') === 'basic'
  router.add('GET', '/_node/pipelines/:id/_source', async (request) => {
    requireTrust(node.settings)
    const { config } = findPipeline(node, request.parameters['id'] ?? '')
    if (!asks) (await import('../../../threads/configuration/compose.ts')).hideSecretsOf(config.parts)
    return enveloped(node, request, {
      writable: asks,
      parts: config.parts.map(({ protocol, id, text }) => {
        const now = protocol === 'file' ? (readConfigText(id) ?? text) : text
        return { protocol, id, text: asks ? now : concealed(now), hash: sha256(now) }
      }),
    })
  })
  router.add('PUT', '/_node/pipelines/:id/_source', async (request) => {
    const { config } = findPipeline(node, request.parameters['id'] ?? '')
    if (!asks)
      throw new HttpProblem(
        403,
        'Configurations are changed by those only who sign in: [security.enabled] is off',
      )
    const { id, text, hash } = await changeOf(request)
    const part = config.parts.find((one) => one.protocol === 'file' && one.id === id)
    if (part === undefined) throw new HttpProblem(404, 'Not Found')
    const before = readConfigText(id)
    if (before === undefined || sha256(before) !== hash)
      throw new HttpProblem(409, 'The file was changed by somebody else meanwhile')
    replaceConfigText(id, text)
    return enveloped(node, request, { acknowledged: true, hash: sha256(text) })
  })
}

async function changeOf(request: HttpRequest): Promise<{ id: string; text: string; hash: string }> {
  try {
    const { id, text, hash } = JSON.parse((await request.body(maxBody)).toString('utf8')) as Record<
      string,
      unknown
    >
    if (typeof id === 'string' && typeof text === 'string' && typeof hash === 'string')
      return { id, text, hash }
  } catch (error) {
    if (error instanceof HttpProblem) throw error
  }
  throw new HttpProblem(400, 'The body must be a JSON object with the texts `id`, `text` and `hash`')
}
