/**
 * `POST /_node/_grok`: tries a grok expression on lines with the engine of the grok filter, in a thread of its own. What
 * cannot be compiled is a 400 with the engine's words.
 */
import { HttpProblem } from '../../../http/problem.ts'
import type { Router } from '../../../http/router.ts'
import type { Handler } from '../../../http/service.ts'
import { workbenchEntry } from '../../../threads/entry-url.ts'
import { SideThread } from '../../../threads/side-thread.ts'
import { enveloped } from '../envelope.ts'
import { jsonBody } from '../json-body.ts'
import type { NodeView } from '../view.ts'

/** What may be tried at once: bytes of a request, what is in it, and requests that wait. */
const limits = { bytes: 512 * 1024, lines: 200, lineLength: 10_000, definitions: 200, waiting: 4 }
const idleMillis = 300_000

interface TryJob {
  readonly expression: string
  readonly lines: readonly string[]
  readonly set: 'legacy' | 'ecs-v1'
  readonly definitions: ReadonlyMap<string, string>
}

export function addGrokRoutes(router: Router<Handler>, node: NodeView): void {
  let thread: SideThread<TryJob> | undefined
  let waiting = 0
  node.closing.addEventListener('abort', () => void thread?.close(), { once: true })
  router.add('POST', '/_node/_grok', async (request) => {
    const job = jobOf(await jsonBody(request, limits.bytes))
    if (waiting >= limits.waiting) throw new HttpProblem(429, 'Too many expressions are tried at once')
    thread ??= new SideThread<TryJob>(workbenchEntry, idleMillis)
    waiting += 1
    try {
      return enveloped(node, request, (await thread.run(job)) as Record<string, unknown>)
    } catch (error) {
      const { name, message } = error as Error
      throw name === 'GrokError' || name === 'PatternError' ? new HttpProblem(400, message) : error
    } finally {
      waiting -= 1
    }
  })
}

function jobOf({ pattern, lines, definitions = {}, ecs = false }: Record<string, unknown>): TryJob {
  if (typeof pattern !== 'string') throw new HttpProblem(400, '`pattern` must be a text')
  if (
    !Array.isArray(lines) ||
    lines.length > limits.lines ||
    !lines.every((line) => typeof line === 'string')
  )
    throw new HttpProblem(400, `\`lines\` must be a list of at most ${limits.lines} texts`)
  const own = typeof definitions === 'object' && definitions !== null ? Object.entries(definitions) : []
  if (
    own.length > limits.definitions ||
    !own.every((entry): entry is [string, string] => typeof entry[1] === 'string')
  )
    throw new HttpProblem(400, `\`definitions\` must be an object of at most ${limits.definitions} texts`)
  return {
    expression: pattern,
    lines: lines.map((line: string) => line.slice(0, limits.lineLength)),
    definitions: new Map(own),
    set: ecs === true ? 'ecs-v1' : 'legacy',
  }
}
