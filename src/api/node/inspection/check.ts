/**
 * `POST /_node/_check`: what is wrong with a configuration text, with file, line, column and a hint, as `-t` would find
 * it. With `pipeline` the text is looked at with the settings of that pipeline, and `file` says which of its files the
 * text is to replace. `POST /_node/pipelines/:id/_simulate` runs events through the filters of a pipeline, or of a
 * configuration in the body. Neither starts an input or an output; both work in a thread of their own.
 * `GET /_node/plugins/:type/:name` tells what a plugin declares, for editors that complete names.
 */
import { HttpProblem } from '../../../http/problem.ts'
import type { Router } from '../../../http/router.ts'
import type { Handler, HttpRequest } from '../../../http/service.ts'
import type { SourcePart } from '../../../pipeline/plan/source.ts'
import type { Configuration, InspectionJob } from '../../../threads/configuration/inspection-job.ts'
import {
  Inspections,
  InspectionTimeout,
  TooManyInspections,
} from '../../../threads/configuration/inspections.ts'
import { envelopedText } from '../envelope.ts'
import { jsonBody, jsonObject } from '../json-body.ts'
import { type NodeView, type PipelineView, userPipelines } from '../view.ts'
import { requireTrust } from './trusted.ts'

const maxBody = 4 * 1024 * 1024
const maxConfig = 1024 * 1024
const maxEvents = 1000
/** The time budget of the work, and the deadline after which its thread is terminated. */
const maxMillis = 5000
const endMillis = 20_000
const maxAnswer = 8 * 1024 * 1024

export function addCheckRoutes(router: Router<Handler>, node: NodeView): void {
  const inspections = new Inspections()
  node.closing.addEventListener('abort', () => void inspections.close(), { once: true })
  router.add('POST', '/_node/_check', async (request) => {
    requireTrust(node.settings)
    const body = await jsonBody(request, maxBody)
    const pipeline = textOf(body, 'pipeline')
    const found = pipeline === undefined ? undefined : pipelineOf(node, pipeline)
    const config = textOf(body, 'config')
    if (config === undefined) throw new HttpProblem(400, '`config` must be a text')
    const configuration = configurationOf(node, found, config, textOf(body, 'file'))
    return answer(node, request, inspections, { kind: 'check', ...configuration })
  })
  router.add('POST', '/_node/pipelines/:id/_simulate', async (request) => {
    requireTrust(node.settings)
    const found = pipelineOf(node, request.parameters['id'] ?? '')
    const text = (await request.body(maxBody)).toString('utf8')
    const body = jsonObject(text)
    checkEvents(body['events'])
    const configuration = configurationOf(node, found, textOf(body, 'config'), textOf(body, 'file'))
    return answer(node, request, inspections, {
      kind: 'simulate',
      ...configuration,
      // As text: numbers beyond what a double can hold stay what they are.
      events: text,
      maxMillis,
      maxBytes: maxAnswer,
    })
  })
  router.add('GET', '/_node/plugins/:type/:name', (request) => {
    const { type = '', name = '' } = request.parameters
    return answer(node, request, inspections, pluginJob(node, type, name))
  })
}

const pluginTypes: readonly Extract<InspectionJob, { kind: 'plugin' }>['type'][] = [
  'input',
  'filter',
  'output',
  'codec',
]

function pluginJob(node: NodeView, typeText: string, name: string): InspectionJob {
  const type = pluginTypes.find((one) => one === typeText)
  if (type === undefined) throw new HttpProblem(404, 'Not Found')
  return { kind: 'plugin', settings: node.settings.toData(), type, name }
}

async function answer(node: NodeView, request: HttpRequest, inspections: Inspections, job: InspectionJob) {
  try {
    const text = await inspections.run(job, endMillis)
    if (text === 'null') throw new HttpProblem(404, 'Not Found')
    return envelopedText(node, request, text)
  } catch (error) {
    const { name, message } = error as Error
    if (error instanceof TooManyInspections) throw new HttpProblem(429, message)
    if (error instanceof InspectionTimeout) throw new HttpProblem(408, message)
    if (name === 'InvalidConfiguration') throw new HttpProblem(400, message)
    throw error
  }
}

function pipelineOf({ agent }: NodeView, id: string): PipelineView {
  const found = userPipelines(agent).find((pipeline) => pipeline.id === id)
  if (found === undefined) throw new HttpProblem(404, 'Not Found')
  return found
}

function textOf(body: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw new HttpProblem(400, `\`${name}\` must be a text`)
  return value
}

/** A text without a file is all there is; with one it stands for that file of the pipeline, or is a new one. */
function configurationOf(
  node: NodeView,
  pipeline: PipelineView | undefined,
  config: string | undefined,
  file: string | undefined,
): Configuration {
  const settings = (pipeline?.config.settings ?? node.settings).toData()
  const own = pipeline?.config.parts ?? []
  if (config === undefined) return { settings, parts: own }
  if (config.length > maxConfig)
    throw new HttpProblem(413, `\`config\` is longer than ${maxConfig} characters`)
  const part: SourcePart = { protocol: 'file', id: file ?? 'config', text: config }
  if (file === undefined) return { settings, parts: [part] }
  const isKnown = own.some(({ id }) => id === file)
  const parts = isKnown
    ? own.map((one) => (one.id === file ? { ...one, text: config } : one))
    : [...own, part]
  return { settings, parts }
}

function checkEvents(events: unknown): void {
  if (!Array.isArray(events) || events.length > maxEvents)
    throw new HttpProblem(400, `\`events\` must be a list of at most ${maxEvents} events or lines`)
}
