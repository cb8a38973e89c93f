/**
 * elasticsearch: searches for earlier documents and copies parts of them into the event. The events of a batch are
 * searched for side by side.
 */
import { readFileSync } from 'node:fs'
import type { Event } from '../../event/event.ts'
import { parseJson } from '../../event/json-parse.ts'
import { writeJson } from '../../event/json-write.ts'
import { type Fields, isFields, readField, type Value } from '../../event/value.ts'
import { startConcern } from '../../plugin/concern.ts'
import { defineFilter } from '../../plugin/define.ts'
import { textOf } from '../../plugin/raw-text.ts'
import type { ElasticsearchOptions } from '../elasticsearch/options.ts'
import { hitsOf } from '../elasticsearch/paging.ts'
import { SearchClient, SearchError } from '../elasticsearch/search-client.ts'
import { rubyText } from '../ruby-values/text.ts'
import { nestedReference } from '../values/dynamic-field.ts'
import { sideBySide } from '../values/side-by-side.ts'
import { columnOf, compileRequest, tableOf } from './elasticsearch/esql.ts'
import { type LookupOptions, lookupOptions } from './elasticsearch/options.ts'

/** Searches under way at the same time. */
const window = 32

/** Limits of Logstash's client. */
const timeouts = { connect_timeout_seconds: 10, request_timeout_seconds: 60, socket_timeout_seconds: 60 }

interface Copy {
  readonly path: readonly string[]
  readonly set: (event: Event, value: Value) => void
}

export default defineFilter({
  name: 'elasticsearch',
  summary: 'Searches for earlier documents and copies parts of them into the event.',
  description: [
    'A document found gives each of `fields` its value; several give a list. The number of documents that match is',
    'kept in `[@metadata][total_hits]`. A search that finds nothing changes nothing and applies no common option.',
  ].join('\n'),
  oneToOne: true,
  options: lookupOptions,
  concerns: (options) => startConcern('query', () => checkOptions(options)),
  create({ options, compile, logger, matched, abort, failed }) {
    const { target } = options
    const index = compile.template(options.index)
    const query = compile.template(options.query ?? '')
    const copy = ([from, to]: readonly [string, Value]): Copy => {
      const name = textOf(to)
      return {
        path: pathOf(from),
        set: compile.set(target === undefined ? name : nestedReference(target, name)),
      }
    }
    const fields = pairsOf(options.fields).map(copy)
    const columns = pairsOf(options.fields).map(([name, to]) => ({ name, ...copy([name, to]) }))
    const facts = [...options.docinfo_fields].map(copy)
    const aggregations = [...options.aggregation_fields].map((pair) => ({ name: pair[0], ...copy(pair) }))
    const setTotal = compile.set('[@metadata][total_hits]')
    const setRows = compile.set('[@metadata][total_values]')
    const tags = options.tag_on_failure.map(rubyText)
    const retried = new Set(options.retry_on_status.map(Number))
    const request =
      options.query_type === 'esql'
        ? compileRequest(options.query ?? '', options.query_params, compile)
        : undefined
    let template: ((event: Event) => string) | undefined
    let client: SearchClient | undefined
    const stop = () => void client?.close()

    /** Repeats what may work the next time. */
    async function send(method: 'GET' | 'POST', path: string, body?: Fields): Promise<Fields> {
      for (let attempt = 0; ; attempt++) {
        try {
          return await client!.send(method, path, body)
        } catch (error) {
          const isAnswer = error instanceof SearchError
          const mayRetry = isAnswer ? retried.has(error.status) : true
          if (!mayRetry || attempt >= options.retry_on_failure || abort.aborted) throw error
        }
      }
    }

    async function search(event: Event): Promise<Fields> {
      const indices = index(event)
      const path = indices === '' ? '/_search' : `/${encodeURIComponent(indices)}/_search`
      let answer: Fields
      if (template === undefined) {
        const parameters = new URLSearchParams({ q: query(event), size: String(options.result_size) })
        if (options.enable_sort) parameters.set('sort', options.sort)
        answer = await send('GET', `${path}?${parameters}`)
      } else {
        const body = parseJson(template(event))
        if (!isFields(body)) throw new Error('the query template is not a JSON object')
        answer = await send('POST', path, body)
      }
      const shards = answer['_shards']
      const failures = isFields(shards) ? shards['failures'] : undefined
      if (failures !== undefined) throw new Error(`Elasticsearch query error: ${writeJson(failures)}`)
      return answer
    }

    /** True when something was found. */
    function take(event: Event, answer: Fields): boolean {
      const hits = answer['hits']
      const total = isFields(hits) ? hits['total'] : undefined
      setTotal(event, (isFields(total) ? total['value'] : total) ?? null)
      const found = hitsOf(answer)
      const all = (values: readonly Value[]): Value => (values.length > 1 ? [...values] : values[0]!)
      if (found.length > 0) {
        for (const { path, set } of fields)
          set(event, all(found.map((hit) => valueAt(hit['_source'] ?? null, path))))
        for (const { path, set } of facts) set(event, all(found.map((hit) => valueAt(hit, path))))
      }
      const results = answer['aggregations']
      const hasResults = isFields(results) && Object.keys(results).length > 0
      if (hasResults) {
        for (const { name, set } of aggregations) set(event, readField(results, name) ?? null)
      }
      return found.length > 0 || hasResults
    }

    async function takeTable(event: Event, body: Fields): Promise<boolean> {
      const table = tableOf(await send('POST', '/_query', body))
      setRows(event, table.rows.length)
      if (table.rows.length === 0) return false
      for (const { name, set } of columns) set(event, columnOf(table, name))
      return true
    }

    async function look(event: Event): Promise<void> {
      let isFound = false
      try {
        isFound =
          request === undefined ? take(event, await search(event)) : await takeTable(event, request(event))
      } catch (error) {
        logger.warn('Failed to query elasticsearch for previous event', {
          index: options.index,
          error: (error as Error).message,
        })
        for (const tag of tags) event.tag(tag)
        return
      }
      if (isFound) matched(event)
    }

    return {
      async register() {
        checkOptions(options)
        if (options.query_template !== undefined)
          template = compile.template(readFileSync(options.query_template, 'utf8'))
        client = await SearchClient.open({ ...options, ...timeouts } as unknown as ElasticsearchOptions)
        abort.addEventListener('abort', stop, { once: true })
      },
      filterBatch: (events) =>
        sideBySide(events, window, (event) => look(event).catch((error) => failed(event, error))),
      async close() {
        abort.removeEventListener('abort', stop)
        const closing = client
        client = undefined
        await closing?.close()
      },
    }
  },
})

