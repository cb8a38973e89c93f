/**
 * http: asks a server about every event and puts its answer into the event. The events of a batch are asked
 * about at the same time.
 */

import type { Event } from '../../event/event.ts'
import { parseJson } from '../../event/json-parse.ts'
import { writeJson } from '../../event/json-write.ts'
import { utf8Text } from '../../event/utf8-text.ts'
import { isFields } from '../../event/value.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { textOf } from '../../plugin/raw-text.ts'
import { httpClientOptions } from '../http-client/http-options.ts'
import { rubyText } from '../ruby-values/text.ts'
import { Asking, headerFields, headersOf, isJson, tagAll } from './http/asking.ts'
import { compileObject, fieldsOfHash } from './http/object-template.ts'

export default defineFilter({
  name: 'http',
  summary: 'Asks a server about every event and stores its answer.',
  description:
    'An answer of the type `application/json` is stored as the value it holds, any other as text without blanks ' +
    'around it. A status outside 200 to 299 and a request without answer are failures.',
  oneToOne: true,
  options: {
    url: option.string({ required: true, doc: 'Where to ask; may contain `%{…}`.' }),
    verb: option.oneOf(['GET', 'HEAD', 'PATCH', 'DELETE', 'POST', 'PUT'], {
      default: 'GET',
      doc: 'Method of the requests.',
    }),
    headers: option.hash({
      default: new Map(),
      doc: 'Headers to send; may contain `%{…}`. A `content-type` among them wins over that of `body_format`.',
    }),
    query: option.hash({ default: new Map(), doc: 'Parameters to add to the URL; may contain `%{…}`.' }),
    body: option.any({ doc: 'Body of the requests; may contain `%{…}`.' }),
    body_format: option.oneOf(['text', 'json'], {
      default: 'text',
      doc: 'Whether the body is sent as text or as JSON.',
    }),
    target_body: option.fieldReference({
      doc: 'Field for the body of the answer; `body` unless given. With ECS compatibility it has to be given.',
    }),
    target_headers: option.fieldReference({
      doc: 'Field for its headers; `headers`, with ECS compatibility `[@metadata][filter][http][response][headers]`.',
    }),
    tag_on_request_failure: option.array({
      default: ['_httprequestfailure'],
      doc: 'Tags for events whose request failed.',
    }),
    tag_on_json_failure: option.array({
      default: ['_jsonparsefailure'],
      doc: 'Tags for events whose answer is not the JSON it says it is.',
    }),
    ...httpClientOptions,
  },
  create(context) {
    const { options, compile, ecs, logger, abort, matched } = context
    const asking = new Asking(options, abort)
    const isEcs = ecs !== 'disabled'
    if (isEcs && options.target_body === undefined) {
      logger.error('Missing a required setting for the http filter plugin: target_body')
      throw new Error(`Wrong configuration (in ecs_compatibility mode :${ecs})`)
    }
    const setBody = compile.set(options.target_body ?? 'body')
    const setHeaders = compile.set(
      options.target_headers ?? (isEcs ? '[@metadata][filter][http][response][headers]' : 'headers'),
    )
    const url = compile.template(options.url)
    const headers = compileObject(fieldsOfHash(options.headers), compile)
    const query = compileObject(fieldsOfHash(options.query), compile)
    const body = options.body === undefined ? undefined : compileObject(options.body, compile)
    const isJsonBody = options.body_format === 'json'
    const contentType: [string, string] = ['content-type', isJsonBody ? 'application/json' : 'text/plain']
    const headersFor = (event: Event): [string, string][] => {
      const own = headersOf(headers(event))
      const hasType = own.some(([name]) => name === 'content-type')
      return hasType ? own : [...own, contentType]
    }
    const requestTags = options.tag_on_request_failure.map(rubyText)
    const jsonTags = options.tag_on_json_failure.map(rubyText)

    function bodyOf(event: Event): string | undefined {
      const value = body?.(event)
      if (value === undefined || value === null) return undefined
      return isJsonBody && (isFields(value) || Array.isArray(value)) ? writeJson(value) : textOf(value)
    }

    function failed(event: Event, address: string, details: Record<string, unknown>): void {
      logger.error('error during HTTP request', { url: address, ...details })
      tagAll(event, requestTags)
    }

    async function one(event: Event): Promise<void> {
      const address = url(event)
      try {
        const answer = await asking.ask({
          method: options.verb,
          url: address,
          query: query(event),
          headers: headersFor(event),
          body: bodyOf(event),
          user: options.user,
          password: options.password?.value,
        })
        const text = utf8Text(answer.body)
        if (answer.status < 200 || answer.status > 299) {
          failed(event, address, { code: answer.status, response: text })
          return
        }
        setHeaders(event, headerFields(answer))
        // There is no body to an answer to HEAD, nor to one that says so, of whatever type it would be.
        if (options.verb === 'HEAD' || answer.status === 204) return matched(event)
        if (isJson(answer)) storeJson(event, text)
        else setBody(event, text.trim())
        matched(event)
      } catch (error) {
        failed(event, address, { client_error: (error as Error).message })
      }
    }

    function storeJson(event: Event, text: string): void {
      try {
        setBody(event, parseJson(text))
      } catch (error) {
        logger.warn('JSON parsing error', { message: (error as Error).message })
        tagAll(event, jsonTags)
      }
    }

    return {
      register: () => asking.register(),
      async filterBatch(events) {
        await Promise.all(events.map((event) => one(event).catch((error) => context.failed(event, error))))
      },
      close: () => asking.close(),
    }
  },
})
