/**
 * Reads a configuration: sections, plugins and branches (values and conditions have their own files).
 * A hand-written descent through Logstash's grammar, in the same order of alternatives.
 * It only says yes or no; why a text is refused is worked out afterwards by expectation.ts.
 */
import type { BranchCase, BranchNode, Config, Section, SectionType, Statement } from './ast.ts'
import { condition } from './condition-rules.ts'
import type { Diagnostic } from './diagnostic.ts'
import { explainFailure } from './expectation.ts'
import { Scanner } from './scanner.ts'
import { SyntaxFailure } from './syntax-failure.ts'
import { plugin } from './value-rules.ts'

interface ParseOptions {
  /**
   * When Logstash's rule refuses the text, try once more with `\\` read as one unit, so that a string
   * may end in a backslash. Everything Logstash accepts keeps its meaning.
   */
  escapeAware?: boolean
}

interface ParseResult {
  config: Config
  warnings: Diagnostic[]
}

const SECTIONS: readonly SectionType[] = ['input', 'filter', 'output']

/** Exactly what Logstash accepts; throws `SyntaxFailure` with Logstash's sentence otherwise. */
export function parse(text: string): Config {
  return parseConfig(text).config
}

export function parseConfig(text: string, options: ParseOptions = {}): ParseResult {
  try {
    return { config: read(new Scanner(text, false)), warnings: [] }
  } catch (failure) {
    if (!(failure instanceof SyntaxFailure) || options.escapeAware !== true) throw failure
    return readEscapeAware(text, failure)
  }
}

function readEscapeAware(text: string, failure: SyntaxFailure): ParseResult {
  const s = new Scanner(text, true)
  try {
    const config = read(s)
    return { config, warnings: [...s.rescued].map((start) => rescueWarning(s, start)) }
  } catch {
    throw failure
  }
}

function rescueWarning(s: Scanner, start: number): Diagnostic {
  return {
    severity: 'warning',
    code: 'string_ends_in_backslash',
    message:
      'A quoted text that ends in a doubled backslash: Logstash refuses it, here the two count as one escape',
    line: s.index.lineOf(start),
    column: s.index.columnOf(start),
    start,
    end: start + 1,
  }
}

function read(s: Scanner): Config {
  const sections: Section[] = []
  for (;;) {
    s.skip()
    const next = section(s)
    if (next === undefined) break
    sections.push(next)
  }
  if (s.at === s.text.length) return { sections, comments: s.comments }
  const { message, offset } = explainFailure(s.index, sections.at(-1)?.place.end ?? 0)
  throw new SyntaxFailure(message, s.index, offset)
}

function section(s: Scanner): Section | undefined {
  const place = s.open()
  const type = SECTIONS.find((word) => s.take(word))
  if (type === undefined) return undefined
  s.skip()
  const body = block(s)
  if (body !== undefined) return { type, body, place: s.close(place) }
  s.at = place.start
  return undefined
}

/** `{ … }` around plugins and branches; the caller puts the position back. */
function block(s: Scanner): Statement[] | undefined {
  if (!s.take('{')) return undefined
  s.enter()
  s.skip()
  const body: Statement[] = []
  for (;;) {
    const next = branch(s) ?? plugin(s)
    if (next === undefined) break
    body.push(next)
    s.skip()
  }
  s.leave()
  return s.take('}') ? body : undefined
}

function branch(s: Scanner): BranchNode | undefined {
  if (!s.text.startsWith('if', s.at)) return undefined
  const place = s.open()
  const first = branchCase(s)
  if (first === undefined) return undefined
  const cases = [first]
  let end = s.at
  let otherwise: Statement[] | undefined
  for (;;) {
    s.skip()
    const next = branchCase(s, true)
    if (next === undefined) break
    cases.push(next)
    end = s.at
  }
  if (s.take('else')) {
    s.skip()
    otherwise = block(s)
  }
  if (otherwise === undefined) s.at = end
  return { kind: 'branch', cases, otherwise, place: s.close(place) }
}

/** `if condition { … }`, with `else` before it for all but the first. */
function branchCase(s: Scanner, following = false): BranchCase | undefined {
  const place = s.open()
  if (!following || s.take('else')) {
    if (following) s.skip()
    if (s.take('if')) {
      s.skip()
      const test = condition(s)
      s.skip()
      const body = test && block(s)
      if (test !== undefined && body !== undefined) return { condition: test, body, place: s.close(place) }
    }
  }
  s.at = place.start
  return undefined
}
