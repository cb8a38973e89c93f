/**
 * The one-line text of values and conditions, such that reading it again gives the same tree.
 * Used by the printer and by messages that quote a condition.
 */
import type {
  Attribute,
  Condition,
  ConditionArrayNode,
  Expression,
  HashEntry,
  Rvalue,
  ValueNode,
} from './ast.ts'

/**
 * In a condition `["x"]` is a field, not a list, unless the first stretch holds a comma or an opening
 * bracket. A comment with a comma is the only way to write such a list.
 */
export const LIST_MARK = '# a list, not a field'

export function valueText(value: ValueNode): string {
  switch (value.kind) {
    case 'string':
      return value.quote + value.text + value.quote
    case 'bareword':
    case 'number':
      return value.text
    case 'array':
      return `[${value.items.map(valueText).join(', ')}]`
    case 'hash':
      return braced(value.entries.map((entry) => `${entryHead(entry)}${valueText(entry.value)}`))
    case 'plugin':
      return `${value.name} ${braced(value.attributes.map((item) => `${attributeHead(item)}${valueText(item.value)}`))}`
  }
}

function braced(parts: string[]): string {
  return parts.length === 0 ? '{ }' : `{ ${parts.join(' ')} }`
}

export function entryHead(entry: HashEntry): string {
  return `${valueText(entry.key)} => `
}

/** The tree does not say which quotes a name had; single quotes only where double ones cannot hold it. */
export function attributeHead({ name, quoted }: Attribute): string {
  if (!quoted) return `${name} => `
  const quote = /(^|[^\\])"/.test(name) ? "'" : '"'
  return `${quote}${name}${quote} => `
}

export function conditionText(condition: Condition): string {
  let text = expressionText(condition.first)
  for (const { operator, operand } of condition.rest) text += ` ${operator} ${expressionText(operand)}`
  return text
}

export function expressionText(expression: Expression): string {
  switch (expression.kind) {
    case 'group':
      return `(${conditionText(expression.condition)})`
    case 'not': {
      const { operand } = expression
      return operand.kind === 'condition' ? `!(${conditionText(operand)})` : `!${rvalueText(operand)}`
    }
    case 'in':
      return `${rvalueText(expression.left)} ${expression.negated ? 'not in' : 'in'} ${rvalueText(expression.right)}`
    case 'compare':
      return `${rvalueText(expression.left)} ${expression.operator} ${rvalueText(expression.right)}`
    case 'match':
      return `${rvalueText(expression.left)} ${expression.negated ? '!~' : '=~'} ${rvalueText(expression.pattern)}`
    case 'value':
      return rvalueText(expression.value)
  }
}

export function rvalueText(value: Rvalue): string {
  switch (value.kind) {
    case 'selector':
      return value.path.map((name) => `[${name}]`).join('')
    case 'regexp':
      return `/${value.text}/`
    case 'method':
      return `${value.name}(${value.args.map(rvalueText).join(', ')})`
    case 'array':
      return listText(value)
    default:
      return valueText(value)
  }
}

function listText(list: ConditionArrayNode): string {
  const text = valueText(list)
  return /^\[[^\][,]+\]/.test(text) ? `[ ${LIST_MARK}\n${text.slice(1)}` : text
}
