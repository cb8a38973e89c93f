/**
 * Random syntax trees and random broken texts for property tests. Every node kind occurs, and every
 * tree is one the parser could have built; places are zero, since no text stands behind them.
 */
import fc from 'fast-check'
import type {
  Attribute,
  BarewordNode,
  BranchNode,
  Condition,
  Config,
  Expression,
  HashEntry,
  NumberNode,
  Place,
  PluginNode,
  RegexpNode,
  Rvalue,
  Section,
  SelectorNode,
  Statement,
  StringNode,
  ValueNode,
} from './ast.ts'

const place: Place = { start: 0, end: 0, line: 1, column: 1 }
const at = fc.constant(place)
const word = fc.stringMatching(/^[A-Za-z0-9_-]{1,8}$/)
const bare = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{1,7}$/)
const wild = fc.oneof(
  fc.string({ maxLength: 10, unit: 'binary' }),
  fc.string({
    maxLength: 12,
    unit: fc.constantFrom('a', ' ', '"', "'", '\\', '/', '#', '\n', '\r', '[', ']', ',', '{', '}', '€'),
  }),
)

/** Text that may stand between two of these quotes: each one inside is escaped, and it ends in no backslash. */
function within(quote: string): fc.Arbitrary<string> {
  return wild.map((text) => text.replaceAll(quote, `\\${quote}`).replace(/\\+$/, ''))
}

const string: fc.Arbitrary<StringNode> = fc
  .constantFrom<'"' | "'">('"', "'")
  .chain((quote) =>
    fc.record({ kind: fc.constant('string'), text: within(quote), quote: fc.constant(quote), place: at }),
  )
const number: fc.Arbitrary<NumberNode> = fc.record({
  kind: fc.constant('number'),
  text: fc.stringMatching(/^-?[0-9]{1,4}(\.[0-9]{0,3})?$/),
  place: at,
})
const bareword: fc.Arbitrary<BarewordNode> = fc.record({
  kind: fc.constant('bareword'),
  text: bare,
  place: at,
})
const selector: fc.Arbitrary<SelectorNode> = fc.record({
  kind: fc.constant('selector'),
  path: fc.array(
    wild.map((text) => text.replace(/[[\],]/g, '') || 'x'),
    { minLength: 1, maxLength: 3 },
  ),
  place: at,
})
const regexp: fc.Arbitrary<RegexpNode> = fc.record({
  kind: fc.constant('regexp'),
  text: within('/'),
  place: at,
})

const few = { maxLength: 2 }
const quotedName = string.map(({ quote, text }) => quote + text + quote)

const values = fc.letrec<{ value: ValueNode; plugin: PluginNode; attribute: Attribute; entry: HashEntry }>(
  (tie) => ({
    value: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      string,
      number,
      bareword,
      fc.record({ kind: fc.constant('array' as const), items: fc.array(tie('value'), few), place: at }),
      fc.record({ kind: fc.constant('hash' as const), entries: fc.array(tie('entry'), few), place: at }),
      tie('plugin'),
    ),
    plugin: fc.record({
      kind: fc.constant('plugin' as const),
      name: fc.oneof(word, quotedName),
      attributes: fc.array(tie('attribute'), few),
      place: at,
    }),
    attribute: fc.oneof(
      fc.record({ name: word, quoted: fc.constant(false), value: tie('value'), place: at }),
      fc.record({
        name: string.map(({ text }) => text),
        quoted: fc.constant(true),
        value: tie('value'),
        place: at,
      }),
    ),
    entry: fc.record({ key: fc.oneof(number, bareword, string), value: tie('value'), place: at }),
  }),
)

