/**
 * Whether an output writes to data streams, and to which: `type-dataset-namespace`, by default taken from the
 * event where it has those fields. The fields of the written event say the same as the name.
 */
import { Event } from '../../../event/event.ts'
import { TextEvent, type TextOrigin } from '../../../event/text-event.ts'
import { type Fields, isFields, type Value } from '../../../event/value.ts'
import { inspect } from '../../../log/ruby-inspect.ts'
import type { EcsCompatibility, PluginLogger } from '../../../plugin/define.ts'
import type { DataStreamTarget } from './bulk-actions.ts'
import { connectionOptions } from './connection-options.ts'
import type { BulkOptions, Product } from './settings.ts'

const parts = ['type', 'dataset', 'namespace'] as const
type Part = (typeof parts)[number]

/** Undefined: the output writes to indices. Throws when the options contradict each other. */
export function dataStreamOf(
  options: BulkOptions,
  product: Product,
  ecs: EcsCompatibility,
  logger: PluginLogger,
): DataStreamTarget | undefined {
  const incompatible = incompatibleOptions(options)
  const names = Object.keys(options).filter((name) => name.startsWith('data_stream_'))
  const own = names.filter((name) => options[name as keyof BulkOptions] !== undefined)
  const asked = options.data_stream
  checkIdentifiers(options)
  if (asked === 'true') {
    if (Object.keys(incompatible).length > 0) {
      logger.error(
        'Invalid data stream configuration, the following parameters are not supported:',
        incompatible,
      )
      throw new Error(`Invalid data stream configuration: ${inspect(Object.keys(incompatible))}`)
    }
    return new DataStreams(options, logger)
  }
  if (asked === 'auto' && prefersDataStream(product, ecs, own)) {
    if (Object.keys(incompatible).length === 0) {
      logger.info('Data streams auto configuration (`data_stream => auto` or unset) resolved to `true`')
      return new DataStreams(options, logger)
    }
    logger.info(
      'Not eligible for data streams because config contains one or more settings that are not compatible with ' +
        `data streams: ${inspect(incompatible)}`,
    )
    logger.info('Data streams auto configuration (`data_stream => auto` or unset) resolved to `false`')
  }
  if (own.length > 0) {
    const text =
      'Ambiguous configuration; data stream settings must not be present when data streams are disabled'
    logger.error(
      `${text} (caused by \`data_stream => false\`, \`data_stream => auto\` or unset resolved to false). You can either ` +
        'manually set `data_stream => true` or remove the following specific data stream settings: ',
      Object.fromEntries(own.map((name) => [name, options[name as keyof BulkOptions]])),
    )
    throw new Error(`${text}: ${inspect(own)}`)
  }
  return undefined
}

const maxIdentifierBytes = 100
const refusedCharacters = ['\\', '/', '*', '?', '"', '<', '>', '|', ' ', ',', '#', ':']

/** Parts of names that the cluster would not take. */
export function checkIdentifiers({ data_stream_dataset, data_stream_namespace }: BulkOptions): void {
  for (const text of [data_stream_dataset, data_stream_namespace]) {
    if (text === undefined) continue
    const bytes = Buffer.byteLength(text)
    if (bytes === 0) throw new Error('Invalid identifier - empty string')
    if (bytes > maxIdentifierBytes) throw new Error(`Invalid identifier - too long (${bytes} bytes)`)
    if (refusedCharacters.some((character) => text.includes(character)))
      throw new Error(`Invalid characters detected ${inspect(refusedCharacters)} are not allowed`)
  }
}

function prefersDataStream(product: Product, ecs: EcsCompatibility, own: readonly string[]): boolean {
  return own.length > 0 || (product.prefersDataStreams && ecs !== 'disabled')
}

