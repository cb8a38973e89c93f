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

const mostPatterns = 256
const nothing = Symbol('nothing')

export function filterPaths(body: unknown, paths: string): unknown {
  const texts = splitUnescaped(paths, ',').slice(0, mostPatterns)
  const included: Pattern[] = []
  const excluded: Pattern[] = []
  for (const text of texts.map((part) => part.trim())) {
    if (text === '' || text === '-') continue
    if (text.startsWith('-')) excluded.push(patternOf(text.slice(1)))
    else included.push(patternOf(text))
  }
  const left = excluded.length === 0 ? body : without(body, begin(excluded))
  const kept = left === nothing || included.length === 0 ? left : only(left, begin(included))
  return kept === nothing ? {} : kept
}

function only(value: unknown, progress: readonly Progress[]): unknown {
  if (progress.some(isComplete)) return value
  return mapped(value, progress, only) ?? nothing
}

function without(value: unknown, progress: readonly Progress[]): unknown {
  if (progress.some(isComplete)) return nothing
  if (progress.length === 0 || isEmpty(value)) return value
  return mapped(value, progress, without) ?? value
}

/** A container with its members filtered, `nothing` when none is left; undefined for a scalar. */
function mapped(
  value: unknown,
  progress: readonly Progress[],
  filter: (member: unknown, progress: readonly Progress[]) => unknown,
): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => filter(item, progress)).filter((item) => item !== nothing)
    return items.length === 0 ? nothing : items
  }
  if (typeof value !== 'object' || value === null) return undefined
  const entries: [string, unknown][] = []
  for (const [name, member] of Object.entries(value)) {
    const kept = filter(member, advance(progress, name))
    if (kept !== nothing) entries.push([name, kept])
  }
  return entries.length === 0 ? nothing : Object.fromEntries(entries)
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function begin(patterns: readonly Pattern[]): Progress[] {
  return patterns.flatMap((pattern) => positions(pattern, 0))
}

/** `**` may stand for no name at all. */
function positions(pattern: Pattern, at: number): Progress[] {
  const here = { pattern, at }
  return pattern[at] === null ? [here, ...positions(pattern, at + 1)] : [here]
}

/** Each position of each pattern at most once, however many ways lead there. */
function advance(progress: readonly Progress[], name: string): Progress[] {
  const next: Progress[] = []
  for (const { pattern, at } of progress) {
    const step = pattern[at]
    if (step === undefined) continue
    const reached = step === null ? at : matches(step, name) ? at + 1 : -1
    if (reached < 0) continue
    for (const position of positions(pattern, reached)) {
      if (!next.some((known) => known.pattern === pattern && known.at === position.at)) next.push(position)
    }
  }
  return next
}

function isComplete({ pattern, at }: Progress): boolean {
  return at >= pattern.length
}

function patternOf(text: string): Pattern {
  return splitUnescaped(text, '.').map((name) =>
    name === '**' ? null : name.replaceAll('\\.', '.').replaceAll('\\,', ',').split('*'),
  )
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
