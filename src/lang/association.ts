/**
 * What binds how in `a and b or c`. Logstash sorts operators with a stack, but takes at most one off it,
 * and only when that one binds strictly tighter; so `a and b and c or d` becomes `a and ((b and c) or d)`.
 * `logstash` reproduces that; `fixed` is the usual precedence: and (nand), then xor, then or.
 * Both are folds over two stacks: a condition with ten thousand operators costs no call stack.
 */
import type { BooleanOperator, Condition, Expression } from './ast.ts'
import type { Diagnostic } from './diagnostic.ts'
import { expressionText } from './inline-text.ts'

type AssociationMode = 'logstash' | 'fixed'

interface Operation {
  kind: 'operation'
  operator: BooleanOperator
  left: Association
  right: Association
}

export type Association = Expression | Operation

const STRENGTH: Readonly<Record<BooleanOperator, number>> = { and: 3, nand: 3, xor: 2, or: 1 }

/** The binary tree of one condition. Conditions inside groups and negations are separate: ask for each. */
export function associate(condition: Condition, mode: AssociationMode): Association {
  return foldCondition<Association>(
    condition,
    mode,
    (expression) => expression,
    (operator, left, right) => ({ kind: 'operation', operator, left, right }),
  )
}

/** Builds anything bottom-up in the order of association, operands from left to right. */
export function foldCondition<T>(
  condition: Condition,
  mode: AssociationMode,
  leaf: (expression: Expression) => T,
  join: (operator: BooleanOperator, left: T, right: T) => T,
): T {
  const quirky = mode === 'logstash' && !mixesUncommon(condition)
  const operators: BooleanOperator[] = []
  const operands: T[] = [leaf(condition.first)]
  const reduce = (): void => {
    const right = operands.pop()!
    const left = operands.pop()!
    operands.push(join(operators.pop()!, left, right))
  }
  for (const { operator, operand } of condition.rest) {
    const strength = STRENGTH[operator]
    if (quirky) {
      if (operators.length > 0 && STRENGTH[operators.at(-1)!] > strength) reduce()
    } else while (operators.length > 0 && STRENGTH[operators.at(-1)!] >= strength) reduce()
    operators.push(operator)
    operands.push(leaf(operand))
  }
  while (operators.length > 0) reduce()
  return operands[0]!
}

/** Logstash does not load a condition with `xor` or `nand` beside any other operator: nothing to reproduce. */
function mixesUncommon({ rest }: Condition): boolean {
  return rest.length > 1 && rest.some(({ operator }) => operator === 'xor' || operator === 'nand')
}

/** The condition with parentheses that show the grouping; a run of equal `and` or `or` needs none. */
export function groupingText(condition: Condition, mode: AssociationMode): string {
  interface Part {
    operator?: BooleanOperator
    text: string
  }
  const wrap = (part: Part, operator: BooleanOperator): string => {
    const bare = part.operator === undefined || (part.operator === operator && operator !== 'nand')
    return bare ? part.text : `(${part.text})`
  }
  return foldCondition<Part>(
    condition,
    mode,
    (expression) => ({ text: expressionText(expression) }),
    (operator, left, right) => ({
      operator,
      text: `${wrap(left, operator)} ${operator} ${wrap(right, operator)}`,
    }),
  ).text
}

/** A warning when this one condition means something else than it looks like. */
export function associationQuirk(condition: Condition): Diagnostic | undefined {
  const { rest, place } = condition
  if (rest.every(({ operator }) => operator === rest[0]?.operator && operator !== 'nand')) return undefined
  const fixed = groupingText(condition, 'fixed')
  const at = { line: place.line, column: place.column, start: place.start, end: place.end }
  const hint = 'add parentheses to say which grouping you mean'
  if (mixesUncommon(condition)) {
    const message = `Logstash does not load a condition that mixes "xor" or "nand" with other operators; it is read as ${fixed}`
    return { severity: 'warning', code: 'mixed_xor_nand', message, ...at, hint }
  }
  const effective = groupingText(condition, 'logstash')
  if (effective === fixed) return undefined
  const message = `Logstash groups this condition as ${effective}, not as ${fixed}`
  return { severity: 'warning', code: 'operator_association', message, ...at, hint }
}
