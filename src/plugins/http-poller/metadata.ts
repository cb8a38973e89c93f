/** Facts about a request and its answer, under the names events carry them. */
import { hostname } from 'node:os'
import { Event } from '../../event/event.ts'
import { type Fields, float, putField, type Value } from '../../event/value.ts'
import type { EcsCompatibility } from '../../plugin/define.ts'
import type { PollAnswer } from './fetcher.ts'
import type { PollRequest } from './requests.ts'

type Facts = readonly (readonly [reference: string, value: Value])[]

const ecsRoot = '[@metadata][input][http_poller]'

interface MetadataSettings {
  readonly ecs: EcsCompatibility
  /** The option metadata_target, when it was given. */
  readonly target: string
}

export function factsOf(
  { ecs, target }: MetadataSettings,
  request: PollRequest,
  answer: PollAnswer | undefined,
  seconds: number,
): Facts {
  if (target === '') return []
  if (ecs !== 'disabled' && target === '@metadata') return ecsFacts(request, answer, seconds)
  const facts: [string, Value][] = [
    ['name', request.name],
    ['host', hostname()],
    ['request', request.shown],
    ['runtime_seconds', float(seconds)],
  ]
  if (answer !== undefined) {
    facts.push(
      ['code', answer.status],
      ['response_headers', headersOf(answer)],
      ['response_message', answer.message],
      ['times_retried', answer.retries],
    )
  }
  if (target === '@metadata') return facts.map(([name, value]) => [`[@metadata][${name}]`, value])
  return [[target, Object.fromEntries(facts)]]
}

function ecsFacts(request: PollRequest, answer: PollAnswer | undefined, seconds: number): Facts {
  const facts: [string, Value][] = [
    [`${ecsRoot}[request][name]`, request.name],
    [`${ecsRoot}[request][host][hostname]`, hostname()],
    [`${ecsRoot}[request][original]`, request.shown],
    [`${ecsRoot}[response][elapsed_time_ns]`, Math.round(seconds * 1e9)],
  ]
  if (answer !== undefined) {
    facts.push(
      [`${ecsRoot}[response][status_code]`, answer.status],
      [`${ecsRoot}[response][headers]`, headersOf(answer)],
      [`${ecsRoot}[response][status_message]`, answer.message],
      [`${ecsRoot}[request][retry_count]`, answer.retries],
    )
  }
  return facts
}

function headersOf({ headers }: PollAnswer): Fields {
  const fields: Fields = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) putField(fields, name, Array.isArray(value) ? [...value] : value)
  }
  return fields
}

/** The event that stands for a request without an answer. */
export function failureEvent(
  settings: MetadataSettings,
  request: PollRequest,
  error: Error,
  seconds: number,
): Event {
  const event = Event.from({})
  for (const [reference, value] of factsOf(settings, request, undefined, seconds)) event.set(reference, value)
  const trace = (error.stack ?? '')
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
  if (settings.ecs === 'disabled') {
    event.set('http_request_failure', {
      request: request.shown,
      name: request.name,
      error: error.message,
      backtrace: trace,
      runtime_seconds: float(seconds),
    })
  } else {
    event.set('[error][message]', error.message)
    event.set('[error][stack_trace]', trace.join('\n'))
    event.set('[url][full]', request.url)
    event.set('[http][request][method]', request.method.toLowerCase())
    event.set('[host][hostname]', hostname())
    event.set('[event][duration]', Math.round(seconds * 1e9))
  }
  event.tag('_http_request_failure')
  return event
}
