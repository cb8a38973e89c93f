/**
 * The syntax tree of a configuration. It keeps what the text said (quotes, digits, operator order);
 * what the text means is decided later, when a plan is compiled.
 * Every node knows where it came from: offsets are UTF-16 indices into the source text,
 * line and column are 1-based and count characters (code points).
 */
export interface Place {
  start: number
  end: number
  line: number
  column: number
}

export type SectionType = 'input' | 'filter' | 'output'

export interface Config {
  sections: Section[]
  comments: Comment[]
}

/** A `# …` comment without its line end; only the printer reads these. */
export interface Comment {
  text: string
  /** Something other than blanks stands before it on its line. */
  trailing: boolean
  place: Place
}

export interface Section {
  type: SectionType
  body: Statement[]
  place: Place
}

export type Statement = PluginNode | BranchNode

export interface PluginNode {
  kind: 'plugin'
  /** As written: a quoted name keeps its quotes. */
  name: string
  attributes: Attribute[]
  place: Place
}

export interface Attribute {
  /** As written, without the quotes if it was quoted. */
  name: string
  quoted: boolean
  value: ValueNode
  place: Place
}

export type ValueNode = StringNode | BarewordNode | NumberNode | ArrayNode | HashNode | PluginNode

/** `text` is what stands between the quotes, escapes untouched. */
export interface StringNode {
  kind: 'string'
  text: string
  quote: '"' | "'"
  place: Place
}

export interface BarewordNode {
  kind: 'bareword'
  text: string
  place: Place
}

/** `text` is the literal as written: `010`, `1.`, `-5`. */
export interface NumberNode {
  kind: 'number'
  text: string
  place: Place
}

export interface ArrayNode {
  kind: 'array'
  items: ValueNode[]
  place: Place
}

export interface HashNode {
  kind: 'hash'
  entries: HashEntry[]
  place: Place
}

export interface HashEntry {
  key: NumberNode | BarewordNode | StringNode
  value: ValueNode
  place: Place
}

export interface BranchNode {
  kind: 'branch'
  /** `if` first, then each `else if`. */
  cases: BranchCase[]
  otherwise: Statement[] | undefined
  place: Place
}

export interface BranchCase {
  condition: Condition
  body: Statement[]
  place: Place
}

export type BooleanOperator = 'and' | 'or' | 'xor' | 'nand'
export type CompareOperator = '==' | '!=' | '<=' | '>=' | '<' | '>'

/** Operands and operators in source order; precedence is not applied here. `rest` may be empty. */
export interface Condition {
  kind: 'condition'
  first: Expression
  rest: { operator: BooleanOperator; operand: Expression }[]
  place: Place
}

export type Expression =
  | { kind: 'group'; condition: Condition; place: Place }
  | { kind: 'not'; operand: Condition | SelectorNode; place: Place }
  | { kind: 'in'; left: Rvalue; right: Rvalue; negated: boolean; place: Place }
  | { kind: 'compare'; operator: CompareOperator; left: Rvalue; right: Rvalue; place: Place }
  | { kind: 'match'; left: Rvalue; pattern: StringNode | RegexpNode; negated: boolean; place: Place }
  | { kind: 'value'; value: Rvalue; place: Place }

export type Rvalue = StringNode | NumberNode | SelectorNode | ConditionArrayNode | MethodCallNode | RegexpNode

/** `[a][b]`: the text of each pair of brackets, blanks kept. */
export interface SelectorNode {
  kind: 'selector'
  path: string[]
  place: Place
}

/** `text` is what stands between the slashes, `\/` kept. */
export interface RegexpNode {
  kind: 'regexp'
  text: string
  place: Place
}

/** An array literal as operand. The grammar shares `array` with plugin values, so any value may stand inside. */
export interface ConditionArrayNode {
  kind: 'array'
  items: ValueNode[]
  place: Place
}

export interface MethodCallNode {
  kind: 'method'
  name: string
  args: Rvalue[]
  place: Place
}
