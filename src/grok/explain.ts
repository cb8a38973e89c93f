/**
 * Why a line does not match: the longest beginning of an expression that does, where in the line it ends, and
 * the smallest piece that fails there. A beginning is tried as an expression of its own, so whatever the engine
 * may give back or try again counts. References and groups are entered as long as that leads further.
 */
import { compilePattern, type Pattern, PatternError, PatternTimeout } from '../regex/pattern.ts'
import { expandGrok } from './expand.ts'
import { type Piece, splitExpression } from './explain-pieces.ts'
import { GrokError } from './grok-error.ts'
import { findReference } from './reference.ts'

interface MatchedPiece {
  /** As written in the expression or in a definition. */
  readonly piece: string
  readonly text: string
  /** 0 in the expression itself, 1 in a definition it names, and so on. */
  readonly depth: number
}

/** A piece that failed, and what stood around it. */
export interface FailedStep {
  readonly piece: Piece
  /** What had to follow, at this level. */
  readonly rest: readonly Piece[]
  /** Offset in the line where the piece was tried. */
  readonly at: number
  /** The piece in front of it, and where that one began. */
  readonly previous: { readonly piece: Piece; readonly at: number } | undefined
}

export interface Explanation {
  /** Offset of the text that matched so far. */
  readonly start: number
  /** Offset up to which the line matches. */
  readonly stop: number
  readonly matched: readonly MatchedPiece[]
  /** The failed piece of the expression, the failed piece in its definition, and so on inwards. */
  readonly failed: readonly FailedStep[]
  /** Position in `failed` of the piece to name: not a group that is all of a definition, but its owner. */
  readonly culprit: number
  /** True when the time for the explanation was over before the innermost piece was known. */
  readonly incomplete: boolean
}

interface ExplainOptions {
  /** Milliseconds one search may take. */
  readonly timeout?: number
  /** Milliseconds one explanation may take. */
  readonly budget?: number
}

/** A piece that matched, or what opens a group around the following ones. */
interface Segment {
  readonly source: string
  readonly shown: string | null
  readonly depth: number
}

/** The beginning of an expression; `closing` ends the groups that are open. */
interface Trail {
  readonly segments: readonly Segment[]
  readonly closing: string
  readonly depth: number
}

interface Step {
  readonly pieces: readonly Piece[]
  /** Position of the failed one. */
  readonly number: number
  readonly trail: Trail
}

interface Stop {
  readonly trail: Trail
  readonly steps: readonly Step[]
  readonly end: number
}

interface Place {
  readonly start: number
  readonly end: number
  readonly texts: readonly (string | undefined)[]
}

const maxDepth = 40
const maxPatterns = 2000
/** With nothing behind it, a text has to end where a reader would say it ends. */
const endOfWord = '(?=[\\s"\'\\])},;|]|\\z)'
const everything = /^\(\?(?::|<[^>]*>)\.\*\)$/

/** Explains lines that `expression` does not match. Throws what `compileGrok` would throw for it. */
export class GrokExplainer {
  readonly #pieces: Piece[][]
  readonly #definitions: Map<string, string>
  readonly #inside = new Map<string, Piece[][]>()
  readonly #patterns = new Map<string, Pattern | null>()
  readonly #timeout: number
  readonly #budget: number
  #text = ''
  #deadline = 0
  #late = false

  constructor(
    expression: string,
    definitions: ReadonlyMap<string, string>,
    { timeout = 500, budget = 5000 }: ExplainOptions = {},
  ) {
    this.#definitions = new Map(definitions)
    this.#timeout = timeout
    this.#budget = budget
    this.#pieces = this.#split(expression)
    expandGrok(expression, definitions)
  }

  explain(text: string): Explanation {
    this.#text = text
    this.#deadline = performance.now() + this.#budget
    this.#late = false
    const anywhere = this.#result(this.#enter(this.#pieces, root, []))
    if (isTelling(anywhere)) return anywhere
    // Next to nothing matches anywhere: what stands at the beginning of the line says more than a chance hit.
    const anchored = { ...root, segments: [{ source: '\\A', shown: null, depth: 0 }] }
    return this.#result(this.#enter(this.#pieces, anchored, []))
  }

