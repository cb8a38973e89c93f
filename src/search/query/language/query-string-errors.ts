/**
 * How the grammar of the classic syntax complains: which token it met, and the list of those it would have
 * taken instead, in the order of the grammar:
 *
 *   Encountered " <AND> "AND "" at line 1, column 0.
 *   Was expecting one of:
 *       <NOT> ...
 */
import { javaEscapes, type Token, type TokenKind } from './query-string-lexer.ts'

export class GrammarError extends Error {}

export type Expected = readonly TokenKind[]

const images: Record<TokenKind, string> = {
  EOF: '<EOF>',
  AND: '<AND>',
  OR: '<OR>',
  NOT: '<NOT>',
  PLUS: '"+"',
  MINUS: '"-"',
  BAREOPER: '<BAREOPER>',
  LPAREN: '"("',
  RPAREN: '")"',
  COLON: '":"',
  STAR: '"*"',
  CARAT: '"^"',
  QUOTED: '<QUOTED>',
  TERM: '<TERM>',
  FUZZY_SLOP: '<FUZZY_SLOP>',
  PREFIXTERM: '<PREFIXTERM>',
  WILDTERM: '<WILDTERM>',
  REGEXPTERM: '<REGEXPTERM>',
  RANGEIN_START: '"["',
  RANGEEX_START: '"{"',
  NUMBER: '<NUMBER>',
  RANGE_TO: '"TO"',
  RANGEIN_END: '"]"',
  RANGEEX_END: '"}"',
  RANGE_QUOTED: '<RANGE_QUOTED>',
  RANGE_GOOP: '<RANGE_GOOP>',
}

const inOrder = Object.keys(images) as TokenKind[]

/** Tokens that a term may begin with. */
export const termStarts: Expected = [
  'BAREOPER',
  'LPAREN',
  'STAR',
  'QUOTED',
  'TERM',
  'PREFIXTERM',
  'WILDTERM',
  'REGEXPTERM',
  'RANGEIN_START',
  'RANGEEX_START',
  'NUMBER',
]

/**
 * At the start of a clause the grammar looks for a field name first, which lists its tokens again; at that of a query it
 * looks for words before that, and lists only these.
 */
const fieldNames: Expected = ['TERM', 'STAR']

const places: Record<
  'first' | 'start' | 'modified' | 'field' | 'after' | 'only',
  readonly [Expected, Expected]
> = {
  first: [['NOT', 'PLUS', 'MINUS', ...termStarts], ['TERM']],
  start: [['NOT', 'PLUS', 'MINUS', ...termStarts], fieldNames],
  modified: [termStarts, fieldNames],
  field: [termStarts, []],
  after: [['AND', 'OR', 'NOT', 'PLUS', 'MINUS', ...termStarts], []],
  only: [[], []],
}

/** `also` adds to the tokens expected at the place. */
export function syntaxError(found: Token, place: keyof typeof places, also: Expected): GrammarError {
  const [first, again] = places[place]
  const expected = [...inOrder.filter((kind) => first.includes(kind) || also.includes(kind)), ...again]
  const met = found.kind === 'EOF' ? '<EOF>' : ` ${images[found.kind]} "${javaEscapes(found.image)} "`
  const lines = expected.map((kind) => `${images[kind]}${kind === 'EOF' ? ' ' : ' ...'}\n    `)
  return new GrammarError(
    `Encountered "${met}" at line 1, column ${found.start}.\n${
      expected.length === 1 ? 'Was expecting:' : 'Was expecting one of:'
    }\n    ${lines.join('')}`,
  )
}
