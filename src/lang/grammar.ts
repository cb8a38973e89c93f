/**
 * Logstash's grammar as data, for the failure report. The order of alternatives, the spelling of
 * terminals and the borders of rules are the contract: they decide the list behind "Expected one of".
 * The parser proper is hand-written; a test holds the two together.
 */
export type Rule =
  | { kind: 'word'; word: string; shown: string }
  | { kind: 'class'; test: RegExp; shown: string }
  | { kind: 'any' }
  | { kind: 'all'; parts: Rule[] }
  | { kind: 'first'; parts: Rule[] }
  | { kind: 'repeat'; part: Rule; min: number; max: number }
  | { kind: 'not'; part: Rule }
  | { kind: 'rule'; name: RuleName }

export type RuleName =
  | 'config'
  | 'comment'
  | 'cs'
  | 'whitespace'
  | 'plugin_section'
  | 'plugin_type'
  | 'branch_or_plugin'
  | 'plugin'
  | 'name'
  | 'attribute'
  | 'value'
  | 'bareword'
  | 'double_quoted_string'
  | 'single_quoted_string'
  | 'string'
  | 'regexp'
  | 'number'
  | 'array'
  | 'hash'
  | 'hashentries'
  | 'hashentry'
  | 'branch'
  | 'if'
  | 'else_if'
  | 'else'
  | 'condition'
  | 'expression'
  | 'negative_expression'
  | 'in_expression'
  | 'not_in_expression'
  | 'compare_expression'
  | 'regexp_expression'
  | 'in_operator'
  | 'not_in_operator'
  | 'compare_operator'
  | 'regexp_operator'
  | 'boolean_operator'
  | 'rvalue'
  | 'method_call'
  | 'selector'
  | 'selector_element'

const rule = (name: RuleName): Rule => ({ kind: 'rule', name })
const word = (text: string, shown = `"${text}"`): Rule => ({ kind: 'word', word: text, shown })
const chars = (shown: string): Rule => ({ kind: 'class', test: new RegExp(shown), shown })
const all = (...parts: Rule[]): Rule => ({ kind: 'all', parts })
const first = (...parts: Rule[]): Rule => ({ kind: 'first', parts })
const anyNumber = (part: Rule): Rule => ({ kind: 'repeat', part, min: 0, max: Number.POSITIVE_INFINITY })
const oneOrMore = (part: Rule): Rule => ({ kind: 'repeat', part, min: 1, max: Number.POSITIVE_INFINITY })
const maybe = (part: Rule): Rule => ({ kind: 'repeat', part, min: 0, max: 1 })
const not = (part: Rule): Rule => ({ kind: 'not', part })
const anyCharacter: Rule = { kind: 'any' }

const cs = rule('cs')
const ws = rule('whitespace')
const lineEnd = first(all(maybe(word('\r', '"\\r"')), word('\n', '"\\n"')), not(anyCharacter))
const block = all(word('{'), cs, anyNumber(all(rule('branch_or_plugin'), cs)), word('}'))
const quoted = (mark: Rule, escaped: Rule): Rule =>
  all(mark, anyNumber(first(escaped, all(not(mark), anyCharacter))), mark)
const list = (item: Rule): Rule => maybe(all(item, anyNumber(all(cs, word(','), cs, item))))
const group = all(word('('), cs, rule('condition'), cs, word(')'))
const binary = (operator: Rule, right: Rule): Rule => all(rule('rvalue'), cs, operator, cs, right)

export const RULES: Readonly<Record<RuleName, Rule>> = {
  config: all(anyNumber(all(cs, rule('plugin_section'))), cs),
  comment: oneOrMore(all(maybe(ws), word('#'), anyNumber(chars('[^\\r\\n]')), lineEnd)),
  cs: anyNumber(first(rule('comment'), ws)),
  whitespace: oneOrMore(chars('[ \\t\\r\\n]')),
  plugin_section: all(rule('plugin_type'), cs, block),
  plugin_type: first(word('input'), word('filter'), word('output')),
  branch_or_plugin: first(rule('branch'), rule('plugin')),
  plugin: all(
    all(rule('name'), cs, word('{'), cs),
    maybe(all(rule('attribute'), anyNumber(all(ws, cs, rule('attribute'))))),
    cs,
    word('}'),
  ),
  name: first(oneOrMore(chars('[A-Za-z0-9_-]')), rule('string')),
  attribute: all(rule('name'), cs, word('=>'), cs, rule('value')),
  value: first(rule('plugin'), rule('bareword'), rule('string'), rule('number'), rule('array'), rule('hash')),
  bareword: all(chars('[A-Za-z_]'), oneOrMore(chars('[A-Za-z0-9_]'))),
  double_quoted_string: quoted(word('"', `'"'`), word('\\"', `'\\"'`)),
  single_quoted_string: quoted(word("'", `"'"`), word("\\'", `"\\\\'"`)),
  string: first(rule('double_quoted_string'), rule('single_quoted_string')),
  regexp: quoted(word('/', `'/'`), word('\\/', `'\\/'`)),
  number: all(maybe(word('-')), oneOrMore(chars('[0-9]')), maybe(all(word('.'), anyNumber(chars('[0-9]'))))),
  array: all(word('['), cs, list(rule('value')), cs, word(']')),
  hash: all(word('{'), cs, maybe(rule('hashentries')), cs, word('}')),
  hashentries: all(rule('hashentry'), anyNumber(all(cs, rule('hashentry')))),
  hashentry: all(
    first(rule('number'), rule('bareword'), rule('string')),
    all(cs, word('=>'), cs, rule('value')),
  ),
  branch: all(rule('if'), anyNumber(all(cs, rule('else_if'))), maybe(all(cs, rule('else')))),
  if: all(word('if'), cs, rule('condition'), cs, block),
  else_if: all(word('else'), cs, word('if'), cs, rule('condition'), cs, block),
  else: all(word('else'), cs, block),
  condition: all(rule('expression'), anyNumber(all(cs, rule('boolean_operator'), cs, rule('expression')))),
  expression: first(
    group,
    rule('negative_expression'),
    rule('in_expression'),
    rule('not_in_expression'),
    rule('compare_expression'),
    rule('regexp_expression'),
    rule('rvalue'),
  ),
  negative_expression: first(all(word('!'), cs, group), all(word('!'), cs, rule('selector'))),
  in_expression: binary(rule('in_operator'), rule('rvalue')),
  not_in_expression: binary(rule('not_in_operator'), rule('rvalue')),
  compare_expression: binary(rule('compare_operator'), rule('rvalue')),
  regexp_expression: binary(rule('regexp_operator'), first(rule('string'), rule('regexp'))),
  in_operator: word('in'),
  not_in_operator: all(word('not '), cs, word('in')),
  compare_operator: first(word('=='), word('!='), word('<='), word('>='), word('<'), word('>')),
  regexp_operator: first(word('=~'), word('!~')),
  boolean_operator: first(word('and'), word('or'), word('xor'), word('nand')),
  rvalue: first(
    rule('string'),
    rule('number'),
    rule('selector'),
    rule('array'),
    rule('method_call'),
    rule('regexp'),
  ),
  method_call: all(rule('bareword'), cs, word('('), cs, list(rule('rvalue')), cs, word(')')),
  selector: oneOrMore(rule('selector_element')),
  selector_element: all(word('['), oneOrMore(chars('[^\\]\\[,]')), word(']')),
}
