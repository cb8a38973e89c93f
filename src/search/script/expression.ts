/** An expression of a script as the parser makes it: closures over the scope, and what is known of it before it runs. */
import { callMethod, readElement, readMember, writeElement, writeMember } from './methods.ts'
import { memberPlan, methodPlan, type NumericPlan } from './numeric-plan.ts'
import { chargeForSize, type Scope } from './scope.ts'
import type { ScriptValue } from './values.ts'

export type Evaluate = (scope: Scope) => ScriptValue

/** An expression and what can be done with it besides evaluating it. */
export interface Expression {
  readonly get: Evaluate
  /** Its place in the script: of a member its dot, of an element its bracket, of operators their left side. */
  readonly at: number
  /** Where a result of the wrong type is reported, if not at its place. */
  readonly resultAt?: number
  /** True when its type is known and is an object's: Painless casts it without an instruction. */
  readonly isReference?: boolean
  /** True for an `int`. */
  readonly isInt?: boolean
  /** Defined for assignable expressions. */
  readonly set?: (scope: Scope, value: ScriptValue) => void
  /** True for expressions with side effects, whose value may be discarded. */
  readonly acts?: boolean
  /** Defined where the expression may run over plain numbers. */
  readonly plan?: NumericPlan | undefined
}

/** Methods whose result is an `int`; those of documents give longs. */
const intMethods = new Set(['size', 'length', 'indexOf', 'lastIndexOf', 'compareTo', 'hashCode', 'intValue'])

/** `owner[key]` */
export function elementOf(owner: Expression, key: Expression, at: number): Expression {
  const { get: holderOf } = owner
  const { get: keyOf } = key
  // The key of a map is cast to an object first.
  const failsAt = owner.isReference === true && key.isReference === true ? key.at : at
  return {
    at,
    plan: memberPlan(owner.plan, key.plan),
    get: (scope) => {
      const [holder, name] = [holderOf(scope), keyOf(scope)]
      scope.place.at = failsAt
      scope.place.isInt = false
      return readElement(holder, name)
    },
    set: (scope, given) => {
      const [holder, name] = [holderOf(scope), keyOf(scope)]
      scope.place.at = failsAt
      writeElement(holder, name, given)
    },
  }
}

/** `owner.name`, `owner?.name` */
export function memberOf(
  { get: holderOf, plan }: Expression,
  name: string,
  at: number,
  nullSafe: boolean,
): Expression {
  return {
    at,
    plan: nullSafe ? undefined : memberPlan(plan, name),
    get: (scope) => {
      const holder = holderOf(scope)
      if (nullSafe && holder === null) return null
      scope.place.at = at
      scope.place.isInt = false
      return readMember(holder, name)
    },
    ...(!nullSafe && {
      set: (scope: Scope, given: ScriptValue) => {
        const holder = holderOf(scope)
        scope.place.at = at
        writeMember(holder, name, given)
      },
    }),
  }
}

/** `owner.name(values)` */
export function methodOf(
  { get: holderOf, plan }: Expression,
  name: string,
  values: readonly Evaluate[],
  at: number,
  nullSafe: boolean,
): Expression {
  const isInt = intMethods.has(name)
  return {
    at,
    get: (scope) => {
      const holder = holderOf(scope)
      if (nullSafe && holder === null) return null
      chargeForSize(scope, holder)
      const given = values.map((evaluate) => evaluate(scope))
      scope.place.at = at
      scope.place.isInt = isInt
      return callMethod(holder, name, given)
    },
    acts: true,
    plan: nullSafe ? undefined : methodPlan(plan, name, values.length),
  }
}

/** An `int` that becomes an object beside a value of another type keeps its type. */
export function boxed({ get, isInt }: Expression): Evaluate {
  if (isInt !== true) return get
  return (scope) => {
    scope.place.isInt = true
    return get(scope)
  }
}

export function combined(
  scope: Scope,
  at: number,
  operator: (left: ScriptValue, right: ScriptValue) => ScriptValue,
  left: ScriptValue,
  right: ScriptValue,
): ScriptValue {
  chargeForSize(scope, left)
  chargeForSize(scope, right)
  scope.place.at = at
  return operator(left, right)
}

export function constant(at: number, value: ScriptValue): Expression {
  return { at, get: () => value, plan: { kind: 'constant', value } }
}
