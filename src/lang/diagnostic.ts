/**
 * What we have to say about a configuration text, as data, and the picture of the place:
 *   --> file:line:column
 *    |
 *  4 |   add_field => { "a" => "b", "c" => "d" }
 *    |                            ^
 *   hint: …
 */
import { LineIndex } from './line-index.ts'

export interface Diagnostic {
  severity: 'error' | 'warning'
  /** Stable name of this kind of message, in snake_case. */
  code: string
  message: string
  /** What it speaks of, for counting: `output irc`, `filter grok: singles`. */
  subject?: string | undefined
  /** The message in few words, where it is long. */
  brief?: string
  file?: string
  line: number
  column: number
  /** UTF-16 range in the source; without it one character is marked. */
  start?: number
  end?: number
  hint?: string | undefined
}

const TAB_WIDTH = 4
const MAX_LINE_WIDTH = 120
/** Columns kept before the mark when a line has to be clipped. */
const LEAD = 60

/** The message with the frame under it. */
export function renderDiagnostic(diagnostic: Diagnostic, sourceText: string, fileName: string): string {
  return `${diagnostic.message}\n${renderFrame(diagnostic, sourceText, fileName)}`
}

export function renderFrame(diagnostic: Diagnostic, sourceText: string, fileName: string): string {
  const { line, column, start, end, hint } = diagnostic
  const source = [...new LineIndex(sourceText).lineText(line)]
  const marked = start !== undefined && end !== undefined ? [...sourceText.slice(start, end)] : []
  const lineBreak = marked.findIndex((char) => char === '\n' || char === '\r')
  const length = Math.max(1, lineBreak === -1 ? marked.length : lineBreak)

  const before = cells(source.slice(0, column - 1), 0)
  const inside = cells(source.slice(column - 1, column - 1 + length), before.length)
  const after = cells(source.slice(column - 1 + length), before.length + inside.length)
  const { text, lead } = clip([...before, ...inside, ...after], before.length)
  const carets = '^'.repeat(Math.max(1, Math.min(inside.length, MAX_LINE_WIDTH - lead)))

  const gutter = String(line).length
  const bar = `${' '.repeat(gutter + 1)} |`
  const lines = [
    `  --> ${fileName}:${line}:${column}`,
    bar,
    ` ${line} | ${text}`.trimEnd(),
    `${bar} ${' '.repeat(lead)}${carets}`,
  ]
  if (hint !== undefined) lines.push(`  hint: ${hint}`)
  return lines.join('\n')
}

/** One entry per terminal column: tabs become blanks, control characters a dot, wide characters take two. */
function cells(chars: string[], column: number): string[] {
  const out: string[] = []
  for (const char of chars) {
    if (char === '\t') {
      do out.push(' ')
      while ((column + out.length) % TAB_WIDTH !== 0)
    } else if (/[\p{Cc}\p{Cf}]/u.test(char)) out.push('·')
    else {
      out.push(char)
      if (isWide(char)) out.push('')
    }
  }
  return out
}

function isWide(char: string): boolean {
  return /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u.test(
    char,
  )
}

function clip(row: string[], mark: number): { text: string; lead: number } {
  if (row.length <= MAX_LINE_WIDTH) return { text: row.join(''), lead: mark }
  const from = Math.max(0, Math.min(mark - LEAD, row.length - MAX_LINE_WIDTH))
  const kept = row.slice(from, from + MAX_LINE_WIDTH)
  if (from > 0) kept[0] = '…'
  if (from + MAX_LINE_WIDTH < row.length) kept[kept.length - 1] = '…'
  return { text: kept.join(''), lead: mark - from }
}
