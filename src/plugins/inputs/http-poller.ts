/**
 * Fetches URLs on a schedule and decodes what they answer, whatever the status. All URLs are fetched at the same
 * time; a request without an answer becomes an event with the tag `_http_request_failure`.
 */
import { cloneValue } from '../../event/clone.ts'
import { Event } from '../../event/event.ts'
import { defineInput, type Sink } from '../../plugin/define.ts'
import { Fetcher, type PollAnswer } from '../http-poller/fetcher.ts'
import { factsOf, failureEvent } from '../http-poller/metadata.ts'
import { httpPollerOptions } from '../http-poller/options.ts'
import { type PollRequest, requestsOf } from '../http-poller/requests.ts'
import { payloadDecoder } from '../receiving/payload-events.ts'
import { Stop } from '../receiving/stop.ts'
import { runOnSchedule, scheduleOf } from '../schedule/schedule.ts'

export default defineInput({
  name: 'http_poller',
  summary: 'Fetches URLs on a schedule and makes events of the answers.',
  codec: 'json',
  options: httpPollerOptions,
  /** Only with a target, below which the codec's events are put. */
  reader({ options: { target = '[document]' }, codec, compile, decorate }) {
    const decode = payloadDecoder(codec)
    const setTarget = compile.set(target)
    return {
      read(payload, { overwrite = [] }, emit, time) {
        const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
        const finish = (decoded: Event): void => {
          const event = Event.from({}, time)
          setTarget(event, decoded.toHash())
          for (const [reference, value] of overwrite) event.set(reference, cloneValue(value))
          decorate(event)
          emit(event)
        }
        decode(bytes, finish, time)
      },
    }
  },
  create({ options, ecs, logger, abort }) {
    const { target } = options
    const stop = new Stop()
    const metadata = { ecs, target: options.metadata_target }
    let fetcher: Fetcher | undefined

    const take = async (sink: Sink, request: PollRequest, answer: PollAnswer, seconds: number) => {
      const facts = factsOf(metadata, request, answer, seconds)
      if (answer.body.length === 0) {
        const event = Event.from({})
        for (const [reference, value] of facts) event.set(reference, value)
        await sink.events([event])
      } else if (target === undefined) await sink.record(answer.body, { overwrite: facts })
      else await sink.payloads([answer.body], { overwrite: facts })
    }

    const poll = async (sink: Sink, request: PollRequest): Promise<void> => {
      const started = performance.now()
      const seconds = () => (performance.now() - started) / 1000
      logger.debug('async queueing fetching url', { name: request.name, url: request.url })
      let answer: PollAnswer
      try {
        answer = await fetcher!.fetch(request)
      } catch (error) {
        if (stop.isRequested) return
        logger.debug('Cannot read URL or request failed', {
          name: request.name,
          message: (error as Error).message,
        })
        await sink.events([failureEvent(metadata, request, error as Error, seconds())])
        return
      }
      await take(sink, request, answer, seconds())
    }

    const credentials = { user: options.user, password: options.password?.value }
    const prepare = () => ({
      requests: requestsOf(options.urls, credentials),
      schedule: scheduleOf(options.schedule),
    })

    return {
      register() {
        const { requests } = prepare()
        logger.info('Registering http_poller Input', { urls: requests.map(({ url }) => url) })
      },
      async run(sink) {
        const { requests, schedule } = prepare()
        fetcher = await Fetcher.open(options, abort)
        try {
          await runOnSchedule(schedule, stop, async () => {
            await Promise.all(requests.map((request) => poll(sink, request)))
          })
        } finally {
          await fetcher.close()
        }
      },
      async stop() {
        stop.request()
        await fetcher?.close()
      },
      async close() {
        await fetcher?.close()
      },
    }
  },
})
