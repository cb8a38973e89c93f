/** `_search/template`, `_msearch/template` and `_render/template`. */

import { writeJson } from '../../../search/answer/json-text.ts'
import { memberOf } from '../../../search/index/cluster-state.ts'
import { encodingOf, renderSteps } from '../../../search/mustache/render.ts'
import { parseTemplate, templateText } from '../../../search/mustache/template.ts'
import {
  contentError,
  illegalArgument,
  parsingError,
  validationFailed,
} from '../../../search/request/errors.ts'
import { resourceNotFound } from '../../../search/request/index-errors.ts'
import { isObject, type JsonObject, own } from '../../../search/request/json-object.ts'
import type { Call } from '../call.ts'
import { parseJson } from '../request-json.ts'
import { type Answer, ofBytes, type Route, route, searching } from '../route.ts'
import { multiSearch, searchCall, searchParameters, searchWith } from './search.ts'

const known = ['id', 'source', 'inline', 'template', 'params', 'explain', 'profile']

interface Template {
  readonly source: string
  readonly contentType: string | undefined
}

function storedTemplate(call: Call, id: string): Template {
  const script = memberOf(call.cluster.state.scripts, id)
  if (script === undefined) throw resourceNotFound(`unable to find script [${id}] in cluster state`)
  const lang = own(script, 'lang')
  if (lang !== 'mustache') throw illegalArgument(`script_lang not supported [${String(lang)}]`)
  const options = own(script, 'options')
  const contentType = isObject(options) ? own(options, 'content_type') : undefined
  return {
    source: templateText(own(script, 'source')),
    contentType: typeof contentType === 'string' ? contentType : undefined,
  }
}

/** The template of a request: stored under an id, or inline. */
function templateOf(call: Call, body: JsonObject, id: string | undefined): Template {
  const wrong = Object.keys(body).find((name) => !known.includes(name))
  if (wrong !== undefined) throw contentError(`[1:2] [search_template] unknown field [${wrong}]`)
  const stored = id ?? own(body, 'id')
  if (stored !== undefined && stored !== null) return storedTemplate(call, String(stored))
  const source = own(body, 'source') ?? own(body, 'inline') ?? own(body, 'template')
  if (source === undefined || source === null || source === '')
    throw validationFailed('template is missing', "template's script type is missing")
  return { source: templateText(source), contentType: undefined }
}

/** Renders a template to the body of a search. */
async function rendered(call: Call, body: JsonObject, id?: string): Promise<Buffer> {
  const { source, contentType } = templateOf(call, body, id)
  const steps = renderSteps(parseTemplate(source), own(body, 'params') ?? {}, encodingOf(contentType))
  const text = await call.cluster.scheduler.begin(steps, () => call.signal.throwIfAborted())
  return Buffer.from(text)
}

function parseObject(call: Call, bytes: Buffer): JsonObject {
  const json = parseJson(bytes, call.cluster.compat.json)
  if (!isObject(json)) throw parsingError('Expected [START_OBJECT] in a template')
  return json
}

async function search(call: Call): Promise<Answer> {
  const body = call.body.required
  const bytes = await rendered(call, body)
  const json = bytes.length === 0 ? {} : parseObject(call, bytes)
  const marks: Record<string, unknown> = {}
  for (const name of ['explain', 'profile']) if (own(body, name) === true) marks[name] = true
  const marked = { ...json, ...marks }
  const bodyText = Object.keys(marks).length === 0 ? bytes : Buffer.from(writeJson(marked))
  return searchWith(call, { ...searchCall(call), body: marked, bodyText })
}

function multi(call: Call): Promise<Answer> {
  return multiSearch(call, (line) => rendered(call, parseObject(call, line)))
}

async function render(call: Call): Promise<Answer> {
  const bytes = await rendered(call, call.body.object ?? {}, call.parts['id'])
  return { body: { template_output: parseJson(bytes, call.cluster.compat.json) } }
}

export const searchTemplateRoutes: readonly Route[] = [
  route(
    'GET|POST',
    '/_search/template /:index/_search/template',
    `${searchParameters} profile`,
    searching(search),
  ),
  ofBytes(
    route(
      'GET|POST',
      '/_msearch/template /:index/_msearch/template',
      `${searchParameters} max_concurrent_searches`,
      searching(multi),
    ),
  ),
  route('GET|POST', '/_render/template /_render/template/:id', '', render),
]
