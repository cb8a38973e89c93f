/** `/_stats`: an early form of the stats that Logstash never documented and never removed. */
import { HttpProblem } from '../../../http/problem.ts'
import type { Router } from '../../../http/router.ts'
import type { Handler, HttpRequest } from '../../../http/service.ts'
import { type Body, enveloped } from '../envelope.ts'
import { recentOsStats } from '../metrics/control-groups.ts'
import { startTime } from '../metrics/machine-info.ts'
import type { NodeView } from '../view.ts'
import { namesIn } from './parts.ts'

const parts: ReadonlyMap<string, (node: NodeView) => unknown> = new Map<string, (node: NodeView) => unknown>([
  ['events', ({ totals }) => totals.read()],
  ['jvm', jvm],
  ['os', () => recentOsStats()],
])

export function addEarlyStatsRoutes(router: Router<Handler>, node: NodeView): void {
  const reply = (request: HttpRequest, names: readonly string[]) => {
    const wanted = [...parts].filter(([name]) => names.includes(name))
    if (wanted.length === 0) throw new HttpProblem(404, 'Not Found')
    return enveloped(node, request, Object.fromEntries(wanted.map(([name, part]) => [name, part(node)])))
  }
  router.add('GET', '/_stats', (request) => reply(request, [...parts.keys()]))
  router.add('GET', '/_stats/:parts', (request) => reply(request, namesIn(request)))
  router.add('GET', '/_stats/jvm/memory', (request) =>
    enveloped(node, request, { memory: node.memory.read().mem }),
  )
}

function jvm({ memory }: NodeView): Body {
  const { mem, uptime_in_millis } = memory.read()
  return { timestamp: startTime(), uptime_in_millis, memory: mem }
}
