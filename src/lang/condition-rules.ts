/**
 * The rules for what stands behind `if`. Logstash tries seven kinds of expression one after the other,
 * four of which begin with the same operand; here the operand is read once and the operator decides.
 * Operators are kept in source order: see association.ts for what binds how.
 */
import type {
  BooleanOperator,
  CompareOperator,
  Condition,
  Expression,
  MethodCallNode,
  Place,
  Rvalue,
} from './ast.ts'
import type { Scanner } from './scanner.ts'
import { array, separated } from './value-rules.ts'

const BOOLEAN: readonly BooleanOperator[] = ['and', 'or', 'xor', 'nand']
const COMPARE: readonly CompareOperator[] = ['==', '!=', '<=', '>=', '<', '>']

export function condition(s: Scanner): Condition | undefined {
  const place = s.open()
  const first = expression(s)
  if (first === undefined) return undefined
  const rest: Condition['rest'] = []
  let end = s.at
  for (;;) {
    s.skip()
    const operator = oneOf(s, BOOLEAN)
    if (operator === undefined) break
    s.skip()
    const operand = expression(s)
    if (operand === undefined) break
    rest.push({ operator, operand })
    end = s.at
  }
  s.at = end
  return { kind: 'condition', first, rest, place: s.close(place) }
}

function expression(s: Scanner): Expression | undefined {
  const place = s.open()
  const grouped = group(s)
  if (grouped !== undefined) return { kind: 'group', condition: grouped, place: s.close(place) }
  return negation(s, place) ?? comparison(s, place)
}

/** `( condition )` */
function group(s: Scanner): Condition | undefined {
  const start = s.at
  if (!s.take('(')) return undefined
  s.enter()
  s.skip()
  const inner = condition(s)
  s.skip()
  s.leave()
  if (inner !== undefined && s.take(')')) return inner
  s.at = start
  return undefined
}

function negation(s: Scanner, place: Place): Expression | undefined {
  if (!s.take('!')) return undefined
  s.skip()
  const operand = group(s) ?? s.takeSelector()
  if (operand !== undefined) return { kind: 'not', operand, place: s.close(place) }
  s.at = place.start
  return undefined
}

function comparison(s: Scanner, place: Place): Expression | undefined {
  const left = rvalue(s)
  if (left === undefined) return undefined
  const end = s.at
  s.skip()
  const compared = operation(s, left, place)
  if (compared !== undefined) return compared
  s.at = end
  return { kind: 'value', value: left, place: s.close(place) }
}

function operation(s: Scanner, left: Rvalue, place: Place): Expression | undefined {
  const negatedIn = notIn(s)
  if (negatedIn || s.take('in')) {
    s.skip()
    const right = rvalue(s)
    return right && { kind: 'in', left, right, negated: negatedIn, place: s.close(place) }
  }
  const operator = oneOf(s, COMPARE)
  if (operator !== undefined) {
    s.skip()
    const right = rvalue(s)
    return right && { kind: 'compare', operator, left, right, place: s.close(place) }
  }
  const negated = s.take('!~')
  if (!negated && !s.take('=~')) return undefined
  s.skip()
  const pattern = s.takeString() ?? s.takeRegexp()
  return pattern && { kind: 'match', left, pattern, negated, place: s.close(place) }
}

/** The word is `not` with one space; further blanks may follow. */
function notIn(s: Scanner): boolean {
  const start = s.at
  if (!s.take('not ')) return false
  s.skip()
  if (s.take('in')) return true
  s.at = start
  return false
}

/** A selector is tried before an array: `["x"]` is the field called `"x"`. */
function rvalue(s: Scanner): Rvalue | undefined {
  return s.takeString() ?? s.takeNumber() ?? s.takeSelector() ?? array(s) ?? methodCall(s) ?? s.takeRegexp()
}

function methodCall(s: Scanner): MethodCallNode | undefined {
  const place = s.open()
  const name = s.takeBareword()
  if (name === undefined) return undefined
  s.skip()
  if (!s.take('(')) {
    s.at = place.start
    return undefined
  }
  s.enter()
  const args = separated(s, rvalue)
  s.leave()
  if (!s.take(')')) {
    s.at = place.start
    return undefined
  }
  return { kind: 'method', name: name.text, args, place: s.close(place) }
}

function oneOf<T extends string>(s: Scanner, words: readonly T[]): T | undefined {
  for (const word of words) if (s.take(word)) return word
  return undefined
}
