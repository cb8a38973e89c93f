/**
 * Binary operators with the common kinds of values first; what they do not know goes to the method of that name.
 */
import type { Node } from '@ruby/prism/src/nodes.js'
import { equal } from '../compare.ts'
import { RubyHash } from '../hash.ts'
import { add, compareNumbers, divide, isNumber, modulo, multiply, subtract } from '../number.ts'
import { knownNames, type RubyValue } from '../ruby-class.ts'
import { CallSite } from './call-site.ts'
import type { Scope } from './scope.ts'
import { withIdentity } from './strings.ts'

type Binary = (left: RubyValue, right: RubyValue) => RubyValue

export function operate(name: string, scope: Scope, node: Node): Binary {
  if (!knownNames.has(name)) {
    scope.unit.unsupported(node, `method \`${name}\``)
    return () => null
  }
  const plain = fast(name)
  if (!scope.unit.program.changesStrings) return plain
  return (left, right) => withIdentity(plain(left, right))
}

export function fast(name: string): Binary {
  const site = new CallSite(name)
  const other: Binary = (left, right) => site.call(left, [right], null)
  switch (name) {
    case '+':
      return (left, right) => {
        if (typeof left === 'number' && typeof right === 'number') return add(left, right)
        if (typeof left === 'string' && typeof right === 'string') return left + right
        return other(left, right)
      }
    case '-':
      return (left, right) =>
        typeof left === 'number' && typeof right === 'number' ? subtract(left, right) : other(left, right)
    case '*':
      return (left, right) =>
        typeof left === 'number' && typeof right === 'number' ? multiply(left, right) : other(left, right)
    case '/':
      return (left, right) =>
        typeof left === 'number' && typeof right === 'number' ? divide(left, right) : other(left, right)
    case '%':
      return (left, right) => (isNumber(left) && isNumber(right) ? modulo(left, right) : other(left, right))
    case '==':
      return (left, right) => left === right || equal(left, right)
    case '!=':
      return (left, right) => left !== right && !equal(left, right)
    case '<':
      return comparison(
        other,
        (order) => order < 0,
        (left, right) => left < right,
      )
    case '<=':
      return comparison(
        other,
        (order) => order <= 0,
        (left, right) => left <= right,
      )
    case '>':
      return comparison(
        other,
        (order) => order > 0,
        (left, right) => left > right,
      )
    case '>=':
      return comparison(
        other,
        (order) => order >= 0,
        (left, right) => left >= right,
      )
    case '[]':
      return (left, right) => {
        if (left instanceof RubyHash) return left.get(right)
        if (Array.isArray(left) && typeof right === 'number' && Number.isInteger(right)) {
          return left[right < 0 ? right + left.length : right] ?? null
        }
        return other(left, right)
      }
  }
  return other
}

function comparison(
  other: Binary,
  holds: (order: number) => boolean,
  plain: (left: number, right: number) => boolean,
): Binary {
  return (left, right) => {
    if (typeof left === 'number' && typeof right === 'number') return plain(left, right)
    if (isNumber(left) && isNumber(right)) {
      const order = compareNumbers(left, right)
      return order !== undefined && holds(order)
    }
    return other(left, right)
  }
}
