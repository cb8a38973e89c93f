/** An event as Ruby in WebAssembly reaches it; what each method answers is told in `prelude.ts`. */
import { Event } from '../../../../event/event.ts'
import type { Fields, Value } from '../../../../event/value.ts'
import { fromWire, toWire } from './wire.ts'

const known = new WeakMap<Event, HostEvent>()

export class HostEvent {
  readonly event: Event

  private constructor(event: Event) {
    this.event = event
  }

  /** One for each event, so that Ruby can tell whether two are the same. */
  static of(event: Event): HostEvent {
    let host = known.get(event)
    if (host === undefined) known.set(event, (host = new HostEvent(event)))
    return host
  }

  static make(json: string): HostEvent {
    return HostEvent.of(Event.from(fromWire(json) as Fields))
  }

  get(reference: string): string {
    return answer(() => this.event.get(reference))
  }

  set(reference: string, json: string): string {
    return answer(() => this.event.set(reference, fromWire(json)))
  }

  remove(reference: string): string {
    return answer(() => this.event.remove(reference))
  }

  include(reference: string): string {
    return answer(() => this.event.include(reference))
  }

  tag(tag: string): string {
    return answer(() => this.event.tag(tag))
  }

  cancel(): string {
    this.event.cancel()
    return '=true'
  }

  uncancel(): string {
    this.event.uncancel()
    return '=false'
  }

  cancelled(): string {
    return answer(() => this.event.cancelled)
  }

  hash(): string {
    return answer(() => this.event.data)
  }

  hashWithMetadata(): string {
    const { data, meta } = this.event
    const isBare = meta === null || Object.keys(meta).length === 0
    return answer(() => (isBare ? data : { ...data, '@metadata': meta }))
  }

  json(): string {
    return answer(() => this.event.toJson())
  }

  text(): string {
    return answer(() => this.event.toString())
  }

  sprintf(template: string): string {
    return answer(() => this.event.sprintf(template))
  }

  clone(): HostEvent {
    return HostEvent.of(this.event.clone())
  }

  overwrite(other: unknown): string {
    return answer(() => this.event.overwrite(eventOf(other)))
  }

  append(other: unknown): string {
    return answer(() => this.event.append(eventOf(other)))
  }
}

function eventOf(value: unknown): Event {
  if (value instanceof HostEvent) return value.event
  throw new TypeError('wrong argument type (expected LogStash::Event)')
}

/** Errors keep the class they have in Logstash. */
export function answer(access: () => Value | undefined | void): string {
  try {
    return `=${toWire(access() ?? null)}`
  } catch (error) {
    const { message } = error as Error
    return `${error instanceof TypeError ? 'T' : 'R'}${message}`
  }
}
