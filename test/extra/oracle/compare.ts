/** Compares two answers as wholes: status, then every value of the bodies. Says where they part first. */
import { plainQueryText } from './query-text.ts'

export interface Answer {
  readonly status: number
  readonly text: string
}

export interface Difference {
  /** `hits.hits[0]._score` */
  readonly path: string
  readonly ours: string
  readonly theirs: string
  /** `1` against `1.0`: the same number, written differently. */
  readonly isForm: boolean
}

/** What no two nodes agree on. */
const ignored = new Set([
  'took', 'took_in_millis', 'node', 'nodes', 'node_id', '_node', 'uuid', 'cluster_uuid', 'cluster_name', 'index_uuid', 'creation_date', 'provided_name', '_ignored',
  'terminated_early', '_primary_term', 'start_time_in_millis', 'running_time_in_nanos', 'throttled_millis', 'throttled_until_millis', '_scroll_id', 'pit_id',
  'creation_time', 'index.creation_date', 'index.uuid', 'index.provided_name', 'phase_took', 'processor_results_took', 'stack_trace', 'last_modified', 'history_uuid', 'timestamp', 'allocation_id',
]) // biome-ignore format: a list of names

const scores = new Set(['_score', 'max_score', 'score', 'value', 'sort', 'bg_score'])
const numberMark = '\u0001'

/** Ids that a node makes up: of a document without one, and of an index in a text. */
const generated = /(?<="_id":"|document with id ')[\w-]{20}(?=['"])|(?<=\[[\w.-]+\/)[\w-]{22}(?=\])/g

/** Numbers keep their spelling, as marked texts. */
export function parse(text: string): unknown {
  const marked = text
    .replace(generated, '…')
    .replace(/(?<=\$\w+FieldType)@[0-9a-f]{1,8}\b/g, '@…')
    .replace(/"(?:\\.|[^"\\])*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
      token[0] === '"' ? token : `"\\u0001${token}"`,
    )
  try {
    return JSON.parse(marked)
  } catch {
    return text
  }
}

/**
 * Alternatives, sums and failed clauses of an explanation by their descriptions: Lucene keeps the queries of a disjunction in a hash set,
 * also those that it rewrites to a sum.
 */
function withOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOrder)
  if (!isObject(value)) return value
  const ordered = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withOrder(part)]))
  const { description, details } = ordered
  if (
    typeof description !== 'string' ||
    !/^(?:max (?:of|plus)|No matching clause|Failure to m)|sum of:?$/.test(description) ||
    !Array.isArray(details)
  )
    return ordered
  const text = (one: unknown): string =>
    isObject(one)
      ? `${plainQueryText(String(one['description']))}${Array.isArray(one['details']) ? one['details'].map(text).join() : ''}`
      : ''
  return { ...ordered, details: details.toSorted((one, other) => (text(one) < text(other) ? -1 : 1)) }
}

/** The allowed methods of a path in an order: Java keeps them in a hash set. */
function withSortedMethods(text: string): string {
  return text.replace(
    /(Incorrect HTTP method[^"]*allowed: \[)([A-Z, ]+)\]/,
    (_, before: string, methods: string) => `${before}${methods.split(', ').sort().join(', ')}]`,
  )
}

export function differenceOf(ours: Answer, theirs: Answer): Difference | undefined {
  if (ours.status !== theirs.status)
    return {
      path: 'status',
      ours: `${ours.status} ${brief(ours.text)}`,
      theirs: `${theirs.status} ${brief(theirs.text)}`,
      isForm: false,
    }
  let form: Difference | undefined
  const [one, other] = [ours, theirs].map(({ text }) => withOrder(parse(withSortedMethods(text))))
  const found = walk(one, other, '', '')
  return found ?? form

  function walk(a: unknown, b: unknown, path: string, name: string): Difference | undefined {
    if (a === b || ignored.has(name)) return undefined
    if (
      typeof a === 'string' &&
      typeof b === 'string' &&
      (name === 'description' || name === 'explanation') &&
      plainQueryText(a) === plainQueryText(b)
    )
      return undefined
    if (Array.isArray(a) && Array.isArray(b)) {
      for (let at = 0; at < Math.min(a.length, b.length); at++) {
        const found = walk(a[at], b[at], `${path}[${at}]`, name)
        if (found !== undefined) return found
      }
      return a.length === b.length ? undefined : part(`${path}.length`, a.length, b.length)
    }
    if (isObject(a) && isObject(b)) {
      for (const key of new Set([...Object.keys(b), ...Object.keys(a)])) {
        if (ignored.has(key)) continue
        const place = path === '' ? key : `${path}.${key}`
        if (!Object.hasOwn(a, key)) return part(place, undefined, b[key])
        if (!Object.hasOwn(b, key)) return part(place, a[key], undefined)
        const found = walk(a[key], b[key], place, key)
        if (found !== undefined) return found
      }
      return undefined
    }
    if (isNumber(a) && isNumber(b)) {
      const [one, other] = [a.slice(1), b.slice(1)]
      // The scores of named queries stand under their names.
      const isScore = scores.has(name) || path.includes('matched_queries')
      const isInexact = /[.eE]/.test(one) || /[.eE]/.test(other) || isScore
      const gap = Math.abs(Number(one) - Number(other))
      const allowed = (isScore ? 1e-5 : 1e-9) * Math.max(Math.abs(Number(other)), Math.abs(Number(one)))
      if (isInexact && gap <= allowed) {
        if (/[.eE]/.test(one) !== /[.eE]/.test(other)) form ??= { ...part(path, a, b), isForm: true }
        return undefined
      }
    }
    return part(path, a, b)
  }
}

/** Two differences with the same signature have most likely the same cause. */
export function signature({ path, ours, theirs }: Difference): string {
  const plain = (text: string) =>
    text
      .replace(/\[[^\]]*\]/g, '[…]')
      .replace(/\d+(\.\d+)?/g, '0')
      .slice(0, 90)
  return `${path.replace(/\[\d+\]/g, '[]').slice(0, 120)}: ${plain(ours)} ≠ ${plain(theirs)}`
}

function part(path: string, ours: unknown, theirs: unknown): Difference {
  return { path, ours: shown(ours), theirs: shown(theirs), isForm: false }
}

function shown(value: unknown): string {
  return value === undefined ? '(none)' : brief(JSON.stringify(value).replaceAll(/"\\u0001([^"]*)"/g, '$1'))
}

/** Long enough for the text of any query, so that the order of its parts can be left aside. */
const maxShown = 20_000

function brief(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
}

function isNumber(value: unknown): value is string {
  return typeof value === 'string' && value[0] === numberMark
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
