/**
 * `filter_path`: keeps only the named parts of a body. Dotted paths, separated by commas; `*` stands for any part
 * of a name, `**` for any number of names, `\.` for a dot in a name, a leading `-` leaves the part out. Lists are
 * looked into without a name of their own. What matches is kept whole; containers that lose everything go.
 */
type Pattern = readonly Step[]
/** Null is `**`; otherwise the texts between the stars of a name. */
type Step = readonly string[] | null

/** How far into which pattern a place of the body is. */
interface Progress {
  readonly pattern: Pattern
  readonly at: number
}

/** What a value is made of; undefined when it cannot be looked into. */
type Look = (value: object) => object | undefined

/** Long bodies are gone through in parts; whoever works them off may do other things in between. */
type Parts<Result> = Generator<void, Result, void>
type Filter = (value: unknown, progress: readonly Progress[], walk: Walk) => Parts<unknown>

const maxPatterns = 256
const valuesPerPart = 1024
/** What has to be opened first counts as so many values. */
const openedValues = 32
/** So many positions take as long as a value. */
const progressPerValue = 16
const nothing = Symbol('nothing')

export function filterPaths(body: unknown, paths: string, look: Look = (value) => value): unknown {
  const parts = filterInParts(body, paths, look)
  for (;;) {
    const { done, value } = parts.next()
    if (done) return value
  }
}

/** Members that are undefined count as absent. */
export function* filterInParts(body: unknown, paths: string, look: Look): Parts<unknown> {
  const texts = splitUnescaped(paths, ',').slice(0, maxPatterns)
  const included: Pattern[] = []
  const excluded: Pattern[] = []
  for (const text of texts.map((part) => part.trim())) {
    if (text === '' || text === '-') continue
    if (text.startsWith('-')) excluded.push(patternOf(text.slice(1)))
    else included.push(patternOf(text))
  }
  const walk = { look, left: valuesPerPart }
  const left = excluded.length === 0 ? body : yield* without(body, begin(excluded), walk)
  const kept = left === nothing || included.length === 0 ? left : yield* only(left, begin(included), walk)
  return kept === nothing ? {} : kept
}

interface Walk {
  readonly look: Look
  /** Values until the end of this part. */
  left: number
}

function* only(value: unknown, progress: readonly Progress[], walk: Walk): Parts<unknown> {
  if (progress.some(isComplete)) return value
  if (progress.length === 0) return nothing
  return (yield* mapped(value, progress, walk, only)) ?? nothing
}

function* without(value: unknown, progress: readonly Progress[], walk: Walk): Parts<unknown> {
  if (progress.some(isComplete)) return nothing
  if (progress.length === 0) return value
  return (yield* mapped(value, progress, walk, without)) ?? value
}

/** A container with its members filtered, `nothing` when none is left; undefined for a scalar. */
function* mapped(value: unknown, progress: readonly Progress[], walk: Walk, filter: Filter): Parts<unknown> {
  if (walk.left <= 0) {
    yield
    walk.left = valuesPerPart
  }
  walk.left -= 1 + progress.length / progressPerValue
  if (typeof value !== 'object' || value === null) return undefined
  const seen = walk.look(value)
  if (seen === undefined) return undefined
  if (seen !== value) walk.left -= openedValues
  if (Array.isArray(seen)) {
    const items: unknown[] = []
    for (const item of seen) {
      const kept = yield* filter(item, progress, walk)
      if (kept !== nothing) items.push(kept)
    }
    return items.length === 0 && !isKeptEmpty(seen.length, filter) ? nothing : items
  }
  const members: [string, unknown][] = seen instanceof Map ? [...seen] : Object.entries(seen)
  const entries: [string, unknown][] = []
  for (const [name, member] of members) {
    if (member === undefined) continue
    const kept = yield* filter(member, advance(progress, name), walk)
    if (kept !== nothing) entries.push([name, kept])
  }
  return entries.length === 0 && !isKeptEmpty(members.length, filter) ? nothing : Object.fromEntries(entries)
}

/** What was empty before anything was left out stays. */
function isKeptEmpty(length: number, filter: Filter): boolean {
  return length === 0 && filter === without
}

function begin(patterns: readonly Pattern[]): Progress[] {
  return patterns.flatMap((pattern) => positions(pattern, 0))
}

/** `**` may stand for no name at all; two in a row are one, so each place of a body has few positions. */
function positions(pattern: Pattern, at: number): Progress[] {
  const here = { pattern, at }
  return pattern[at] === null ? [here, ...positions(pattern, at + 1)] : [here]
}

/** Each position of each pattern at most once, however many ways lead there; those of a pattern follow each other. */
function advance(progress: readonly Progress[], name: string): Progress[] {
  const next: Progress[] = []
  let current: Pattern | undefined
  const known = new Set<number>()
  for (const { pattern, at } of progress) {
    if (pattern !== current) known.clear()
    current = pattern
    const step = pattern[at]
    if (step === undefined) continue
    const reached = step === null ? at : matches(step, name) ? at + 1 : -1
    if (reached < 0) continue
    for (const position of positions(pattern, reached)) {
      if (known.has(position.at)) continue
      known.add(position.at)
      next.push(position)
    }
  }
  return next
}

function isComplete({ pattern, at }: Progress): boolean {
  return at >= pattern.length
}

function patternOf(text: string): Pattern {
  return splitUnescaped(text, '.')
    .filter((name, place, names) => name !== '**' || names[place - 1] !== '**')
    .map((name) => (name === '**' ? null : name.replaceAll('\\.', '.').replaceAll('\\,', ',').split('*')))
}

/** Splits at a mark that has no backslash before it. */
function splitUnescaped(text: string, mark: string): string[] {
  const parts: string[] = []
  let start = 0
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i += 1
    else if (text[i] === mark) {
      parts.push(text.slice(start, i))
      start = i + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}

function matches(texts: readonly string[], name: string): boolean {
  const [first = '', ...rest] = texts
  if (rest.length === 0) return name === first
  const last = rest.pop() ?? ''
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last))
    return false
  let at = first.length
  const end = name.length - last.length
  for (const text of rest) {
    const found = name.indexOf(text, at)
    if (found < 0 || found + text.length > end) return false
    at = found + text.length
  }
  return true
}
