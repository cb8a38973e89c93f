/**
 * Reads documents from Elasticsearch or OpenSearch, once or on a schedule. A page of documents is handed to the
 * pipeline before the next is asked for. The last value of the tracked field is kept when all documents are safe.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Event } from '../../event/event.ts'
import { parseJson } from '../../event/json-parse.ts'
import { valueText } from '../../event/sprintf.ts'
import { type Fields, isFields, putField, readField } from '../../event/value.ts'
import { defineInput, type Sink } from '../../plugin/define.ts'
import { textOf } from '../../plugin/raw-text.ts'
import { replaceFile } from '../../storage/replace-file.ts'
import { elasticsearchOptions } from '../elasticsearch/options.ts'
import {
  closePointInTime,
  openPointInTime,
  type Page,
  type SearchPlan,
  scrollPages,
  searchAfterPages,
} from '../elasticsearch/paging.ts'
import { SearchClient } from '../elasticsearch/search-client.ts'
import { untilSafe } from '../receiving/arrivals.ts'
import { Stop } from '../receiving/stop.ts'
import { cronSchedule, runOnSchedule } from '../schedule/schedule.ts'
import { Deliveries } from './file/deliveries.ts'

export default defineInput({
  name: 'elasticsearch',
  summary: 'Reads documents from Elasticsearch or OpenSearch.',
  description: [
    'A search is over, and the value of `tracking_field` is remembered, when all its documents are safe: on stable storage',
    'where the queue of the pipeline is persisted, delivered by the outputs where it is in memory. Documents that were not',
    'safe when the pipeline ended are read again.',
  ].join('\n'),
  codec: 'json',
  options: elasticsearchOptions,
  create({ options, ecs, compile, logger, pipelineId, setting, abort }) {
    const stop = new Stop()
    const setTarget = options.target === undefined ? undefined : compile.set(options.target)
    const docinfoTarget =
      options.docinfo_target ?? (ecs === 'disabled' ? '@metadata' : '[@metadata][input][elasticsearch]')
    const docinfoFields = options.docinfo_fields.map(textOf)
    const trackedField =
      options.tracking_field === undefined ? undefined : compile.get(options.tracking_field)
    /** Pages of documents, of this search and of earlier ones. */
    const deliveries = new Deliveries(() => {})
    let pages = 0
    let client: SearchClient | undefined
    let lastValue = options.tracking_field_seed
    let isRead = false

    const lastValuePath = () =>
      options.last_run_metadata_path ??
      join(
        String(setting('path.data') ?? 'data'),
        'plugins',
        'inputs',
        'elasticsearch',
        pipelineId,
        'last_run_value',
      )

    const readLastValue = async (): Promise<void> => {
      if (isRead || trackedField === undefined) return
      isRead = true
      const kept = await readFile(lastValuePath(), 'utf8').catch(() => '')
      if (kept.trim() !== '') lastValue = kept.trim()
    }

    const keepLastValue = async (): Promise<void> => {
      if (trackedField === undefined) return
      await replaceFile(lastValuePath(), lastValue)
    }

    const queryNow = (): Fields => {
      const present = new Date(Date.now() - 30_000).toISOString()
      const text =
        trackedField === undefined
          ? options.query
          : options.query.replaceAll(':last_value', () => lastValue).replaceAll(':present', () => present)
      const query = parseJson(text)
      if (!isFields(query)) throw new Error('The query is not a JSON object')
      return query
    }

    const eventOf = (hit: Fields): Event => {
      const source = hit['_source']
      const document: Fields = isFields(source) ? source : {}
      const event = setTarget === undefined ? Event.from(document) : Event.from({})
      setTarget?.(event, document)
      if (options.docinfo) addDocinfo(event, hit)
      return event
    }

    const addDocinfo = (event: Event, hit: Fields): void => {
      const known = event.get(docinfoTarget) ?? {}
      if (!isFields(known)) {
        throw new Error(
          `Elasticsearch input: incompatible event, the field ${docinfoTarget} for docinfo exists and is no hash`,
        )
      }
      const info: Fields = { ...known }
      for (const field of docinfoFields) {
        const value = readField(hit, field)
        if (value !== undefined) putField(info, field, value)
      }
      event.set(docinfoTarget, info)
    }

    const handOver = async (sink: Sink, page: Page): Promise<void> => {
      const events = page.map(eventOf)
      if (trackedField !== undefined) {
        const last = events.length === 0 ? undefined : trackedField(events[events.length - 1]!)
        if (last !== undefined && last !== null) lastValue = valueText(last)
      }
      await give(sink, events)
    }

    const give = async (sink: Sink, events: Event[]): Promise<void> => {
      const room = sink.events(events, { done: deliveries.track(pages++) })
      if (room !== undefined) await stop.during(room)
    }

    const usesPointInTime = async (open: SearchClient): Promise<boolean> => {
      if (options.search_api !== 'auto') return options.search_api === 'search_after'
      const { version } = await open.send('GET', '/')
      if (!isFields(version) || version['distribution'] === 'opensearch') return false
      return Number.parseInt(String(version['number'] ?? '0'), 10) >= 8
    }

    const readAll = async (sink: Sink, pages: AsyncGenerator<Page>): Promise<void> => {
      for await (const page of pages) {
        await handOver(sink, page)
        if (stop.isRequested) return
      }
    }

    const searchDocuments = async (open: SearchClient, sink: Sink): Promise<void> => {
      const { index, size, scroll: keepAlive } = options
      const count = Math.max(1, options.slices ?? 1)
      const query = queryNow()
      const plans = Array.from({ length: count }, (_, id): SearchPlan => {
        return { index, query, size, keepAlive, slice: count > 1 ? { id, max: count } : undefined }
      })
      if (!(await usesPointInTime(open))) {
        await Promise.all(plans.map((plan) => readAll(sink, scrollPages(open, plan))))
        return
      }
      const point = await openPointInTime(open, index, keepAlive)
      try {
        await Promise.all(
          plans.map((plan) => readAll(sink, searchAfterPages(open, plan, count > 1 ? { ...point } : point))),
        )
      } finally {
        await closePointInTime(open, point)
      }
    }

    const searchAggregations = async (open: SearchClient, sink: Sink): Promise<void> => {
      const path = `/${encodeURIComponent(options.index)}/_search?size=0`
      const { aggregations } = await open.send('POST', path, queryNow())
      if (!isFields(aggregations)) return
      const event = setTarget === undefined ? Event.from(aggregations) : Event.from({})
      setTarget?.(event, aggregations)
      await give(sink, [event])
    }

    const search = async (sink: Sink): Promise<void> => {
      for (let attempt = 0; !stop.isRequested; attempt++) {
        try {
          await readLastValue()
          await (options.response_type === 'hits' ? searchDocuments : searchAggregations)(client!, sink)
          if (await untilSafe(deliveries.settled(), stop, abort)) await keepLastValue()
          return
        } catch (error) {
          if (stop.isRequested) return
          const message = (error as Error).message
          if (attempt >= options.retries) {
            logger.error('Tried search unsuccessfully', { attempts: attempt + 1, message })
            return
          }
          logger.warn('Attempt to search failed. Sleeping for a while', { fail_count: attempt + 1, message })
          await stop.sleep(1000 * 2 ** Math.min(attempt, 6))
        }
      }
    }

    return {
      async register() {
        if (options.query_type === 'esql') throw new Error('`query_type => "esql"` is not supported')
        if (options.slices !== undefined && options.slices < 1) {
          throw new Error("Elasticsearch Input Plugin's `slices` option must be greater than zero")
        }
        if (trackedField === undefined) queryNow()
        if (options.schedule !== undefined) cronSchedule(options.schedule)
        client = await SearchClient.open(options)
      },
      async run(sink) {
        client ??= await SearchClient.open(options)
        try {
          if (options.schedule === undefined) await search(sink)
          else await runOnSchedule(cronSchedule(options.schedule), stop, () => search(sink))
        } finally {
          await client.close()
          client = undefined
        }
      },
      async stop() {
        stop.request()
        await client?.close()
      },
      async close() {
        await client?.close()
        client = undefined
      },
    }
  },
})