function checkOptions(options: LookupOptions): void {
  const { query, query_template, query_type } = options
  if (query !== undefined && query_template !== undefined)
    throw new Error('Both `query` and `query_template` are set. Use either `query` or `query_template`.')
  if (query === undefined && query_template === undefined)
    throw new Error('Either `query` or `query_template` must be set.')
  if (query_type === 'esql' && (query_template !== undefined || options.index !== ''))
    throw new Error('`index` and `query_template` are not allowed with ES|QL.')
  if (query_template !== undefined && readFileSync(query_template).length === 0)
    throw new Error('template is empty')
}

/** Pairs of a hash, or of a list that goes on as one. */
function pairsOf(given: readonly Value[]): [string, Value][] {
  if (given.every((item) => Array.isArray(item) && item.length === 2))
    return given.map((item) => [textOf((item as Value[])[0]!), (item as Value[])[1]!])
  const pairs: [string, Value][] = []
  for (let i = 0; i + 1 < given.length; i += 2) pairs.push([textOf(given[i]!), given[i + 1]!])
  return pairs
}

/** `a.b`, or `[a][b]`. */
function pathOf(text: string): readonly string[] {
  return /^\[.*\]$/.test(text) ? text.slice(1, -1).split('][') : text.split('.')
}

function valueAt(source: Value, path: readonly string[]): Value {
  let value: Value | undefined = source
  for (const name of path) {
    if (!isFields(value)) return null
    value = readField(value, name)
    if (value === undefined) return null
  }
  return value
}
