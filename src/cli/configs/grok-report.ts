/**
 * What `millrace grok` prints about a line: the fields of a match, or the place where the line stops matching
 * with the piece that failed, what stands there and what would fit.
 */
import type { Explanation } from '../../grok/explain.ts'
import type { Suggestion } from '../../grok/suggest.ts'

export interface Failure {
  readonly expression: string
  readonly explanation: Explanation
  readonly suggestion: Suggestion | undefined
  /** What the pattern of a name is. */
  definition(name: string): string | undefined
}

const maxWidth = 100
const maxFoundLength = 60
const maxMatched = 4

/** One line per field, the values as JSON. */
export function matchText(
  number: number,
  fields: readonly (readonly [name: string, json: string])[],
): string {
  const width = Math.min(30, Math.max(0, ...fields.map(([name]) => name.length)))
  const rows = fields.map(([name, json]) => `  ${visible(name).padEnd(width)}  ${json}\n`)
  return `line ${number}: match\n${rows.join('')}`
}

export function failureText(number: number, line: string, failure: Failure): string {
  const { explanation, suggestion, expression } = failure
  const rows = [`line ${number}: no match for ${visible(expression)}`, ...shownPlace(line, explanation.stop)]
  const tell = (what: string, text: string) => rows.push(`  ${what.padEnd(9)}${text}`)
  const matched = matchedText(explanation)
  if (matched !== '') tell('matched', matched)
  const step = explanation.failed[explanation.culprit]
  if (step !== undefined) {
    const owners = explanation.failed.slice(0, explanation.culprit).toReversed()
    const inside = owners.map(({ piece }) => ` in ${visible(piece.text)}`).join('')
    tell('failed', `${pieceText(step.piece.text)}${inside}`)
    const named = [step, ...owners].find(({ piece }) => piece.kind === 'reference')
    if (named?.piece.kind === 'reference') {
      const { pattern } = named.piece.reference
      tell('', `${pattern} is ${visible(shorten(failure.definition(pattern) ?? '', 200))}`)
    }
  }
  tell('found', foundText(line, explanation.stop))
  if (suggestion !== undefined) tell('try', suggestionText(suggestion))
  if (explanation.incomplete) tell('note', 'a search took too long; the real reason may be further inside')
  return `${rows.join('\n')}\n`
}

/** Returns the report as one JSON value. */
export function failureJson(
  number: number,
  line: string,
  { expression, explanation, suggestion }: Failure,
): string {
  const { start, stop, failed, culprit, incomplete } = explanation
  return JSON.stringify({
    line: number,
    matched: false,
    expression,
    start,
    stop,
    failed: failed.slice(0, culprit + 1).map(({ piece }) => piece.text),
    found: line.slice(stop, stop + maxFoundLength),
    ...(suggestion !== undefined && {
      suggestion: { kind: suggestion.kind, expression: suggestion.expression, text: suggestion.text },
    }),
    ...(incomplete && { incomplete }),
  })
}

/** The line, cut to the surroundings of the place, and a caret under it. */
function shownPlace(line: string, stop: number): string[] {
  const from = stop <= maxWidth - 30 ? 0 : stop - (maxWidth - 30)
  const before = `${from === 0 ? '' : '…'}${visible(line.slice(from, stop))}`
  const after = visible(line.slice(stop, from + maxWidth))
  const rest = line.length > from + maxWidth ? '…' : ''
  return [
    `  ${before}${after}${rest}`,
    `  ${' '.repeat(columnsOf(before))}^ column ${[...line.slice(0, stop)].length + 1}`,
  ]
}

function columnsOf(text: string): number {
  return [...text].length
}

function matchedText({ matched }: Explanation): string {
  const told = matched.filter(({ piece, text }) => text !== '' && /^(?:%\{|\()/.test(piece))
  const last = told
    .slice(-maxMatched)
    .map(({ piece, text }) => `${visible(shorten(piece, 60))} ${quoted(shorten(text, 40))}`)
  return `${told.length > maxMatched ? '… ' : ''}${last.join(', ')}`
}

function pieceText(text: string): string {
  if (text === '$' || text === '\\z' || text === '\\Z') return `${text} (the end of the line)`
  return /^\s|\s$/.test(text) ? quoted(text) : visible(shorten(text, 200))
}

function foundText(line: string, stop: number): string {
  return stop >= line.length ? 'the end of the line' : quoted(shorten(line.slice(stop), maxFoundLength))
}

function suggestionText({ kind, expression, text, piece }: Suggestion): string {
  const what = visible(expression)
  const taken = quoted(shorten(text, maxFoundLength))
  switch (kind) {
    case 'instead':
      return `${what} instead of ${visible(shorten(piece.text, 60))}: it takes ${taken}`
    case 'before':
      return `${what} in front of ${pieceText(piece.text)}: it takes ${taken}`
    case 'blanks':
      return `${what} for the white space: the line has ${taken}`
    case 'optional':
      return `${what}: the line goes on without it, with ${taken}`
  }
}

function shorten(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

function quoted(text: string): string {
  return `"${visible(text)}"`
}

/** Nothing of a line may move the cursor or colour the terminal, and a tab must not move the caret. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => controls[character] ?? '\ufffd')
}

const controls: Readonly<Record<string, string>> = { '\t': '→', '\n': '↵', '\r': '␍' }
