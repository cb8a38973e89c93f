/** Processors that compute a hash: fingerprint, and the routing of acl_routing, hierarchical_routing, temporal_routing. */
import { createHash } from 'node:crypto'
import { murmur3x64 } from '../../../text/murmur3-x64.ts'
import { illegalArgument } from '../../request/errors.ts'
import { rethrowFault } from '../../request/refusal.ts'
import { compileDateFormat } from '../../time/date-format.ts'
import { type IngestDocument, isMap, metadataNames, valueText } from '../ingest-document.ts'
import type { ProcessorFactory } from '../processor.ts'

const methods: ReadonlyMap<string, string> = new Map([
  ['MD5@2.16.0', 'md5'],
  ['SHA-1@2.16.0', 'sha1'],
  ['SHA-256@2.16.0', 'sha256'],
  ['SHA3-256@2.16.0', 'sha3-256'],
])

function flattened(value: unknown, prefix: string): [string, unknown][] {
  if (!isMap(value)) return [[prefix, value]]
  return Object.entries(value).flatMap(([name, part]) =>
    flattened(part, prefix === '' ? name : `${prefix}.${name}`),
  )
}

const byName = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** `|name|length:value` for each field, which tells every field from its neighbours. */
function fieldText(document: IngestDocument, field: string): string {
  const value = document.get(field, 'any')
  const one = (name: string, part: unknown) => {
    const text = valueText(part)
    return `|${name}|${text.length}:${text}`
  }
  if (!isMap(value)) return one(field, value)
  return flattened(value, '')
    .toSorted(([left], [right]) => byName(left, right))
    .map(([name, part]) => one(`${field}.${name}`, part))
    .join('')
}

const fingerprint: ProcessorFactory = (config) => {
  const fields = config.optionalList('fields')?.map(valueText) ?? []
  const excluded = config.optionalList('exclude_fields')?.map(valueText) ?? []
  if (fields.includes('')) throw config.error('fields', 'field name cannot be null nor empty')
  if (fields.length > 0 && excluded.length > 0)
    throw config.error('fields', 'either fields or exclude_fields can be set')
  if (excluded.includes('')) throw config.error('exclude_fields', 'field name cannot be null nor empty')
  const target = config.text('target_field', 'fingerprint')
  const method = config.text('hash_method', 'SHA-1@2.16.0')
  const algorithm = methods.get(method.toUpperCase())
  if (algorithm === undefined)
    throw config.error(
      'hash_method',
      'hash method must be MD5@2.16.0, SHA-1@2.16.0, SHA-256@2.16.0 or SHA3-256@2.16.0',
    )
  const ignoreMissing = config.flag('ignore_missing')
  return (document) => {
    const names =
      fields.length > 0
        ? [...new Set(fields)].filter((name) => !metadataNames.includes(name))
        : document.fieldNames.filter((name) => !excluded.includes(name))
    let text = ''
    for (const name of names.toSorted(byName)) {
      if (document.has(name)) text += fieldText(document, name)
      else if (!ignoreMissing) throw illegalArgument(`field [${name}] doesn't exist`)
    }
    if (text === '') return true
    document.set(target, `${method}:${createHash(algorithm).update(`${text}|`).digest('base64')}`)
    return true
  }
}

/** The absolute value of the first half of the hash. */
function routingNumber(text: string): string {
  const first = BigInt.asIntN(64, murmur3x64(Buffer.from(text))[0])
  return String(first === -(2n ** 63n) ? 0n : first < 0n ? -first : first)
}

function hasRouting(document: IngestDocument): boolean {
  return document.has('_routing') && document.get('_routing', 'any') !== null
}