const conditions = fc.letrec<{ condition: Condition; expression: Expression; rvalue: Rvalue }>((tie) => ({
  rvalue: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    string,
    number,
    selector,
    regexp,
    fc.record({ kind: fc.constant('array' as const), items: fc.array(values.value, few), place: at }),
    fc.record({
      kind: fc.constant('method' as const),
      name: bare,
      args: fc.array(tie('rvalue'), few),
      place: at,
    }),
  ),
  expression: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.record({ kind: fc.constant('value' as const), value: tie('rvalue'), place: at }),
    fc.record({
      kind: fc.constant('compare' as const),
      operator: fc.constantFrom('==' as const, '!=', '<=', '>=', '<', '>'),
      left: tie('rvalue'),
      right: tie('rvalue'),
      place: at,
    }),
    fc.record({
      kind: fc.constant('in' as const),
      left: tie('rvalue'),
      right: tie('rvalue'),
      negated: fc.boolean(),
      place: at,
    }),
    fc.record({
      kind: fc.constant('match' as const),
      left: tie('rvalue'),
      pattern: fc.oneof(string, regexp),
      negated: fc.boolean(),
      place: at,
    }),
    fc.record({
      kind: fc.constant('not' as const),
      operand: fc.oneof(selector, tie('condition')),
      place: at,
    }),
    fc.record({ kind: fc.constant('group' as const), condition: tie('condition'), place: at }),
  ),
  condition: fc.record({
    kind: fc.constant('condition' as const),
    first: tie('expression'),
    rest: fc.array(
      fc.record({
        operator: fc.constantFrom('and' as const, 'or', 'xor', 'nand'),
        operand: tie('expression'),
      }),
      few,
    ),
    place: at,
  }),
}))

/** As a statement, a plugin called `if5` or `else` would be read as a branch. */
const statementPlugin = values.plugin.filter(({ name }) => !/^(if|else)/.test(name))

const statements = fc.letrec<{ statement: Statement; branch: BranchNode }>((tie) => {
  const body = fc.array(tie('statement'), few)
  return {
    statement: fc.oneof({ maxDepth: 2, withCrossShrink: true }, statementPlugin, tie('branch')),
    branch: fc.record({
      kind: fc.constant('branch' as const),
      cases: fc.array(fc.record({ condition: conditions.condition, body, place: at }), {
        minLength: 1,
        maxLength: 3,
      }),
      otherwise: fc.option(body, { nil: undefined }),
      place: at,
    }),
  }
})

const section: fc.Arbitrary<Section> = fc.record({
  type: fc.constantFrom('input' as const, 'filter', 'output'),
  body: fc.array(statements.statement, few),
  place: at,
})

export const arbitraryCondition: fc.Arbitrary<Condition> = conditions.condition
export const arbitraryConfig: fc.Arbitrary<Config> = fc.record({
  sections: fc.array(section, { minLength: 1, maxLength: 3 }),
  comments: fc.constant([]),
})

// biome-ignore format: a table
const PIECES = [
  'input', 'filter', 'output', 'if', 'else', 'else if', 'in', 'not ', 'and', 'or', 'nand', 'xor', '==', '=~', '!~', '<=', '!',
  '{', '}', '[', ']', '(', ')', '=>', ',', '"', "'", '/', '\\', '#', '\n', '\r', ' ', '\t', 'a', 'ab', '5', '-', '.', '[a]', '"s"',
  'filter { ', 'if [a] { ', 'mutate { ', 'a => ', '"k" => ', '\ufeff', '\u{1f600}', '__proto__',
]

/** Texts made of the language's own words, mostly nonsense. */
export const arbitraryNonsense: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join('')),
)

/** A text with some stretches cut out or replaced. */
export function mutationsOf(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const edit = fc.record({ at: fc.nat(), cut: fc.nat({ max: 4 }), put: fc.constantFrom('', ...PIECES) })
  return fc.tuple(text, fc.array(edit, { minLength: 1, maxLength: 3 })).map(([original, edits]) => {
    let result = original
    for (const { at, cut, put } of edits) {
      const offset = at % (result.length + 1)
      result = result.slice(0, offset) + put + result.slice(offset + cut)
    }
    return result
  })
}

/** Returns the tree without places and comments, for comparing. */
export function meaningOf(config: Config): unknown {
  return JSON.parse(JSON.stringify(config.sections, (key, value) => (key === 'place' ? undefined : value)))
}
