/**
 * The part of an expression's syntax tree that is needed to run it over numbers: what the parser knows while it makes
 * closures. Scripts of scores and sorts are mostly arithmetic over doc values; `documents/numeric-script.ts` binds such
 * a plan to columns and runs it without bigints, scopes and lists. An expression without a plan runs the general way.
 */
import type { ScriptValue } from './values.ts'

export type NumericPlan =
  | { readonly kind: 'constant'; readonly value: ScriptValue }
  | { readonly kind: 'global'; readonly name: string }
  /** `doc['field']`, `params.name` */
  | { readonly kind: 'member'; readonly owner: NumericPlan; readonly name: string }
  /** `doc['field'].size()` */
  | { readonly kind: 'method'; readonly owner: NumericPlan; readonly name: string }
  | {
      readonly kind: 'operator'
      readonly sign: string
      readonly left: NumericPlan
      readonly right: NumericPlan
    }
  | { readonly kind: 'sign'; readonly sign: '-' | '!'; readonly value: NumericPlan }
  | {
      readonly kind: 'conditional'
      readonly test: NumericPlan
      readonly whenTrue: NumericPlan
      readonly whenFalse: NumericPlan
    }
  | { readonly kind: 'call'; readonly name: string; readonly values: readonly NumericPlan[] }
  | { readonly kind: 'cast'; readonly type: string; readonly value: NumericPlan }

type Maybe = NumericPlan | undefined

export function memberPlan(owner: Maybe, name: Maybe | string): Maybe {
  if (owner === undefined || name === undefined) return undefined
  if (typeof name === 'string') return { kind: 'member', owner, name }
  if (name.kind !== 'constant' || typeof name.value !== 'string') return undefined
  return { kind: 'member', owner, name: name.value }
}

export function methodPlan(owner: Maybe, name: string, argumentCount: number): Maybe {
  return owner === undefined || argumentCount > 0 ? undefined : { kind: 'method', owner, name }
}

export function operatorPlan(sign: string, left: Maybe, right: Maybe): Maybe {
  return left === undefined || right === undefined ? undefined : { kind: 'operator', sign, left, right }
}

export function signPlan(sign: '-' | '!', value: Maybe): Maybe {
  return value === undefined ? undefined : { kind: 'sign', sign, value }
}

export function conditionalPlan(test: Maybe, whenTrue: Maybe, whenFalse: Maybe): Maybe {
  if (test === undefined || whenTrue === undefined || whenFalse === undefined) return undefined
  return { kind: 'conditional', test, whenTrue, whenFalse }
}

export function callPlan(name: string, values: readonly Maybe[]): Maybe {
  const plans = values.filter((value) => value !== undefined)
  return plans.length < values.length ? undefined : { kind: 'call', name, values: plans }
}

export function castPlan(type: string, value: Maybe): Maybe {
  return value === undefined ? undefined : { kind: 'cast', type, value }
}
