/**
 * One validator per kind of option, each with Logstash's own reading of a value and its own words for a
 * refusal. A result of `undefined` means that the option counts as not given.
 */
import { existsSync } from 'node:fs'
import { InvalidFieldReference, parseFieldReference } from '../event/field-reference.ts'
import { LsFloat, type Value } from '../event/value.ts'
import { rubyFloat } from '../text/ruby-float.ts'
import { parseByteSize } from './byte-size.ts'
import { type CodecChoice, type Option, type OptionKind, Password } from './option.ts'
import { isHash, isScalar, show, textOf, toValue } from './raw-text.ts'
import { RawPlugin, type RawValue } from './raw-value.ts'

export type Checked = { ok: true; value: unknown } | { ok: false; note: string; hint?: string | undefined }

type Declared = Pick<Option<unknown>, 'kind' | 'list' | 'values'>
type Validator = (raw: RawValue, option: Declared) => Checked

const good = (value: unknown): Checked => ({ ok: true, value })
const bad = (note: string, hint?: string): Checked => ({ ok: false, note, hint })

export function checkValue(raw: RawValue, option: Declared): Checked {
  return option.list ? checkList(raw, option) : validators[option.kind](raw, option)
}

function checkList(raw: RawValue, option: Declared): Checked {
  const given = asList(raw)
  const items = option.kind === 'uri' ? given.flatMap(splitOnBlanks) : given
  const results = items.map((item) => validators[option.kind](item, option))
  const failed = results.find((result) => !result.ok)
  if (failed === undefined) return good(results.map((result) => (result as { value: unknown }).value))
  // Logstash prints the outcome of every item, good or bad, as one list.
  const outcome = results.map((result) => (result.ok ? printable(result.value) : result.note))
  const note = show(outcome)
  return bad(option.kind === 'uri' ? hideUserInfo(note) : note, failed.ok ? undefined : failed.hint)
}

function printable(value: unknown): unknown {
  return value instanceof Password ? value.toString() : (value ?? null)
}

/** Ruby's `Array(value)`: nothing is an empty list, a map is the list of its pairs. */
export function asList(raw: RawValue): RawValue[] {
  if (raw === null) return []
  if (Array.isArray(raw)) return raw
  return isHash(raw) ? [...raw].map(([key, value]) => [key, value]) : [raw]
}

function splitOnBlanks(raw: RawValue): RawValue[] {
  return typeof raw === 'string' ? raw.split(/\s+/).filter((part) => part !== '') : [raw]
}

/** How many values a scalar option was given: `[*value].size`, or the size of a map. */
function count(raw: RawValue): number {
  return isHash(raw) ? raw.size : asList(raw).length
}

function only(raw: RawValue): RawValue | undefined {
  return asList(raw)[0]
}

const string: Validator = (raw) => {
  const value = only(raw)
  if (value === undefined || value === null)
    return count(raw) > 1 ? bad(`Expected string, got ${show(raw)}`) : good(undefined)
  if (count(raw) > 1 || !isScalar(value)) return bad(`Expected string, got ${show(raw)}`)
  return good(textOf(value))
}

const number: Validator = (raw) => {
  if (count(raw) > 1) return bad(`Expected number, got ${show(raw)} (type ${isHash(raw) ? 'Hash' : 'Array'})`)
  const value = only(raw)
  if (value === undefined || value === null) return good(undefined)
  if (typeof value === 'number') return good(value)
  if (typeof value === 'bigint' || value instanceof LsFloat) return good(Number(value))
  if (typeof value === 'string' && roundTrips(value)) return good(Number(value))
  return bad(`Expected number, got ${show(value)} (type ${textOf(value)})`)
}

/** Text that Ruby prints again exactly so after reading it as integer or as float. */
function roundTrips(text: string): boolean {
  if (text.length > 400) return false
  if (/^(0|-?[1-9]\d*)$/.test(text)) return true
  return /^-?\d+\.\d+(e[+-]\d+)?$/.test(text) && rubyFloat(Number(text)) === text
}

const boolean: Validator = (raw) => {
  if (count(raw) > 1) return bad(`Expected boolean, got ${show(raw)}`)
  const value = only(raw)
  // Line anchors, as in Ruby: any line may say true or false, but only the whole text counts as true.
  if (typeof value === 'string' && /^(true|false)$/m.test(value)) return good(value === 'true')
  return bad(`Expected boolean 'true' or 'false', got ${show(value ?? null)}`)
}

const array: Validator = (raw) => good(asList(raw).map((item) => toValue(item)))

const hash: Validator = (raw) => {
  const result = new Map<string, Value>()
  if (isHash(raw)) {
    for (const [name, value] of raw) result.set(name, toValue(value))
    return good(result)
  }
  const flat = asList(raw)
  if (flat.length % 2 === 1) return bad(`This field must contain an even number of items, got ${flat.length}`)
  for (let i = 0; i < flat.length; i += 2) {
    const name = textOf(flat[i]!)
    const value = toValue(flat[i + 1]!)
    const known = result.get(name)
    if (known === undefined || known === null) result.set(name, value)
    else result.set(name, Array.isArray(known) ? [...known, value] : [known, value])
  }
  return good(result)
}

const oneOf: Validator = (raw, option) => {
  const given = asList(raw)
  const value = given[0]
  if (given.length <= 1 && isScalar(value) && option.values?.includes(textOf(value)))
    return good(textOf(value))
  return bad(`Expected one of ${show(option.values ?? [])}, got ${show(given)}`)
}

