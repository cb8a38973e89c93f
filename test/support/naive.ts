/**
 * A second opinion on filters: a slow interpreter of a few operations, written from the specification and
 * from nothing in src/. Events are nested Maps, so that no name can be anything but data.
 */
import { hashMapOrder } from '../../src/text/java-hash.ts'
export type Naive = string | number | boolean | null | Naive[] | Map<string, Naive>
export type NaiveEvent = Map<string, Naive>

export type Path = readonly string[]

/** A text with at most one `%{[path]}` in it. */
export interface Template {
  before: string
  path?: Path
  after: string
}

/** One mutate block; operations in the order they run, whatever the order in the text. */
export interface Mutate {
  kind: 'mutate'
  rename: [Path, Path][]
  update: [Path, Template][]
  replace: [Path, Template][]
  uppercase: Path[]
  lowercase: Path[]
  copy: [Path, Path][]
  add_field: [Path, Template][]
  remove_field: Path[]
  add_tag: string[]
  remove_tag: string[]
}

export type Test =
  | { kind: 'truth'; path: Path }
  | { kind: 'equal'; path: Path; value: string | number; negated: boolean }
  | { kind: 'inList'; path: Path; list: (string | number)[]; negated: boolean }
  | { kind: 'textIn'; text: string; path: Path; negated: boolean }
  | { kind: 'match'; path: Path; text: string; negated: boolean }
  | { kind: 'not'; test: Test }
  | { kind: 'both'; operator: 'and' | 'or'; left: Test; right: Test }

export interface Branch {
  kind: 'if'
  cases: { test: Test; body: Stage[] }[]
  otherwise: Stage[] | undefined
}

export type Stage = Mutate | Branch | { kind: 'drop' }

class Failure extends Error {}

/** Runs the stages one after the other over the whole list; an `if` gives its then-branch first. */
export function runStages(events: NaiveEvent[], stages: readonly Stage[]): NaiveEvent[] {
  let list = events
  for (const stage of stages) {
    if (stage.kind === 'drop') list = []
    else if (stage.kind === 'mutate') for (const event of list) mutate(event, stage)
    else if (!isEmpty([stage])) list = branch(list, stage, 0)
  }
  return list
}

/** An `if` with nothing in any branch does not exist, so it does not change the order either. */
function isEmpty(stages: readonly Stage[]): boolean {
  return stages.every(
    (stage) =>
      stage.kind === 'if' && stage.cases.every(({ body }) => isEmpty(body)) && isEmpty(stage.otherwise ?? []),
  )
}

function branch(events: NaiveEvent[], stage: Branch, index: number): NaiveEvent[] {
  const found = stage.cases[index]
  if (found === undefined) return runStages(events, stage.otherwise ?? [])
  if (isEmpty([{ ...stage, cases: stage.cases.slice(index) }])) return events
  const answers = events.map((event) => holds(event, found.test))
  const yes = events.filter((_, i) => answers[i])
  const no = events.filter((_, i) => !answers[i])
  return [...runStages(yes, found.body), ...branch(no, stage, index + 1)]
}

// ------------------------------------------------------------------------------------------- conditions

export function holds(event: NaiveEvent, test: Test): boolean {
  switch (test.kind) {
    case 'truth': {
      const value = get(event, test.path)
      return value !== undefined && value !== null && value !== false && value !== '' && value !== 'false'
    }
    case 'equal':
      return (get(event, test.path) === test.value) !== test.negated
    case 'inList': {
      const value = get(event, test.path)
      const scalar = value !== undefined && value !== null && typeof value !== 'object'
      return (scalar && test.list.some((item) => String(item) === String(value))) !== test.negated
    }
    case 'textIn': {
      const value = get(event, test.path)
      const inside =
        typeof value === 'string'
          ? value.includes(test.text)
          : Array.isArray(value) && value.includes(test.text)
      return inside !== test.negated
    }
    case 'match': {
      const value = get(event, test.path)
      return (typeof value === 'string' && value.includes(test.text)) !== test.negated
    }
    case 'not':
      return !holds(event, test.test)
    case 'both': {
      const left = holds(event, test.left)
      const right = holds(event, test.right)
      return test.operator === 'and' ? left && right : left || right
    }
  }
}

// ----------------------------------------------------------------------------------------------- mutate

