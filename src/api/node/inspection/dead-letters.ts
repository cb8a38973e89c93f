/**
 * `/_node/pipelines/:id/_dead_letters`: events a pipeline gave up, newest first, to look at, to send through the
 * pipeline once more, changed or not, and to remove. An event that fails again is given up again, as a new entry.
 */
import { HttpProblem } from '../../../http/problem.ts'
import type { Reply } from '../../../http/respond.ts'
import type { Router } from '../../../http/router.ts'
import type { Handler, HttpRequest } from '../../../http/service.ts'
import type { LetterPlace } from '../../../threads/queues/dead-letter-desk.ts'
import { envelope, enveloped } from '../envelope.ts'
import { findPipeline } from '../stats/one-pipeline.ts'
import type { NodeView, PipelineView } from '../view.ts'
import { requireTrust } from './trusted.ts'

const maxBody = 8 * 1024 * 1024
const maxSize = 200
const defaultSize = 50
/** A queue that is full can hold up a replay for as long as it likes. */
const timeoutMillis = 30_000

/** Loaded by who asks: it brings along how events are read and written, which this thread has no other use for. */
const desk = () => import('../../../threads/queues/dead-letter-desk.ts')

export function addDeadLetterRoutes(router: Router<Handler>, node: NodeView): void {
  const route = '/_node/pipelines/:id/_dead_letters'
  const pipelineOf = ({ parameters }: HttpRequest) => {
    requireTrust(node.settings)
    return findPipeline(node, parameters['id'] ?? '')
  }
  router.add('GET', route, (request) => listed(node, request, pipelineOf(request)))
  router.add('DELETE', route, async (request) => {
    const pipeline = pipelineOf(request)
    const { lettersDirectory, removeLetters } = await desk()
    const { segments, entries } = removeLetters(lettersDirectory(pipeline.config.settings))
    return enveloped(node, request, { acknowledged: true, segments, entries })
  })
  router.add('POST', `${route}/_replay`, async (request) => {
    const pipeline = pipelineOf(request)
    const { bytes, count } = await eventsOf(request, pipeline)
    await delivered(pipeline, bytes, count)
    return enveloped(node, request, { acknowledged: true, replayed: count })
  })
}

async function listed(node: NodeView, { query }: HttpRequest, pipeline: PipelineView): Promise<Reply> {
  const size = Number(query.text('size') ?? defaultSize)
  if (!Number.isInteger(size) || size < 1 || size > maxSize)
    throw new HttpProblem(400, `\`size\` must be a whole number from 1 to ${maxSize}`)
  const { letterPage, lettersDirectory } = await desk()
  const { entries, next, damaged } = await letterPage(lettersDirectory(pipeline.config.settings), {
    before: placeOf(query.text('before')),
    size,
    text: query.text('q') ?? '',
  })
  const isEnabled = pipeline.config.settings.get('dead_letter_queue.enable')
  const head = JSON.stringify({
    ...envelope(node),
    dead_letter_queue: { enabled: isEnabled, ...pipeline.thread?.deadLetters },
    next: next === undefined ? null : `${next.segment}:${next.offset}`,
    damaged,
  })
  // Entries are JSON already, with numbers that JavaScript would round.
  const text = `${head.slice(0, -1)},"entries":[${entries.join(',')}]}`
  return { status: 200, type: 'application/json', content: { pieces: [Buffer.from(text)] } }
}

function placeOf(text: string | undefined): LetterPlace | undefined {
  if (text === undefined) return undefined
  const [, segment, offset] = /^(\d{1,15}):(\d{1,15})$/.exec(text) ?? []
  if (segment === undefined) throw new HttpProblem(400, '`before` must be a segment and an offset, as 1:20')
  return { segment: Number(segment), offset: Number(offset) }
}

async function eventsOf(request: HttpRequest, { config }: PipelineView) {
  const { BadReplay, lettersDirectory, replayed } = await desk()
  const body = (await request.body(maxBody)).toString('utf8')
  try {
    return replayed(lettersDirectory(config.settings), body)
  } catch (error) {
    throw error instanceof BadReplay ? new HttpProblem(400, error.message) : error
  }
}

async function delivered({ thread }: PipelineView, bytes: Uint8Array, count: number): Promise<void> {
  if (thread?.replay === undefined) throw new HttpProblem(409, 'The pipeline does not run')
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new HttpProblem(503, 'The queue of the pipeline is full; the events may still follow')),
      timeoutMillis,
    )
  })
  const replay = thread.replay(bytes, count).catch((error: Error) => {
    throw new HttpProblem(409, error.message)
  })
  try {
    await Promise.race([replay, over])
  } finally {
    clearTimeout(timer)
  }
}
