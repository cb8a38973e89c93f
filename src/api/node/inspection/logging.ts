/**
 * Levels of loggers, seen and changed while the node runs: `/_node/logging`. A change takes effect in every
 * thread at its next log call. A body with one wrong entry changes nothing.
 */
import { json, type Reply } from '../../../http/respond.ts'
import type { Router } from '../../../http/router.ts'
import type { Handler, HttpRequest } from '../../../http/service.ts'
import { type Level, levelOf, levels, parsedLevels, resetLevels, setLevels } from '../../../log/logger.ts'
import { envelope, enveloped } from '../envelope.ts'
import type { AgentView, NodeView } from '../view.ts'

const bodyLimit = 64 * 1024
const prefix = 'logger.'

export function addLoggingRoutes(router: Router<Handler>, node: NodeView): void {
  router.add('GET', '/_node/logging', (request) =>
    enveloped(node, request, { loggers: Object.fromEntries(allLevels(node.agent)) }),
  )
  router.add('PUT', '/_node/logging', async (request) => {
    const problem = apply(await request.body(bodyLimit))
    return problem === undefined
      ? acknowledged(node, request)
      : json({ ...envelope(node), error: problem }, 400)
  })
  router.add('PUT', '/_node/logging/reset', (request) => {
    resetLevels()
    return acknowledged(node, request)
  })
}

function acknowledged(node: NodeView, request: HttpRequest): Reply {
  return enveloped(node, request, { acknowledged: true })
}

/** Loggers of this thread, and those that plugins have in theirs. */
function allLevels({ pipelines }: AgentView): [name: string, level: Level][] {
  const found = levels()
  for (const { summary } of pipelines.values()) {
    if (summary === undefined) continue
    found.set('logstash.javapipeline', levelOf('logstash.javapipeline'))
    for (const { type, name } of summary.plugins) {
      const logger = `logstash.${type}s.${name}`
      found.set(logger, levelOf(logger))
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
}

/** The message of what is wrong with the body. */
function apply(body: Buffer): string | undefined {
  const changes = parse(body)
  if (changes === undefined) return 'the body is not a JSON object of loggers and their levels'
  const ours = changes.filter(([key]) => key.startsWith(prefix))
  const strange = changes.find(([key]) => !key.startsWith(prefix))
  const wanted = new Map(ours.map(([key, level]) => [key.slice(prefix.length), levelText(level)]))
  try {
    // A wrong level is told before a strange key, as Logstash does.
    parsedLevels(wanted)
    if (strange !== undefined) return `unrecognized option [${strange[0]}]`
    setLevels(wanted)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

function parse(body: Buffer): [string, unknown][] | undefined {
  try {
    const value: unknown = JSON.parse(body.toString())
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return Object.entries(value)
  } catch {
    return undefined
  }
}

function levelText(level: unknown): string {
  if (level === null) return ''
  return typeof level === 'string' ? level : JSON.stringify(level)
}
