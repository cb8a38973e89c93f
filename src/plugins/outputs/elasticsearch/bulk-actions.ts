/**
 * What a bulk request asks for one event: the action line with index, id and the like, and the document.
 * The line is text from the start; runs of events for the same index share it.
 *
 *   {"index":{"_index":"logstash-2026.11.15","_id":"7"}}
 *   {"@timestamp":…}
 */
import type { Event } from '../../../event/event.ts'
import { parseJson } from '../../../event/json-parse.ts'
import { writeJson } from '../../../event/json-write.ts'
import type { Timestamp } from '../../../event/timestamp.ts'
import { type Fields, isFields, readField, type Value } from '../../../event/value.ts'
import { inspect } from '../../../log/ruby-inspect.ts'
import type { Compile } from '../../../plugin/compile.ts'
import type { BulkItem } from './bulk-body.ts'
import { compileDocument, type DocumentText, ownText } from './bulk-document.ts'
import type { BulkOptions, Product } from './settings.ts'

/** The action of one event, or of a run of events that differ in their documents only. */
export interface BulkAction {
  readonly name: string
  /** The action line as JSON. */
  readonly line: string
  /** The id was made here, for this action only. */
  readonly isMinted: boolean
  /** JSON of the second line; undefined for `delete`. */
  readonly document: DocumentText | undefined
}

/** Characters shown of an event in a message; the event may have many megabytes. */
const maxShownLength = 64 * 1024

/** Why an event cannot be sent at all. */
export class Refusal {
  readonly event: Event
  readonly message: string

  constructor(event: Event, message: string) {
    this.event = event
    this.message = `${message}; event: \`${inspect(event.toHashWithMetadata(), maxShownLength)}\``
  }
}

/** What the cluster said about itself. */
export interface ClusterVersion {
  /** Undefined: not known, taken for a recent one. */
  readonly major: number | undefined
  readonly distribution: 'elasticsearch' | 'opensearch'
}

export interface ActionSettings {
  readonly options: BulkOptions
  readonly product: Product
  readonly compile: Compile
  readonly defaultIndex: string
  /** The index is an alias whatever the events say. */
  readonly alias: string | undefined
  /** Event to data stream, and the event to write; undefined when not writing to data streams. */
  readonly dataStream: DataStreamTarget | undefined
  version(): ClusterVersion
  /** Makes ids for documents that get none from the options; undefined when the cluster is to make them. */
  mint?(event: Event): string | undefined
}

export interface DataStreamTarget {
  nameOf(event: Event): string
  documentOf(event: Event): Event
}

const knownActions = new Set(['index', 'create', 'update', 'delete'])

