/**
 * `GET /_node/stats/stream`: the stats again and again as server-sent events. `interval` says how often, `metrics`
 * which parts, as in the path of `/_node/stats`. What is wrong with the request is said before the stream begins.
 */
import { HttpProblem } from '../../http/problem.ts'
import type { Router } from '../../http/router.ts'
import type { Handler, HttpRequest } from '../../http/service.ts'
import { ask } from './inner-request.ts'
import { StatsStreams } from './stream-clients.ts'
import type { NodeView } from './view.ts'

const minInterval = 250
const maxInterval = 60_000
const millisPerUnit: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 }
const maxListLength = 256

export function addStreamRoutes(router: Router<Handler>, node: NodeView): void {
  const streams = new StatsStreams(node, (path) => ask(router, path))
  router.add('GET', '/_node/stats/stream', async (request) => {
    const interval = intervalOf(request)
    const path = pathOf(request)
    const first = await ask(router, path, request.signal)
    if (streams.isFull) throw new HttpProblem(503, 'Too many streams')
    return {
      status: 200,
      type: 'text/event-stream',
      content: { stream: (outlet) => streams.add(outlet, { path, interval }, first) },
      headers: { 'x-accel-buffering': 'no' },
    }
  })
}

function intervalOf({ query }: HttpRequest): number {
  const text = query.text('interval')
  if (text === undefined) return 1000
  const [, amount, unit = ''] = /^(\d{1,6})(ms|s|m)$/.exec(text.trim()) ?? []
  const millis = Number(amount) * (millisPerUnit[unit] ?? Number.NaN)
  if (!(millis >= minInterval && millis <= maxInterval))
    throw new HttpProblem(400, `Invalid interval '${text}' provided. It must be between 250ms and 60s.`)
  return millis
}

/** The comma at the end names nothing, but keeps a name such as `stream` from being another route. */
function pathOf({ query }: HttpRequest): string {
  const list = query.text('metrics')
  if (list === undefined) return '/_node/stats'
  if (list.length > maxListLength) throw new HttpProblem(400, 'Too many metrics')
  return `/_node/stats/${encodeURIComponent(list)},`
}