function mutate(event: NaiveEvent, stage: Mutate): void {
  try {
    for (const [from, to] of stage.rename) {
      const value = remove(event, from)
      if (value !== undefined) set(event, to, value)
    }
    for (const [path, text] of stage.update)
      if (get(event, path) !== undefined) set(event, path, fill(event, text))
    for (const [path, text] of stage.replace) set(event, path, fill(event, text))
    for (const path of stage.uppercase) letters(event, path, (text) => text.toUpperCase())
    for (const path of stage.lowercase) letters(event, path, (text) => text.toLowerCase())
    for (const [from, to] of stage.copy) {
      const value = get(event, from)
      if (value !== undefined && value !== null) set(event, to, clone(value))
    }
    for (const [path, text] of stage.add_field) {
      const old = get(event, path)
      const added = fill(event, text)
      set(event, path, old === undefined ? added : [...toList(old), added])
    }
    for (const path of stage.remove_field) remove(event, path)
    if (stage.add_tag.length > 0) event.set('tags', [...toList(event.get('tags') ?? null), ...stage.add_tag])
    const tags = event.get('tags')
    if (stage.remove_tag.length > 0 && tags !== undefined && tags !== null) {
      event.set(
        'tags',
        toList(tags).filter((tag) => !stage.remove_tag.includes(tag as string)),
      )
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const tags = toList(event.get('tags') ?? null)
    event.set('tags', tags.includes('_mutate_error') ? tags : [...tags, '_mutate_error'])
  }
}

function letters(event: NaiveEvent, path: Path, change: (text: string) => string): void {
  const value = get(event, path)
  if (typeof value === 'string') set(event, path, change(value))
  else if (Array.isArray(value)) {
    set(
      event,
      path,
      value.map((item) => (typeof item === 'string' ? change(item) : item)),
    )
  }
}

// ----------------------------------------------------------------------------------------------- fields

function get(event: NaiveEvent, path: Path): Naive | undefined {
  let value: Naive | undefined = event
  for (const name of path) value = value instanceof Map ? value.get(name) : undefined
  return value
}

function set(event: NaiveEvent, path: Path, value: Naive): void {
  let parent: Naive = event
  for (const [depth, name] of path.entries()) {
    // A name that is no index is ignored by a list.
    if (Array.isArray(parent)) return
    if (!(parent instanceof Map)) throw new Failure()
    if (depth === path.length - 1) break
    if (!parent.has(name)) parent.set(name, new Hash())
    parent = parent.get(name)!
  }
  if (!(parent instanceof Map)) throw new Failure()
  parent.set(path.at(-1)!, value)
}

function remove(event: NaiveEvent, path: Path): Naive | undefined {
  const parent = get(event, path.slice(0, -1))
  if (!(parent instanceof Map)) return undefined
  const old = parent.get(path.at(-1)!)
  parent.delete(path.at(-1)!)
  return old
}

function fill(event: NaiveEvent, { before, path, after }: Template): string {
  if (path === undefined) return before + after
  const value = get(event, path)
  return `${before}${value === undefined || value === null ? `%{${reference(path)}}` : text(value)}${after}`
}

function text(value: Naive): string {
  if (value === null) return ''
  if (Array.isArray(value))
    return value.map((item) => (item instanceof Map ? java(item) : text(item))).join(',')
  return value instanceof Map ? json(value) : String(value)
}

/** A map inside a list is written by Java's toString: `{a=1, b=[x, null]}`. */
function java(value: Naive): string {
  if (Array.isArray(value)) return `[${value.map(java).join(', ')}]`
  if (!(value instanceof Map)) return value === null ? 'null' : text(value)
  const names = hashMapOrder([...value.keys()], value.size, value.size)
  return `{${names.map((name) => `${name}=${java(value.get(name)!)}`).join(', ')}}`
}

/** Members of maps in the order of Java's HashMap, which has a test of its own. */
function json(value: Naive): string {
  if (Array.isArray(value)) return `[${value.map(json).join(',')}]`
  if (!(value instanceof Map)) return JSON.stringify(value)
  const names = hashMapOrder([...value.keys()], value.size, value.size)
  return `{${names.map((name) => `${JSON.stringify(name)}:${json(value.get(name)!)}`).join(',')}}`
}

/** A field that is removed and set again keeps its place; real hashes of Logstash have no order to keep. */
class Hash extends Map<string, Naive> {
  readonly #places = new Set<string>()

  constructor(members: readonly (readonly [string, Naive])[] = []) {
    super()
    for (const [name, value] of members) this.set(name, value)
  }

  override set(name: string, value: Naive): this {
    this.#places.add(name)
    return super.set(name, value)
  }

  names(): string[] {
    return [...this.#places].filter((name) => this.has(name))
  }
}

function toList(value: Naive): Naive[] {
  if (value === null) return []
  if (value instanceof Hash) return value.names().map((name) => [name, value.get(name)!])
  return Array.isArray(value) ? value : [value]
}

function clone(value: Naive): Naive {
  return fromJson(toJson(value))
}

export function reference(path: Path): string {
  return path.map((name) => `[${name}]`).join('')
}

/** JSON.parse defines `__proto__` as an own property; so does this. */
export function fromJson(value: unknown): Naive {
  if (Array.isArray(value)) return value.map(fromJson)
  if (typeof value !== 'object' || value === null) return value as Naive
  return new Hash(Object.entries(value).map(([name, item]) => [name, fromJson(item)]))
}

export function toJson(value: Naive): unknown {
  if (Array.isArray(value)) return value.map(toJson)
  if (!(value instanceof Map)) return value
  const object = {}
  for (const [name, item] of value) {
    Object.defineProperty(object, name, {
      value: toJson(item),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return object
}
