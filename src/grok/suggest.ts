/**
 * What to write instead of a piece that failed: the library pattern that takes what stands in the line and
 * lets the expression go on. Tried from the innermost failed piece outwards, special patterns before general.
 */
import type { Explanation, FailedStep, GrokExplainer } from './explain.ts'
import type { Piece } from './explain-pieces.ts'

export interface Suggestion {
  /**
   * `instead` of the failed piece, `before` it, `blanks` for white space other than expected, `optional` when
   * the line goes on as if the piece were not there.
   */
  readonly kind: 'instead' | 'before' | 'blanks' | 'optional'
  /** What to write. */
  readonly expression: string
  /** The text of the line it is for. */
  readonly text: string
  /** The piece it is about. */
  readonly piece: Piece
}

/** From special to general: the first that fits says most about the text. */
// biome-ignore format: a table
const candidates = [
  'TIMESTAMP_ISO8601', 'HTTPDATE', 'DATESTAMP_RFC2822', 'DATESTAMP_RFC822', 'DATESTAMP_OTHER', 'HTTPDERROR_DATE', 'SYSLOGTIMESTAMP',
  'CATALINA_DATESTAMP', 'DATESTAMP', 'DATE', 'TIME', 'UUID', 'MAC', 'IPV4', 'IPV6', 'HOSTPORT', 'EMAILADDRESS', 'URI', 'INT', 'NUMBER',
  'LOGLEVEL', 'MONTH', 'DAY', 'QUOTEDSTRING', 'URIPATHPARAM', 'WINPATH', 'WORD', 'HOSTNAME', 'JAVACLASS', 'USERNAME', 'NOTSPACE', 'GREEDYDATA',
]
/** Pieces behind the failed one that have to match too. */
const maxFollowing = 2

export function suggest(
  explainer: GrokExplainer,
  { failed, culprit, stop }: Explanation,
  text: string,
): Suggestion | undefined {
  const innermost = failed.at(-1)
  if (innermost === undefined) return undefined
  const blanks = otherBlanks(innermost.piece, text, stop)
  if (blanks !== undefined)
    return { kind: 'blanks', expression: '\\s+', text: blanks, piece: innermost.piece }
  for (const count of [maxFollowing, 1]) {
    for (let level = culprit; level >= 0; level--) {
      const found = suggestAt(explainer, failed, level, { text, stop, count, special: level < culprit })
      if (found !== undefined) return found
    }
  }
  return needless(explainer, failed, text, stop)
}

interface Failure {
  readonly text: string
  readonly stop: number
  /** How many pieces behind the new one have to match. */
  readonly count: number
  /** No pattern that takes nearly everything. */
  readonly special: boolean
}

function suggestAt(
  explainer: GrokExplainer,
  failed: readonly FailedStep[],
  level: number,
  failure: Failure,
): Suggestion | undefined {
  const { piece, at, previous } = failed[level]!
  const following = followingAt(failed, level)
  if (piece.kind === 'reference' || piece.kind === 'group')
    return replacement(explainer, piece, at, following, failure)
  const behind = [piece, ...following]
  if (previous?.piece.kind === 'reference') {
    const found = replacement(explainer, previous.piece, previous.at, behind, { ...failure, special: true })
    if (found !== undefined) return found
  }
  return level === 0 ? insertion(explainer, piece, behind, failure) : undefined
}

/** White space in the line where the expression wants other white space, or has had it already. */
function otherBlanks(piece: Piece, text: string, stop: number): string | undefined {
  const found = /^\s+/.exec(text.slice(stop, stop + 200))?.[0]
  if (found === undefined) return undefined
  const wanted = piece.kind === 'literal' && piece.characters.includes(' ')
  const before = /\s+$/.exec(text.slice(Math.max(0, stop - 10), stop))?.[0] ?? ''
  return wanted || before !== '' ? before + found : undefined
}

/** What had to come behind the piece, in its own sequence and in those around it. */
function followingAt(failed: readonly FailedStep[], level: number): Piece[] {
  const following: Piece[] = []
  for (let at = level; at >= 0; at--) following.push(...failed[at]!.rest)
  return following
}

function replacement(
  explainer: GrokExplainer,
  piece: Piece,
  at: number,
  following: readonly Piece[],
  { text, stop, count, special }: Failure,
): Suggestion | undefined {
  const own = piece.kind === 'reference' ? piece.reference.pattern : ''
  const field = fieldOf(piece)
  for (const candidate of special ? candidates.slice(0, candidates.indexOf('WORD')) : candidates) {
    if (candidate === own || !explainer.knows(candidate)) continue
    const taken = explainer.takenAt(`%{${candidate}}`, following.slice(0, count), text, at)
    // It must get further than the piece it stands for.
    if (taken === undefined || at + taken.length <= stop) continue
    return { kind: 'instead', expression: `%{${candidate}${field}}`, text: taken, piece }
  }
  return undefined
}

function insertion(
  explainer: GrokExplainer,
  piece: Piece,
  following: readonly Piece[],
  { text, stop, count }: Failure,
): Suggestion | undefined {
  for (const candidate of candidates) {
    if (!explainer.knows(candidate)) continue
    const taken = explainer.takenAt(`%{${candidate}}`, following.slice(0, count), text, stop)
    if (taken) return { kind: 'before', expression: `%{${candidate}}`, text: taken, piece }
  }
  return undefined
}

/** `:name` of a reference or a named group, or nothing. */
function fieldOf(piece: Piece): string {
  if (piece.kind === 'reference') return piece.reference.name.slice(piece.reference.pattern.length)
  const name = piece.kind === 'group' ? /^\(\?<([^>]+)>$/.exec(piece.open)?.[1] : undefined
  return name === undefined ? '' : `:${name}`
}

/** The line lacks the piece and goes on with what comes behind it. */
function needless(
  explainer: GrokExplainer,
  failed: readonly FailedStep[],
  text: string,
  stop: number,
): Suggestion | undefined {
  for (let level = failed.length - 1; level >= 0; level--) {
    const { piece, at } = failed[level]!
    if (piece.kind !== 'reference' || at !== stop) continue
    const following = followingAt(failed, level)
    const [between, next] = following
    const blanks = between?.kind === 'literal' ? (/^ +/.exec(between.text)?.[0] ?? '') : ''
    if (blanks === '' || between === undefined || next === undefined) continue
    const goesOn = between.text.slice(blanks.length) + next.text
    const taken = explainer.takenAt(goesOn, following.slice(2, 2 + maxFollowing), text, at)
    if (!taken) continue
    return { kind: 'optional', expression: `(?:${piece.text}${blanks})?`, text: taken, piece }
  }
  return undefined
}