/** Given options that make no sense with a data stream. */
function incompatibleOptions(options: BulkOptions): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || Object.hasOwn(connectionOptions, name)) continue
    if (/^data_stream|^(?:routing|pipeline|id|codec|workers|enable_metric|ecs_compatibility)$/.test(name))
      continue
    if (name === 'action' && value === 'create') continue
    if (name === 'manage_template' && value === false) continue
    found[name] = value
  }
  return found
}

class DataStreams implements DataStreamTarget {
  readonly #defaults: Readonly<Record<Part, string>>
  readonly #name: string
  readonly #routes: boolean
  readonly #syncs: boolean
  readonly #member: string
  readonly #logger: PluginLogger
  #knownOrigin: TextOrigin | undefined
  #extendedOrigin: TextOrigin | undefined

  constructor(options: BulkOptions, logger: PluginLogger) {
    this.#defaults = {
      type: options.data_stream_type ?? 'logs',
      dataset: options.data_stream_dataset ?? 'generic',
      namespace: options.data_stream_namespace ?? 'default',
    }
    const { type, dataset, namespace } = this.#defaults
    this.#name = `${type}-${dataset}-${namespace}`
    this.#routes = options.data_stream_auto_routing ?? true
    this.#syncs = options.data_stream_sync_fields ?? true
    this.#member = `,"data_stream":${JSON.stringify(this.#defaults)}`
    this.#logger = logger
  }

  nameOf(event: Event): string {
    if (!this.#routes || isTextWithout(event)) return this.#name
    const own = event.data['data_stream']
    if (!isFields(own)) return this.#name
    return parts.map((part) => own[part] ?? this.#defaults[part]).join('-')
  }

  documentOf(event: Event): Event {
    if (!this.#syncs) return event
    if (isTextWithout(event)) return this.#textWithDefaults(event)
    const own = event.data['data_stream']
    if (own === undefined || own === null) return this.#withDefaults(event)
    if (!isFields(own)) {
      this.#logger.warn("Invalid 'data_stream' field type, due fields sync will overwrite", {
        value: own,
        event: event.toHash(),
      })
      return changed(event, { ...this.#defaults })
    }
    const differing = this.#routes ? [] : parts.filter((part) => this.#differs(own, part))
    if (differing.length > 0) {
      const values = Object.fromEntries(differing.map((part) => [part, own[part]]))
      const text =
        'Some data_stream fields are out of sync, these will be updated to reflect data-stream name'
      this.#logger.warn(text, { ...values, event: event.toHash() })
    }
    const missing = parts.filter((part) => own[part] === undefined || own[part] === null)
    if (differing.length + missing.length === 0) return event
    const complete: Fields = { ...own }
    for (const part of [...differing, ...missing]) complete[part] = this.#defaults[part]
    return changed(event, complete)
  }

  /** The events of a batch mostly share their origin. */
  #textWithDefaults(event: TextEvent): Event {
    if (event.origin !== this.#knownOrigin) {
      this.#knownOrigin = event.origin
      this.#extendedOrigin = event.origin.with({ data_stream: { ...this.#defaults } }, this.#member)
    }
    return new TextEvent(event.text, this.#extendedOrigin!, event.ownMeta)
  }

  #differs(own: Fields, part: Part): boolean {
    return own[part] !== undefined && own[part] !== this.#defaults[part]
  }

  /** The usual case: the text of an event nobody touched gets one more member. */
  #withDefaults(event: Event): Event {
    const { raw } = event
    const copy = changed(event, { ...this.#defaults })
    if (raw !== null && typeof raw !== 'string' && event.data['data_stream'] === undefined)
      copy.raw = raw.extended(this.#member, parts.length + 1)
    return copy
  }
}

function isTextWithout(event: Event): event is TextEvent {
  return event instanceof TextEvent && event.isUnopened && event.origin.lacks('data_stream')
}

/** Returns the event with another field, sharing everything else. */
function changed(event: Event, dataStream: Value): Event {
  return new Event({ ...event.data, data_stream: dataStream }, event.meta)
}
