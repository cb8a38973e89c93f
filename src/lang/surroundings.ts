/**
 * What stands around a failure: open brackets, an open string, the text on both sides.
 * A forgiving scan that needs no grammar, because the text is broken: it only tells comments, strings,
 * patterns and brackets apart.
 */
import { LineIndex } from './line-index.ts'
import type { SyntaxFailure } from './syntax-failure.ts'

/** Recognises one kind of mistake, or stays silent. */
export type HintRule = (around: Surroundings, failure: SyntaxFailure) => string | undefined

export interface Bracket {
  char: '{' | '[' | '('
  offset: number
  line: number
  /** The word before a brace (`filter`, `mutate`, `else`, `if` behind a condition); empty for a hash. */
  name: string
}

interface Surroundings {
  index: LineIndex
  offset: number
  /** Up to some hundred characters on either side. */
  before: string
  after: string
  atEnd: boolean
  /** Brackets open at the failure, outermost first. */
  open: Bracket[]
  /** A brace whose closing line stands further left than its opening line: most likely the one not closed. */
  suspect: Bracket | undefined
  /** Where the string begins in which the failure lies. */
  openString: number | undefined
  /** The last complete string before the failure. */
  lastString: { start: number; end: number } | undefined
}

const REACH = 300
const CLOSERS: Readonly<Record<string, Bracket['char']>> = { '}': '{', ']': '[', ')': '(' }

export function surroundingsOf(text: string, offset: number): Surroundings {
  const index = new LineIndex(text)
  const found: Surroundings = {
    index,
    offset,
    before: text.slice(Math.max(0, offset - REACH), offset),
    after: text.slice(offset, offset + REACH),
    atEnd: offset >= text.length,
    open: [],
    suspect: undefined,
    openString: undefined,
    lastString: undefined,
  }
  const marks = /["'#/{}[\]()]/g
  for (;;) {
    const at = marks.exec(text)?.index ?? offset
    if (at >= offset) return found
    const char = text[at]!
    if (char === '#') {
      const end = text.indexOf('\n', at)
      marks.lastIndex = end === -1 ? text.length : end
    } else if (
      char === '"' ||
      char === "'" ||
      (char === '/' && /[=!]~\s*$/.test(text.slice(Math.max(0, at - 20), at)))
    ) {
      const end = closingQuote(text, char, at + 1)
      if (end === -1 || end >= offset) {
        found.openString = at
        return found
      }
      found.lastString = { start: at, end: end + 1 }
      marks.lastIndex = end + 1
    } else if (char === '{' || char === '[' || char === '(') {
      const name = char === '{' ? blockName(text.slice(Math.max(0, at - REACH), at)) : ''
      found.open.push({ char, offset: at, line: index.lineOf(at), name })
    } else if (char !== '/') closeBracket(found, char, at)
  }
}

function blockName(before: string): string {
  if (/(=>|[[,])\s*$/.test(before)) return ''
  if (/(^|[\s}])if\b[^{}\n]*$/.test(before)) return 'if'
  return /([\w-]+|"[^"\n]*"|'[^'\n]*')\s*$/.exec(before)?.[1] ?? ''
}

/** Finds the end as Logstash does: the first quote without a backslash before it. */
function closingQuote(text: string, quote: string, from: number): number {
  let at = text.indexOf(quote, from)
  while (at > from && text[at - 1] === '\\') at = text.indexOf(quote, at + 1)
  return at
}

function closeBracket(found: Surroundings, char: string, at: number): void {
  if (found.open.at(-1)?.char !== CLOSERS[char]) return
  const opener = found.open.pop()!
  if (char !== '}' || found.suspect !== undefined) return
  const { index } = found
  const line = index.lineOf(at)
  const isFirst = index.text.slice(index.startOf(line), at).trim() === ''
  if (isFirst && indentOf(index, line) < indentOf(index, opener.line)) found.suspect = opener
}

function indentOf(index: LineIndex, line: number): number {
  return /^[ \t]*/.exec(index.lineText(line))![0].length
}