const codec: Validator = (raw) => {
  const value = only(raw)
  if (value === undefined || value === null) return good(undefined)
  if (count(raw) > 1 || isHash(raw)) return bad(`Expected codec (one value), got ${count(raw)} values?`)
  if (value instanceof RawPlugin)
    return good({ name: value.name, options: value.options } satisfies CodecChoice)
  if (typeof value === 'string') return good({ name: value, options: new Map() } satisfies CodecChoice)
  return bad(`Expected codec, got ${show(value)}`)
}

const password: Validator = (raw) => {
  if (count(raw) > 1) return bad(`Expected password (one value), got ${count(raw)} values?`)
  const value = only(raw)
  if (value === undefined || value === null) return good(undefined)
  return typeof value === 'string'
    ? good(new Password(value))
    : bad(`Expected password (one value), got a ${isScalar(value) ? 'number' : 'hash'}; put it in quotes`)
}

const hostAndPort = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(?::\d+)?$/
const notInUri = /[\s\p{Cc}"<>\\^`{|}]|%(?![0-9A-Fa-f]{2})/u

/** A bare `host:port` becomes `//host:port`. */
const uri: Validator = (raw) => {
  if (count(raw) > 1) return bad(`Expected uri (one value), got ${count(raw)} values?`)
  const value = only(raw)
  if (value === undefined || value === null) return good(undefined)
  const text = textOf(value)
  if (hostAndPort.test(text)) return good(`//${text}`)
  if (!isScalar(value) || text === '' || notInUri.test(text))
    return bad(`Expected uri, got ${show(hideUserInfo(text))}`)
  return good(text)
}

/** Text of a message in which the password of a URI must not appear; hides rather too much than too little. */
export function hideUserInfo(text: string): string {
  return text.replace(/(\/\/[^/\s:@"]*):.*@/gs, '$1:xxxxxx@')
}

const path: Validator = (raw) => {
  if (count(raw) > 1) return bad(`Expected path (one value), got ${count(raw)} values?`)
  const value = only(raw)
  if (value === undefined || value === null) return good(undefined)
  const text = textOf(value)
  if (isScalar(value) && existsSync(text)) return good(text)
  return bad(`File does not exist or cannot be opened ${text}`)
}

const bytesDoc = 'http://www.elastic.co/guide/en/logstash/current/configuration.html#bytes'

const bytes: Validator = (raw) => {
  const value = only(raw)
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof LsFloat) {
    if (Number.isFinite(Number(value))) return good(Math.trunc(Number(value)))
  }
  const size = typeof value === 'string' ? parseByteSize(value) : undefined
  if (size !== undefined) return good(size)
  const text = textOf(value ?? null)
  return bad(
    `Unparseable filesize: ${text}. possible units (KiB, MiB, ...) e.g. '10 KiB'. doc reference: ${bytesDoc}`,
  )
}

const ipaddr: Validator = (raw) => {
  const value = only(raw)
  const one = count(raw) === 1 && typeof value === 'string'
  // Loaded when it is asked for: few configurations have such an option.
  const { isIP } = process.getBuiltinModule('node:net')
  return one && isIP(value) !== 0 ? good(value) : bad(`Expected IPaddr, got ${show(asList(raw))}`)
}

const fieldReference: Validator = (raw) => {
  if (isHash(raw) || count(raw) > 1) return bad(`Expected exactly one field reference, got \`${show(raw)}\``)
  const value = only(raw)
  if (value === undefined || value === null || value === '') return good(undefined)
  if (!isScalar(value)) return bad(`Expected a valid field reference, got \`${show(value)}\``)
  try {
    parseFieldReference(textOf(value))
    return good(textOf(value))
  } catch (error) {
    if (!(error instanceof InvalidFieldReference)) throw error
    return bad(`Expected a valid field reference, got \`${show(value)}\``, error.message)
  }
}

const sha256Hex: Validator = (raw) => {
  if (isHash(raw) || count(raw) > 1) {
    return bad(`Expected exactly one hex-encoded SHA-256 fingerprint, got \`${show(raw)}\``)
  }
  const value = only(raw)
  if (value === undefined || value === null || value === '') return good(undefined)
  if (typeof value === 'string' && /^(?:[0-9A-Fa-f]{2}:?){32}$/.test(value)) {
    return good(value.toUpperCase().replaceAll(':', ''))
  }
  return bad(`Expected a hex-encoded SHA-256 fingerprint, got \`${show(value)}\``)
}

const ecsVersions: readonly RawValue[] = ['disabled', 'v1', 'v8']

const ecsCompatibility: Validator = (raw) => {
  const given = asList(raw)
  if (given.length === 1 && ecsVersions.includes(given[0]!)) return good(given[0])
  return bad(
    'Expected a v-prefixed integer major-version number (e.g., `v1`) or the literal `disabled`, ' +
      `got ${show(given)}`,
  )
}

const any: Validator = (raw) => good(toValue(raw))

const validators: Readonly<Record<OptionKind, Validator>> = {
  string,
  number,
  boolean,
  array,
  hash,
  one_of: oneOf,
  codec,
  password,
  uri,
  path,
  bytes,
  ipaddr,
  field_reference: fieldReference,
  sha_256_hex: sha256Hex,
  ecs_compatibility: ecsCompatibility,
  any,
}

/** What `# This setting must be a …` says. */
export function kindText(option: Declared): string {
  if (option.kind === 'one_of') return show(option.values ?? [])
  return option.kind === 'ecs_compatibility' ? 'ecs_compatibility_argument' : option.kind
}
