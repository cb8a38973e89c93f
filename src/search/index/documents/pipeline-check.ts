/**
 * Checks the definition of an ingest pipeline as OpenSearch does when it is stored: processors that do not exist,
 * properties that are missing, of a wrong type or unknown. What processors do is in `ingest.ts`.
 */
import { parseError } from '../../request/errors.ts'
import { isObject, type JsonObject, own } from '../../request/json-object.ts'
import { plainText } from '../../request/plain-text.ts'
import { SearchError } from '../../request/search-error.ts'
import { checkScript } from '../../script/script.ts'

type Kind = 'text' | 'flag' | 'list' | 'object' | 'any'

/**
 * Required properties before the bar, optional ones after it, in the order in which they are read. A property is a
 * text unless a mark says otherwise: `?` true or false, `[]` a list, `{}` an object, `*` anything.
 */
const definitions: Readonly<Record<string, string>> = {
  append: 'field value* | allow_duplicates?',
  bytes: 'field | ignore_missing? target_field',
  community_id:
    'source_ip_field destination_ip_field | source_port_field destination_port_field iana_protocol_number_field protocol_field icmp_type_field icmp_code_field seed* target_field ignore_missing?',
  convert: 'field type | target_field ignore_missing?',
  copy: 'source_field target_field | ignore_missing? remove_source? override_target?',
  csv: 'field target_fields[] | quote separator trim? ignore_missing? empty_value*',
  date: 'field formats[] | target_field timezone locale output_format',
  date_index_name: 'date_rounding field | index_name_prefix index_name_format date_formats[] timezone locale',
  dissect: 'field pattern | append_separator ignore_missing?',
  dot_expander: 'field | path override?',
  drop: '|',
  fail: 'message |',
  fingerprint: '| fields[] exclude_fields[] target_field hash_method ignore_missing?',
  foreach: 'field processor{} | ignore_missing?',
  grok: 'field patterns[] | pattern_definitions{} trace_match? ignore_missing? capture_all_matches?',
  gsub: 'field pattern replacement | target_field ignore_missing?',
  html_strip: 'field | target_field ignore_missing?',
  join: 'field separator | target_field',
  json: 'field | target_field add_to_root? add_to_root_conflict_strategy allow_duplicate_keys?',
  kv: 'field field_split value_split | target_field include_keys[] exclude_keys[] trim_key trim_value strip_brackets? prefix ignore_missing?',
  lowercase: 'field | target_field ignore_missing?',
  pipeline: 'name | ignore_missing_pipeline?',
  remove: '| field* exclude_field* ignore_missing?',
  remove_by_pattern: '| field_pattern* exclude_field_pattern*',
  rename: 'field target_field | ignore_missing? override_target?',
  set: 'field value* | override? ignore_empty_value? copy_from media_type ignore_failure?',
  sort: 'field | order target_field',
  split: 'field separator | ignore_missing? preserve_trailing? target_field',
  trim: 'field | target_field ignore_missing?',
  uppercase: 'field | target_field ignore_missing?',
  urldecode: 'field | target_field ignore_missing?',
}

interface Property {
  readonly name: string
  readonly kind: Kind
  readonly isRequired: boolean
}

const marks: readonly (readonly [mark: string, kind: Kind])[] = [
  ['?', 'flag'],
  ['[]', 'list'],
  ['{}', 'object'],
  ['*', 'any'],
]

function propertiesOf(definition: string): Property[] {
  const [required = '', optional = ''] = definition.split('|')
  const read = (text: string, isRequired: boolean) =>
    text
      .split(' ')
      .filter((word) => word !== '')
      .map((word): Property => {
        const [mark = '', kind = 'text'] = marks.find(([one]) => word.endsWith(one)) ?? []
        return { name: word.slice(0, word.length - mark.length), kind, isRequired }
      })
  return [...read(required, true), ...read(optional, false)]
}

const properties: ReadonlyMap<string, readonly Property[]> = new Map(
  Object.entries(definitions).map(([name, definition]) => [name, propertiesOf(definition)]),
)

const typeNames: Readonly<Record<Exclude<Kind, 'any'>, string>> = {
  text: 'a string',
  flag: 'a boolean',
  list: 'a list',
  object: 'a map',
}

function javaClass(value: unknown): string {
  if (Array.isArray(value)) return 'java.util.ArrayList'
  if (typeof value === 'string') return 'java.lang.String'
  if (typeof value === 'boolean') return 'java.lang.Boolean'
  if (typeof value === 'number') return Number.isInteger(value) ? 'java.lang.Integer' : 'java.lang.Double'
  return 'java.util.HashMap'
}

function isOf(value: unknown, kind: Kind): boolean {
  if (kind === 'any') return true
  if (kind === 'list') return Array.isArray(value)
  if (kind === 'object') return isObject(value)
  return kind === 'flag' ? typeof value === 'boolean' : typeof value === 'string'
}

/** Properties that every processor may have. */
const common = ['tag', 'description', 'if', 'ignore_failure', 'on_failure']

class ProcessorCheck {
  readonly #kind: string
  readonly #options: JsonObject

  constructor(kind: string, options: JsonObject) {
    this.#kind = kind
    this.#options = options
  }

