/**
 * `GET /_node/pipelines/:id/_tap?at=<plugin id>`: events before and after one plugin while they go by, as server-sent
 * events or, for `Accept: application/x-ndjson`, a JSON object per line. Nothing is copied while nobody listens. The
 * node shows at most 200 events a second for each worker and counts the rest; a listener that does not keep up loses
 * events, which are counted as well, and one that does not read at all is dropped.
 */
import { HttpProblem } from '../../../http/problem.ts'
import type { Outlet } from '../../../http/respond.ts'
import type { Router } from '../../../http/router.ts'
import type { Handler, HttpRequest } from '../../../http/service.ts'
import type { TapCounts } from '../../../pipeline/watch/watch-order.ts'
import { findPipeline } from '../stats/one-pipeline.ts'
import type { NodeView } from '../view.ts'
import { requireTrust } from './trusted.ts'

const maxTaps = 16
const maxText = 1000
/** A person who still looks asks again. */
const maxMillis = 10 * 60_000
/** Bytes a listener may be behind. */
const maxBehind = 1024 * 1024
const maxBehindMillis = 10_000
const countsEvery = 1000

export function addTapRoutes(router: Router<Handler>, node: NodeView): void {
  router.add('GET', '/_node/pipelines/:id/_tap', (request) => {
    requireTrust(node.settings)
    const { watches } = node.agent
    const pipeline = findPipeline(node, request.parameters['id'] ?? '')
    const at = request.query.text('at') ?? ''
    if (!pipeline.summary?.plugins.some(({ id }) => id === at))
      throw new HttpProblem(400, '`at` must be the id of a plugin of the pipeline')
    if (watches === undefined || watches.tapCount >= maxTaps) throw new HttpProblem(503, 'Too many taps')
    const order = { at, sample: sampleOf(request), text: textOf(request) }
    const isLines = (request.headers.accept ?? '').includes('ndjson')
    return {
      status: 200,
      type: isLines ? 'application/x-ndjson' : 'text/event-stream',
      content: {
        stream: (outlet) => {
          const stream = new TapStream(outlet, isLines)
          const end = watches.tap(pipeline.id, order, stream)
          const stop = () => stream.end()
          stream.onOver = () => {
            end()
            node.closing.removeEventListener('abort', stop)
          }
          node.closing.addEventListener('abort', stop, { once: true })
          // Gone before anything was said.
          if (outlet.closed.aborted || node.closing.aborted) stop()
        },
      },
      headers: { 'x-accel-buffering': 'no' },
    }
  })
}

function sampleOf({ query }: HttpRequest): number {
  const text = query.text('sample')
  if (text === undefined) return 1
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new HttpProblem(400, '`sample` must be a number from 1 on')
  return Number(text)
}

function textOf({ query }: HttpRequest): string | undefined {
  const text = query.text('q')
  if (text === undefined || text === '') return undefined
  if (text.length > maxText) throw new HttpProblem(400, `\`q\` is longer than ${maxText} characters`)
  return text
}

class TapStream {
  onOver: () => void = () => {}
  readonly #outlet: Outlet
  readonly #isLines: boolean
  readonly #timer: NodeJS.Timeout
  readonly #limit: NodeJS.Timeout
  #counts = { seen: 0, shown: 0, dropped: 0, stride: 1 }
  #behindSince: number | undefined

  constructor(outlet: Outlet, isLines: boolean) {
    this.#outlet = outlet
    this.#isLines = isLines
    this.#timer = setInterval(() => this.#tell(), countsEvery)
    this.#limit = setTimeout(() => this.end(), maxMillis)
    this.#timer.unref()
    this.#limit.unref()
    outlet.closed.addEventListener('abort', () => this.#over(), { once: true })
    if (!isLines) outlet.write('retry: 3000\n\n')
    this.#tell()
  }

  events(texts: readonly string[], { seen, shown, dropped, stride }: TapCounts): void {
    const counts = this.#counts
    counts.seen += seen
    counts.dropped += dropped
    counts.stride = stride
    if (this.#outlet.waiting > maxBehind) {
      counts.dropped += texts.length
      return
    }
    counts.shown += shown
    if (texts.length > 0) this.#outlet.write(texts.map((text) => this.#framed('tap', text)).join(''))
  }

  #framed(event: string, json: string): string {
    return this.#isLines ? `${json}\n` : `event: ${event}\ndata: ${json}\n\n`
  }

  /** Once a second, also when there is nothing to say: a connection that is gone is noticed then. */
  #tell(): void {
    const now = Date.now()
    if (this.#outlet.waiting > maxBehind) {
      this.#behindSince ??= now
      if (now - this.#behindSince > maxBehindMillis) this.#outlet.drop()
      return
    }
    this.#behindSince = undefined
    this.#outlet.write(this.#framed('counts', JSON.stringify({ counts: this.#counts })))
  }

  #over(): void {
    clearInterval(this.#timer)
    clearTimeout(this.#limit)
    this.onOver()
  }

  end(): void {
    if (this.#outlet.waiting > 0) this.#outlet.drop()
    else this.#outlet.end()
    this.#over()
  }
}
