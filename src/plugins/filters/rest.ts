/**
 * rest: the filter of the plugin logstash-filter-rest, which the http filter grew out of. A request is one hash;
 * an answer that fails can be replaced by a fallback.
 */

import type { Event } from '../../event/event.ts'
import { parseJson } from '../../event/json-parse.ts'
import { writeJson } from '../../event/json-write.ts'
import { utf8Text } from '../../event/utf8-text.ts'
import { isFields, readField, type Value } from '../../event/value.ts'
import { defineFilter, option, withoutEffect } from '../../plugin/define.ts'
import { textOf } from '../../plugin/raw-text.ts'
import { httpClientOptions } from '../http-client/http-options.ts'
import { rubyText } from '../ruby-values/text.ts'
import { refuseToRegister } from '../values/register-refusal.ts'
import { Asking, headersOf, type Question, tagAll } from './http/asking.ts'
import { compileObject, fieldsOfHash } from './http/object-template.ts'

const methods = /^(get|head|post|put|patch|delete)$/

export default defineFilter({
  name: 'rest',
  summary: 'Asks a REST service about every event and stores its answer.',
  description:
    'The request is a hash of `url`, `method` (`get` unless given), `headers`, `auth` (`user`, `password`), `body` and ' +
    '`params`, which become the query of a `get` and the JSON body of other methods. All may contain `%{…}`.',
  oneToOne: true,
  options: {
    request: option.hash({
      required: true,
      doc: 'The request: `url`, `method`, `headers`, `auth`, `params`, `body`.',
    }),
    target: option.string({ required: true, doc: 'Field for the answer.' }),
    json: option.boolean({ default: true, doc: 'Whether the answer is read as JSON, or taken as text.' }),
    sprintf: option.boolean(withoutEffect('`%{…}` always works.', false)),
    fallback: option.hash({
      default: new Map(),
      doc: 'What to store when the request fails; may contain `%{…}`.',
    }),
    append: option.boolean(withoutEffect('the plugin it comes from never used it.', false)),
    tag_on_rest_failure: option.array({
      default: ['_restfailure'],
      doc: 'Tags for events whose request failed.',
    }),
    tag_on_json_failure: option.array({
      default: ['_jsonparsefailure'],
      doc: 'Tags for events whose answer is no JSON.',
    }),
    ...httpClientOptions,
  },
  create({ options, compile, logger, abort, matched, failed }) {
    const asking = new Asking(options, abort)
    const spec = fieldsOfHash(options.request)
    if (typeof readField(spec, 'url') !== 'string') refuseToRegister('rest', 'request needs a `url`')
    const method = textOf(readField(spec, 'method') ?? 'get').toLowerCase()
    if (!methods.test(method)) refuseToRegister('rest', `there is no method ${method}`)
    const request = compileObject(spec, compile)
    const fallback = compileObject(fieldsOfHash(options.fallback), compile)
    const setTarget = compile.set(options.target)
    const restTags = options.tag_on_rest_failure.map(rubyText)
    const jsonTags = options.tag_on_json_failure.map(rubyText)

    function questionFor(event: Event): Question {
      const filled = request(event)
      const member = (name: string): Value | undefined =>
        isFields(filled) ? (readField(filled, name) ?? undefined) : undefined
      const auth = member('auth')
      const credential = (name: string): string | undefined => {
        const value = isFields(auth) ? readField(auth, name) : undefined
        return value === undefined || value === null ? undefined : textOf(value)
      }
      const params = member('params')
      const inQuery = method === 'get' || method === 'head' || method === 'delete'
      const content = member('body') ?? (inQuery ? undefined : params)
      const headers = headersOf(member('headers') ?? {})
      if (isFields(content) && !headers.some(([name]) => name === 'content-type'))
        headers.push(['content-type', 'application/json'])
      return {
        method: method.toUpperCase(),
        url: textOf(member('url') ?? ''),
        query: inQuery ? params : undefined,
        headers,
        body: content === undefined ? undefined : isFields(content) ? writeJson(content) : textOf(content),
        user: credential('user') ?? options.user,
        password: credential('password') ?? options.password?.value,
      }
    }

    async function one(event: Event): Promise<void> {
      let text: string
      try {
        const { status, body } = await asking.ask(questionFor(event))
        text = utf8Text(body)
        if (status < 200 || status > 299) throw new Error(`status ${status}`)
      } catch (error) {
        logger.error('error in rest filter', { message: (error as Error).message })
        tagAll(event, restTags)
        if (options.fallback.size > 0) setTarget(event, fallback(event))
        return
      }
      if (!options.json) setTarget(event, text.trim())
      else if (!storeJson(event, text)) return
      matched(event)
    }

    function storeJson(event: Event, text: string): boolean {
      try {
        setTarget(event, parseJson(text))
        return true
      } catch (error) {
        logger.warn('JSON parsing error', { message: (error as Error).message })
        tagAll(event, jsonTags)
        if (options.fallback.size > 0) setTarget(event, fallback(event))
        return false
      }
    }

    return {
      register: () => asking.register(),
      async filterBatch(events) {
        await Promise.all(events.map((event) => one(event).catch((error) => failed(event, error))))
      },
      close: () => asking.close(),
    }
  },
})