  error(property: string | undefined, what: string): SearchError {
    const tag = own(this.#options, 'tag')
    return new SearchError('parse_exception', property === undefined ? what : `[${property}] ${what}`, {
      details: {
        processor_type: this.#kind,
        ...(typeof tag === 'string' && { processor_tag: tag }),
        ...(property !== undefined && { property_name: property }),
      },
    })
  }

  run(known: ReadonlySet<string>): void {
    const options = this.#options
    const onFailure = own(options, 'on_failure')
    if (Array.isArray(onFailure)) {
      if (onFailure.length === 0) throw this.error('on_failure', 'processors list cannot be empty')
      checkProcessors(onFailure, known)
    }
    const declared = properties.get(this.#kind)
    if (declared === undefined) return this.#script()
    for (const { name, kind, isRequired } of declared) {
      const value = own(options, name)
      if (value === undefined || value === null) {
        const isElsewhere = name === 'value' && own(options, 'copy_from') !== undefined
        if (isRequired && !isElsewhere) throw this.error(name, 'required property is missing')
      } else if (!isOf(value, kind) && kind !== 'any')
        throw this.error(name, `property isn't ${typeNames[kind]}, but of type [${javaClass(value)}]`)
    }
    this.#more()
    const names = new Set([...common, ...declared.map(({ name }) => name)])
    const unknown = Object.keys(options).filter((name) => !names.has(name))
    if (unknown.length > 0)
      throw this.error(
        undefined,
        `processor [${this.#kind}] doesn't support one or more provided configuration parameters [${unknown.join(', ')}]`,
      )
  }

  #script(): void {
    if (this.#kind !== 'script') return
    const {
      tag: _tag,
      description: _description,
      if: _if,
      ignore_failure: _ignore,
      on_failure: _fail,
      ...script
    } = this.#options
    checkScript(script)
  }

  /** What is asked of single properties. */
  #more(): void {
    const text = (name: string) => plainText(own(this.#options, name) ?? '')
    const either = (one: string, other: string) => {
      if (own(this.#options, one) === undefined && own(this.#options, other) === undefined)
        throw this.error(one, `either ${one} or ${other} must be set`)
    }
    switch (this.#kind) {
      case 'convert':
        if (!conversions.has(text('type').toLowerCase()))
          throw this.error('type', `type [${text('type')}] not supported, cannot convert field.`)
        return
      case 'dot_expander':
        if (!text('field').includes('.')) throw this.error('field', 'field does not contain a dot')
        return
      case 'grok':
        if ((own(this.#options, 'patterns') as readonly unknown[]).length === 0)
          throw this.error('patterns', 'List of patterns must not be empty')
        return
      case 'foreach':
        if (Object.keys(own(this.#options, 'processor') as JsonObject).length !== 1)
          throw this.error('processor', 'Must specify exactly one processor type')
        return
      case 'sort':
        if (!['', 'asc', 'desc'].includes(text('order')))
          throw this.error(
            'order',
            `Sort direction [${text('order')}] not recognized. Valid values are: [asc, desc]`,
          )
        return
      case 'remove':
        return either('field', 'exclude_field')
      case 'remove_by_pattern':
        return either('field_pattern', 'exclude_field_pattern')
    }
  }
}

const conversions = new Set('integer long double float boolean string auto ip'.split(' '))

function checkProcessors(processors: readonly unknown[], known: ReadonlySet<string>): void {
  for (const entry of processors) {
    for (const [kind, options] of isObject(entry) ? Object.entries(entry) : [[undefined, {}] as const]) {
      if (kind === undefined || !known.has(kind))
        throw new SearchError('parse_exception', `No processor type exists with name [${plainText(kind)}]`, {
          details: { processor_type: plainText(kind) },
        })
      if (!isObject(options)) {
        if (kind === 'script' && typeof options === 'string') continue
        throw parseError(`property isn't a map, but of type [${javaClass(options)}]`)
      }
      new ProcessorCheck(kind, options).run(known)
    }
  }
}

/** `known` are the processors that exist. Throws SearchError. */
export function checkPipeline(id: string, body: JsonObject, known: ReadonlySet<string>): void {
  const fail = (property: string, what: string) =>
    new SearchError('parse_exception', `[${property}] ${what}`, { details: { property_name: property } })
  const description = own(body, 'description')
  if (description !== undefined && description !== null && typeof description !== 'string')
    throw fail('description', `property isn't a string, but of type [${javaClass(description)}]`)
  const version = own(body, 'version')
  if (version !== undefined && version !== null && !/^-?\d+$/.test(plainText(version)))
    throw fail('version', `property cannot be converted to an int [${plainText(version)}]`)
  const processors = own(body, 'processors')
  if (processors === undefined || processors === null)
    throw fail('processors', 'required property is missing')
  if (!Array.isArray(processors))
    throw fail('processors', `property isn't a list, but of type [${javaClass(processors)}]`)
  checkProcessors(processors, known)
  const onFailure = own(body, 'on_failure')
  if (Array.isArray(onFailure)) {
    checkProcessors(onFailure, known)
    if (onFailure.length === 0)
      throw parseError(`pipeline [${id}] cannot have an empty on_failure option defined`)
  }
  const unknown = Object.keys(body).filter((name) => !pipelineNames.has(name))
  if (unknown.length > 0)
    throw parseError(
      `pipeline [${id}] doesn't support one or more provided configuration parameters [${unknown.join(', ')}]`,
    )
}

const pipelineNames = new Set(['description', 'version', 'processors', 'on_failure', '_meta', 'deprecated'])
