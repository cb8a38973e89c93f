/**
 * Conditions that Logstash accepts and reads differently from what their author most likely meant.
 * We read them the same way by default, so each one gets a warning with its place.
 */
import { associationQuirk } from './association.ts'
import type { Config, Expression, Place, Rvalue, SelectorNode, ValueNode } from './ast.ts'
import type { Diagnostic } from './diagnostic.ts'
import { rvalueText } from './inline-text.ts'
import { walk } from './walk.ts'

const PLACEHOLDER = /\$\{[a-zA-Z_.][a-zA-Z0-9_.]*(:[^}]*)?\}/

/** All warnings in source order of the conditions. */
export function findQuirks(config: Config): Diagnostic[] {
  const found: Diagnostic[] = []
  walk(config, {
    condition(condition) {
      const quirk = associationQuirk(condition)
      if (quirk !== undefined) found.push(quirk)
    },
    expression(expression) {
      found.push(
        ...listReadAsField(expression),
        ...constantMembership(expression),
        ...literalPlaceholders(expression),
      )
    },
  })
  return found
}

function warning(code: string, message: string, place: Place, hint?: string): Diagnostic {
  const { line, column, start, end } = place
  return { severity: 'warning', code, message, line, column, start, end, hint }
}

/** `in ["x"]`, and a quoted name in brackets anywhere else. */
function listReadAsField(expression: Expression): Diagnostic[] {
  const list = expression.kind === 'in' && expression.right.kind === 'selector' ? expression.right : undefined
  const found: Diagnostic[] = []
  for (const operand of operandsOf(expression)) {
    if (operand.kind !== 'selector' || !holdsLiteral(operand, operand === list)) continue
    const text = rvalueText(operand)
    if (operand === list && operand.path.length === 1) {
      const item = operand.path[0]!.trim()
      const message = `${text} is the field named ${operand.path[0]}, not a list of one element`
      const hint = `compare with == ${item}, or give the list a second element: [${item}, ${item}]`
      found.push(warning('list_is_field_reference', message, operand.place, hint))
    } else {
      const message = `The quotes in ${text} belong to the name of the field`
      found.push(
        warning('quoted_field_name', message, operand.place, 'write the name in the brackets without quotes'),
      )
    }
  }
  return found
}

/** A quoted text, or where a list is likely also a number, stands in the brackets. */
function holdsLiteral(selector: SelectorNode, listLikely: boolean): boolean {
  const literal =
    listLikely && selector.path.length === 1
      ? /^\s*(["'].*["']|-?[0-9]+(\.[0-9]*)?)\s*$/s
      : /^\s*["'].*["']\s*$/s
  return selector.path.some((name) => literal.test(name))
}

/** Between two constants Logstash's `in` is plain equality. */
function constantMembership(expression: Expression): Diagnostic[] {
  if (expression.kind !== 'in' || !isConstant(expression.left) || !isConstant(expression.right)) return []
  const { left, right, negated, place } = expression
  const what = `${rvalueText(left)} ${negated ? 'not in' : 'in'} ${rvalueText(right)}`
  const message =
    right.kind === 'array' || left.kind === 'array'
      ? `${what} is always ${negated}: Logstash never finds a constant in a list`
      : `${what} asks whether the two are equal: Logstash does not search a constant in a constant`
  return [warning('constant_in_constant', message, place, 'one side has to be a field, such as [message]')]
}

function isConstant(value: Rvalue): boolean {
  return value.kind === 'string' || value.kind === 'number' || value.kind === 'array'
}

/** In conditions `${…}` is replaced only where it is the whole string, and never in patterns. */
function literalPlaceholders(expression: Expression): Diagnostic[] {
  const found: Diagnostic[] = []
  const visit = (value: Rvalue | ValueNode): void => {
    if (value.kind === 'array') value.items.forEach(visit)
    else if (value.kind === 'method') value.args.forEach(visit)
    else if (value.kind === 'string') {
      const placeholder = placeholderIn(value.text)
      if (placeholder === undefined || placeholder === value.text) return
      const message = `${placeholder} is not replaced here: in conditions only a string that is nothing but one placeholder is`
      found.push(warning('placeholder_in_longer_string', message, value.place))
    }
  }
  if (expression.kind !== 'match') operandsOf(expression).forEach(visit)
  else {
    visit(expression.left)
    const placeholder = placeholderIn(expression.pattern.text)
    if (placeholder !== undefined) {
      const message = `${placeholder} is not replaced here: a pattern is taken as it is written`
      found.push(warning('placeholder_in_pattern', message, expression.pattern.place))
    }
  }
  return found
}

/** The first one. Cut behind the last brace, so that many openings without an end cost no second look. */
function placeholderIn(text: string): string | undefined {
  return PLACEHOLDER.exec(text.slice(0, text.lastIndexOf('}') + 1))?.[0]
}

function operandsOf(expression: Expression): Rvalue[] {
  switch (expression.kind) {
    case 'group':
      return []
    case 'not':
      return expression.operand.kind === 'selector' ? [expression.operand] : []
    case 'value':
      return [expression.value]
    case 'match':
      return [expression.left]
    default:
      return [expression.left, expression.right]
  }
}