export function compileActions(settings: ActionSettings): (event: Event) => BulkAction | Refusal {
  const { options, compile, dataStream, version, product, mint } = settings
  const template = (text: string | undefined) => (text === undefined ? undefined : compile.template(text))
  const index = indexTemplate(settings.alias ?? options.index ?? settings.defaultIndex, compile)
  const indexIsDefault =
    options.index === undefined || (options.index === settings.defaultIndex && !settings.alias)
  const actionOf = template(dataStream === undefined ? (options.action ?? 'index') : 'create')!
  const documentId = template(options.document_id)
  const routing = template(options.routing)
  const parent = template(options.parent)
  const pipeline = template(options.pipeline)
  const documentVersion = template(options.version)
  const documentType = template(options.document_type)
  const documentText = compileDocument(settings)
  const checksIndex = options.dlq_on_failed_indexname_interpolation ?? true

  /** Nothing but the index can differ from event to event. */
  const plain =
    [documentId, routing, parent, pipeline, documentVersion, options.version_type].every(
      (part) => part === undefined,
    ) && compile.isConstant(dataStream === undefined ? (options.action ?? 'index') : 'create')
  let known: KnownAction | undefined

  const resolveIndex = (event: Event, control: Fields | undefined): string => {
    const own = control && readField(control, 'index')
    if (indexIsDefault && own !== undefined && own !== null) return String(own)
    return dataStream === undefined ? index(event) : dataStream.nameOf(event)
  }

  const parameters = (event: Event, indexName: string, name: string, control: Fields | undefined): Fields => {
    const { major, distribution } = version()
    const old = distribution === 'elasticsearch' && major !== undefined ? major : undefined
    const own = (field: string) => textOf(control && readField(control, field))
    const result: Fields = { _index: indexName }
    const put = (field: string, value: Value | undefined) => {
      if (value !== undefined) result[field] = value
    }
    put('_id', documentId?.(event) ?? own('id'))
    const routingName = old !== undefined && old < 6 ? '_routing' : 'routing'
    put(routingName, routing?.(event) ?? own('routing'))
    // Version 7 warns of types, version 8 refuses them.
    if (dataStream === undefined && old !== undefined && old < 8) {
      put('_type', documentType?.(event) ?? (old < 7 ? defaultType(event, old) : undefined))
    }
    const target = pipeline?.(event) ?? own('pipeline') ?? ownPipeline(event, compile)
    if (target !== '') put('pipeline', target)
    put('version', documentVersion?.(event) ?? own('version'))
    put('version_type', options.version_type ?? own('version_type'))
    if (parent !== undefined) put(options.join_field === undefined ? 'parent' : routingName, parent(event))
    if (name === 'update') {
      const field = old !== undefined && old < 7 ? '_retry_on_conflict' : 'retry_on_conflict'
      put(field, options.retry_on_conflict ?? 1)
    }
    return result
  }

  /** The action of the events before, when it is that of this event as well. */
  const knownFor = (event: Event, name: string, indexName: string): KnownAction | undefined => {
    if (!plain || saysMore(event.metaView)) return undefined
    const { major } = version()
    if (known?.index === indexName && known.action.name === name && known.major === major) return known
    // Before version 6 the type of a document depends on the event.
    if (major! < 6) return undefined
    const line = actionLine(name, parameters(event, indexName, name, undefined))
    const document = name === 'delete' ? undefined : ownText
    const action = { name, line, document, isMinted: false }
    known = { major, index: indexName, action, canMint: canMint(name, line) }
    return known
  }

  return (event) => {
    const { metaView } = event
    const control = metaView === null ? undefined : controlOf(metaView)
    const indexName = resolveIndex(event, control)
    if (indexName !== known?.index) {
      if (checksIndex && /%\{.*?\}/.test(indexName)) {
        const text = 'Badly formatted index, after interpolation still contains placeholder'
        return new Refusal(event, `${text}: [${indexName}]`)
      }
      // A bulk request with such an action is refused as a whole.
      if (indexName === '')
        return new Refusal(event, 'Badly formatted index, after interpolation it is empty')
    }
    const name = actionOf(event)
    if (!knownActions.has(name)) return new Refusal(event, `${product.name} doesn't support [${name}] action`)
    const shared = knownFor(event, name, indexName)
    const line = shared?.action.line ?? actionLine(name, parameters(event, indexName, name, control))
    const document = name === 'delete' ? undefined : documentText(event, name)
    const mints = mint !== undefined && (shared?.canMint ?? canMint(name, line))
    const id = mints ? mint(event) : undefined
    if (id === undefined) {
      if (shared !== undefined && document === shared.action.document) return shared.action
      return { name, line, document, isMinted: false }
    }
    const minted = `{"create":{"_id":"${id}",${line.slice(name.length + 5)}`
    return { name: 'create', line: minted, document, isMinted: true }
  }
}

interface KnownAction {
  readonly major: number | undefined
  readonly index: string
  readonly action: BulkAction
  readonly canMint: boolean
}

/** Events that arrived together have the same time: an index that depends on nothing else is made once for them. */
function indexTemplate(text: string, compile: Compile): (event: Event) => string {
  const template = compile.template(text)
  if (/%\{(?!\+)/.test(text)) return template
  let time: Timestamp | undefined
  let made: string | undefined
  return (event) => {
    const own = event.timestamp
    if (made === undefined || own !== time) {
      made = template(event)
      time = own
    }
    return made
  }
}

/** A document that is written whole, and under no particular id. */
function canMint(name: string, line: string): boolean {
  return (name === 'index' || name === 'create') && !line.includes('"_id":') && !line.includes('"version":')
}

function actionLine(name: string, parameters: Fields): string {
  return `{"${name}":${writeJson(parameters)}}`
}

function saysMore(meta: Fields | null): boolean {
  return meta !== null && (meta['_ingest_document'] ?? meta['target_ingest_pipeline']) !== undefined
}

/** What an integration filter says about the document of an event. */
function controlOf(meta: Fields): Fields | undefined {
  const value = meta['_ingest_document']
  return isFields(value) ? value : undefined
}

function ownPipeline(event: Event, compile: Compile): string | undefined {
  const value = event.metaView?.['target_ingest_pipeline']
  return value === undefined || value === null ? undefined : compile.template(String(value))(event)
}

function textOf(value: Value | undefined): string | undefined {
  return value === undefined || value === null ? undefined : String(value)
}

function defaultType(event: Event, major: number): string {
  if (major === 6) return 'doc'
  const type = event.data['type']
  return typeof type === 'string' ? type : 'doc'
}

/** The action as messages show it: name, parameters, document. */
export function shownAction({ name, line, event }: Omit<BulkItem, 'isMinted'>): unknown[] {
  const parameters = (parseJson(line) as Fields)[name]
  return [name, parameters, event.toHash()]
}
