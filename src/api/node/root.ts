/**
 * `GET /`: the envelope and what was built when; with `wait_for_status` and `timeout` it waits for a healthy node. A
 * browser is sent to the dashboard.
 */
import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isPageVisit } from '../../http/page-visit.ts'
import { HttpProblem } from '../../http/problem.ts'
import { text } from '../../http/respond.ts'
import type { Router } from '../../http/router.ts'
import type { Handler, HttpRequest } from '../../http/service.ts'
import { enveloped } from './envelope.ts'
import { type Colour, colours, isAtLeast, nodeStatus } from './health/status.ts'
import type { NodeView } from './view.ts'

const millisPerUnit: Readonly<Record<string, number>> = {
  nanos: 1e-6,
  micros: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}
const firstPause = 200
const maxPause = 10_000

export function addRootRoutes(router: Router<Handler>, node: NodeView): void {
  const build = { build_date: buildDate(), build_sha: '0'.repeat(40), build_snapshot: false }
  router.add('GET', '/', async (request) => {
    if (node.settings.get('api.ui.enabled') && isPageVisit(request.headers) && request.query.raw === '')
      return text('', 302, { location: '/ui', vary: 'accept' })
    await waitForStatus(node, request)
    return enveloped(node, request, build)
  })
}

/** When this file was written, which a build does. */
function buildDate(): string {
  const { mtime } = statSync(fileURLToPath(import.meta.url))
  return mtime.toISOString().replace(/\.\d+Z$/, '+00:00')
}

async function waitForStatus(node: NodeView, { query, signal }: HttpRequest): Promise<void> {
  const wanted = query.text('wait_for_status')
  const timeout = query.text('timeout')
  const limit = timeout === undefined ? undefined : timeoutMillis(timeout)
  if (wanted === undefined) return
  const colour = colours.find((known) => known === wanted.toLowerCase())
  if (colour === undefined) {
    throw new HttpProblem(
      400,
      `Invalid status '${wanted}' provided. The valid statuses are: green, yellow, red.`,
    )
  }
  if (limit === undefined) throw new HttpProblem(400, 'A timeout must be provided along with a status.')
  const isThere = await reached(() => isAtLeast(nodeStatus(node), colour as Colour), limit, signal)
  if (!isThere) throw new HttpProblem(408, `Timed out waiting for status '${wanted}'.`)
}

function timeoutMillis(text: string): number {
  const [, amount, unit = ''] = /^(\d{1,12})(nanos|micros|ms|s|m|h|d)$/.exec(text.trim()) ?? []
  if (amount === undefined) throw new HttpProblem(400, `Invalid timeout '${text}' provided.`)
  return Number(amount) * (millisPerUnit[unit] ?? 1)
}

async function reached(isThere: () => boolean, limit: number, signal: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + limit
  for (let pause = firstPause; !isThere(); pause = Math.min(pause * 2, maxPause)) {
    const left = deadline - performance.now()
    if (left <= 0 || signal.aborted) return false
    // A client that has gone away ends the wait; nobody reads the reply then.
    await sleep(Math.min(pause, left), undefined, { signal }).catch(() => undefined)
  }
  return true
}