  /** What `expression` takes at an offset, when it ends with a word and the pieces follow; else undefined. */
  takenAt(expression: string, following: readonly Piece[], text: string, at: number): string | undefined {
    // One character in front is enough for what looks back.
    const start = at === 0 ? '\\A' : '\\A.'
    const rest =
      following.length === 0 ? endOfWord : following.map((piece) => this.#expand(piece.text)).join('')
    const source = `${start}(?<_taken>${this.#expand(expression)})(?:(?<!\\w)|(?!\\w))${rest}`
    return this.#guarded(source, (pattern) => {
      const subject = text.slice(Math.max(0, at - 1))
      const place = pattern.offsets(subject)?.[pattern.names.get('_taken')?.[0] ?? 0]
      return place === undefined ? undefined : subject.slice(...place)
    })
  }

  knows(pattern: string): boolean {
    return this.#definitions.has(pattern)
  }

  #expand(text: string): string {
    return expandGrok(text, this.#definitions)
  }

  #split(text: string): Piece[][] {
    const alternatives = splitExpression(text)
    for (const piece of alternatives.flat()) {
      if (piece.kind !== 'reference' || piece.reference.definition === undefined) continue
      this.#definitions.set(piece.reference.pattern, piece.reference.definition)
    }
    return alternatives
  }

  /** The alternative that gets furthest; the group as a whole when none of several gets anywhere. */
  #enter(alternatives: readonly Piece[][], trail: Trail, steps: readonly Step[]): Stop {
    const here = this.#stop(trail, steps)
    if (performance.now() > this.#deadline) {
      this.#late = true
      return here
    }
    if (steps.length >= maxDepth) return here
    const stops = alternatives.map((pieces) => this.#walk(pieces, trail, steps))
    if (stops.length === 1) return stops[0]!
    const best = stops.reduce((one, other) => (other.end > one.end ? other : one))
    return best.end > here.end ? best : here
  }

  #walk(pieces: readonly Piece[], trail: Trail, steps: readonly Step[]): Stop {
    const trails = (count: number) =>
      pieces.slice(0, count).reduce((so, piece) => this.#with(so, piece, piece.text), trail)
    const count = longest(pieces.length, (length) => this.#matches(trails(length)))
    const reached = trails(count)
    const piece = pieces[count]
    if (piece === undefined) return this.#stop(reached, steps)
    return this.#inward(piece, reached, [...steps, { pieces, number: count, trail: reached }])
  }

  #inward(piece: Piece, trail: Trail, steps: readonly Step[]): Stop {
    if (piece.min === 0 || piece.kind === 'item' || this.#isLeaf(piece)) return this.#stop(trail, steps)
    // Of `(…){3}` the first two may match.
    const repeated = longest(Math.min(piece.min - 1, maxDepth), (times) =>
      this.#matches(this.#with(trail, piece, `${piece.core}{${times}}`, times)),
    )
    const from = repeated === 0 ? trail : this.#with(trail, piece, `${piece.core}{${repeated}}`)
    if (piece.kind === 'literal') return this.#characters(piece.characters, from, steps)
    return this.#enter(this.#alternatives(piece), openIn(from, piece), steps)
  }

  /** A pattern that is a plain regular expression: its name says more than a part of it would. */
  #isLeaf(piece: Piece): boolean {
    if (piece.kind !== 'reference') return false
    return findReference(this.#definitions.get(piece.reference.pattern) ?? '', 0) === undefined
  }

  #alternatives(piece: Piece): readonly Piece[][] {
    if (piece.kind === 'group') return piece.alternatives
    if (piece.kind !== 'reference') return [[]]
    const { pattern } = piece.reference
    let found = this.#inside.get(pattern)
    if (found === undefined) {
      found = this.#split(this.#definitions.get(pattern) ?? '')
      this.#inside.set(pattern, found)
    }
    return found
  }

  #characters(characters: readonly string[], trail: Trail, steps: readonly Step[]): Stop {
    const before = this.#stop(trail, steps)
    const isFixed = trail.segments[0]?.source === '\\A'
    if (!isFixed && before.end === (this.#place(trail)?.start ?? 0)) return before
    const partly = (count: number): Trail => {
      const source = characters.slice(0, count).join('')
      return { ...trail, segments: [...trail.segments, { source, shown: source, depth: trail.depth }] }
    }
    const count = longest(characters.length - 1, (length) => this.#matches(partly(length)))
    return count === 0 ? before : this.#stop(partly(count), steps)
  }

  #with(trail: Trail, piece: Piece, text: string, times = 1): Trail {
    if (times === 0) return trail
    const isTold = piece.kind !== 'item' || !/^[(^$\\]/.test(piece.text)
    const segment = { source: this.#expand(text), shown: isTold ? piece.text : null, depth: trail.depth }
    return { ...trail, segments: [...trail.segments, segment] }
  }

  #stop(trail: Trail, steps: readonly Step[]): Stop {
    return { trail, steps, end: this.#end(trail) }
  }

  /** Where the line stops matching. */
  #end(trail: Trail): number {
    const place = this.#place(trail)
    return place === null ? 0 : place.end - takenByEverything(trail, place)
  }

  #matches(trail: Trail): boolean {
    return this.#guarded(sourceOf(trail), (pattern) => pattern.test(this.#text)) ?? false
  }

  #place(trail: Trail): Place | null {
    // References and groups get names of ours, which shows the text of each; plain groups then do not
    // count any more, so that an expression with `\1` has to do without.
    return (
      this.#find(trail, (segment, number) => `(?<_${number}>${segment.source})`) ??
      this.#find(trail, (segment) => segment.source)
    )
  }

  #find(trail: Trail, write: (segment: Segment, number: number) => string): Place | null {
    const { segments, closing } = trail
    const source = segments.map((one, i) => (one.shown === null ? one.source : write(one, i))).join('')
    const found = this.#guarded(source + closing, (pattern) => {
      const places = pattern.offsets(this.#text)
      return places === null ? null : { places, names: pattern.names }
    })
    if (found === null || found === undefined) return null
    const [start, end] = found.places[0] ?? [0, 0]
    const texts = segments.map((_, number) => {
      const group = found.names.get(`_${number}`)?.[0]
      const place = group === undefined ? undefined : found.places[group]
      return place === undefined ? undefined : this.#text.slice(...place)
    })
    return { start, end, texts }
  }

  #guarded<T>(source: string, run: (pattern: Pattern) => T): T | undefined {
    let pattern = this.#patterns.get(source)
    if (pattern === null) return undefined
    try {
      if (pattern === undefined) {
        if (this.#patterns.size >= maxPatterns) this.#patterns.clear()
        this.#patterns.set(source, null)
        pattern = compilePattern(source, { multiline: true, timeout: this.#timeout })
        this.#patterns.set(source, pattern)
      }
      return run(pattern)
    } catch (error) {
      // A beginning need not make sense alone: it may call a group that comes later.
      if (error instanceof PatternError || error instanceof GrokError) return undefined
      if (!(error instanceof PatternTimeout)) throw error
      this.#late = true
      return undefined
    }
  }

  #result({ trail, steps, end }: Stop): Explanation {
    const place = this.#place(trail)
    const matched = trail.segments.flatMap(({ shown, depth }, number): MatchedPiece[] => {
      const text = place?.texts[number]
      return shown === null || text === undefined ? [] : [{ piece: shown, text, depth }]
    })
    if (place !== null && takenByEverything(trail, place) > 0) matched.pop()
    const failed = steps.map((step) => this.#failed(step))
    return {
      start: place?.start ?? 0,
      stop: end,
      matched,
      failed,
      culprit: culpritOf(steps),
      incomplete: this.#late,
    }
  }

  #failed({ pieces, number, trail }: Step): FailedStep {
    const before = pieces[number - 1]
    const text = this.#place(trail)?.texts.at(-1)
    const at = this.#end(trail)
    return {
      piece: pieces[number]!,
      rest: pieces.slice(number + 1),
      at,
      previous:
        before === undefined || text === undefined ? undefined : { piece: before, at: at - text.length },
    }
  }
}

