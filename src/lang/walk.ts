/**
 * Visits parts of a tree in source order. The parser bounds how deep a tree can be, so plain recursion will do.
 */
import type { Condition, Config, Expression, HashNode, Rvalue, Statement, ValueNode } from './ast.ts'

interface Visitor {
  /** Every condition, outer ones before the ones in their groups. */
  condition?(condition: Condition): void
  expression?(expression: Expression): void
  /** Every hash literal, outer ones first. */
  hash?(hash: HashNode): void
}

export function walk(config: Config, visitor: Visitor): void {
  for (const section of config.sections) walkBody(section.body, visitor)
}

function walkBody(body: Statement[], visitor: Visitor): void {
  for (const statement of body) {
    if (statement.kind === 'plugin') {
      walkValue(statement, visitor)
      continue
    }
    for (const branch of statement.cases) {
      walkCondition(branch.condition, visitor)
      walkBody(branch.body, visitor)
    }
    if (statement.otherwise !== undefined) walkBody(statement.otherwise, visitor)
  }
}

function walkValue(value: ValueNode, visitor: Visitor): void {
  if (value.kind === 'plugin') for (const attribute of value.attributes) walkValue(attribute.value, visitor)
  else if (value.kind === 'array') for (const item of value.items) walkValue(item, visitor)
  else if (value.kind === 'hash') {
    visitor.hash?.(value)
    for (const entry of value.entries) walkValue(entry.value, visitor)
  }
}

function walkCondition(condition: Condition, visitor: Visitor): void {
  visitor.condition?.(condition)
  walkExpression(condition.first, visitor)
  for (const { operand } of condition.rest) walkExpression(operand, visitor)
}

function walkExpression(expression: Expression, visitor: Visitor): void {
  visitor.expression?.(expression)
  switch (expression.kind) {
    case 'group':
      walkCondition(expression.condition, visitor)
      break
    case 'not':
      if (expression.operand.kind === 'condition') walkCondition(expression.operand, visitor)
      break
    case 'value':
      walkRvalue(expression.value, visitor)
      break
    case 'match':
      walkRvalue(expression.left, visitor)
      break
    default:
      walkRvalue(expression.left, visitor)
      walkRvalue(expression.right, visitor)
  }
}

function walkRvalue(value: Rvalue, visitor: Visitor): void {
  if (value.kind === 'array') walkValue(value, visitor)
  else if (value.kind === 'method') for (const arg of value.args) walkRvalue(arg, visitor)
}