const aclRouting: ProcessorFactory = (config) => {
  const field = config.text('acl_field')
  const target = config.text('target_field', '_routing')
  const ignoreMissing = config.flag('ignore_missing')
  const override = config.flag('override_existing', true)
  return (document) => {
    const value = document.get(field, 'any', ignoreMissing)
    if (value === null) {
      if (ignoreMissing) return true
      throw illegalArgument(`field [${field}] not present as part of path [${field}]`)
    }
    if (!override && document.has(target)) return true
    const [first, second] = murmur3x64(Buffer.from(valueText(value)))
    const bytes = Buffer.alloc(16)
    bytes.writeBigUInt64BE(first, 0)
    bytes.writeBigUInt64BE(second, 8)
    document.set(target, bytes.toString('base64url'))
    return true
  }
}

const hierarchicalRouting: ProcessorFactory = (config) => {
  const field = config.text('path_field')
  const depth = config.integer('anchor_depth', 2)
  const separator = config.optionalText('path_separator') ?? '/'
  const ignoreMissing = config.flag('ignore_missing')
  const override = config.flag('override_existing', true)
  if (depth <= 0) throw config.error('anchor_depth', 'must be greater than 0')
  if (separator === '') throw config.error('path_separator', 'cannot be null or empty')
  if (field === '') throw config.error('path_field', 'cannot be null or empty')
  return (document) => {
    if (!override && hasRouting(document)) return true
    const value = document.get(field, 'any', ignoreMissing)
    if (value === null || valueText(value) === '') {
      if (ignoreMissing) return true
      throw illegalArgument(`field [${field}] ${value === null ? "doesn't exist" : 'is null or empty'}`)
    }
    const segments = valueText(value)
      .trim()
      .split(separator)
      .filter((segment) => segment !== '')
    const anchor = segments.slice(0, depth).join(separator)
    document.set('_routing', routingNumber(anchor === '' ? '_root' : anchor))
    return true
  }
}

/** Patterns of the buckets; a week is named by its ISO number. */
const buckets: ReadonlyMap<string, string> = new Map([
  ['HOUR', "yyyy-MM-dd'T'HH"],
  ['DAY', 'yyyy-MM-dd'],
  ['WEEK', "xxxx-'W'ww"],
  ['MONTH', 'yyyy-MM'],
])

const temporalRouting: ProcessorFactory = (config) => {
  const field = config.text('timestamp_field')
  const granularity = config.text('granularity')
  const pattern = config.optionalText('format') ?? 'strict_date_optional_time'
  const ignoreMissing = config.flag('ignore_missing')
  const override = config.flag('override_existing', true)
  const hashBucket = config.flag('hash_bucket')
  if (field === '') throw config.error('timestamp_field', 'cannot be null or empty')
  const bucket = buckets.get(granularity.toUpperCase())
  if (granularity === '') throw config.error('granularity', 'cannot be null or empty')
  if (bucket === undefined)
    throw config.error(
      'granularity',
      `Invalid granularity: ${granularity}. Supported values are: hour, day, week, month`,
    )
  let format: ReturnType<typeof compileDateFormat>
  try {
    format = compileDateFormat(pattern)
  } catch (error) {
    rethrowFault(error)
    throw config.error('format', `invalid date format: ${error.message}`)
  }
  const output = compileDateFormat(bucket === "xxxx-'W'ww" ? 'weekyear_week' : bucket)
  return (document) => {
    if (!override && hasRouting(document)) return true
    const value = document.get(field, 'any', ignoreMissing)
    if (value === null) {
      if (ignoreMissing) return true
      throw illegalArgument(`field [${field}] not present as part of path [${field}]`)
    }
    let millis: number
    try {
      millis = format.parse(valueText(value))
    } catch (error) {
      rethrowFault(error)
      throw illegalArgument(error.message)
    }
    const name = output.format(millis)
    document.set('_routing', hashBucket ? routingNumber(name) : name)
    return true
  }
}

export const hashProcessors: Readonly<Record<string, ProcessorFactory>> = {
  fingerprint,
  acl_routing: aclRouting,
  hierarchical_routing: hierarchicalRouting,
  temporal_routing: temporalRouting,
}