function culpritOf(steps: readonly Step[]): number {
  let at = steps.length - 1
  const isAll = ({ pieces }: Step) => pieces.length === 1 && /^(?:group|item)$/.test(pieces[0]!.kind)
  while (at > 0 && isAll(steps[at]!)) at -= 1
  return at
}

/** How much of the match a last `.*` took: that it went to the end of the line proves nothing. */
function takenByEverything({ segments }: Trail, { texts }: Place): number {
  const last = segments.findLastIndex(({ shown }) => shown !== null)
  return last !== -1 && everything.test(segments[last]!.source) ? (texts[last]?.length ?? 0) : 0
}

const root: Trail = { segments: [], closing: '', depth: 0 }

function sourceOf({ segments, closing }: Trail): string {
  return segments.map(({ source }) => source).join('') + closing
}

function openIn(trail: Trail, piece: Piece): Trail {
  const open = piece.kind === 'group' ? piece.open : '(?:'
  return {
    segments: [...trail.segments, { source: open, shown: null, depth: trail.depth }],
    closing: `)${trail.closing}`,
    depth: trail.depth + 1,
  }
}

/** Whether the place of a match is more than chance: a piece of the expression itself, or several inside one. */
function isTelling({ matched }: Explanation): boolean {
  const consuming = matched.filter(({ text }) => text !== '')
  return (
    consuming.some(({ depth }) => depth === 0) ||
    consuming.filter(({ piece }) => piece.startsWith('%{')).length > 1
  )
}

/** The largest count up to `max` for which the test holds; it holds for all smaller ones, and for 0. */
function longest(max: number, test: (count: number) => boolean): number {
  let low = 0
  let high = max
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (test(middle)) low = middle
    else high = middle - 1
  }
  return low
}
