/** The type that the result of a script must have, by its context, and the words of Painless when it has another one. */
import { ScriptFailure, type ScriptValue, typeName } from './values.ts'

/** `double` takes any number as well as `Number` does; only their errors differ. */
export type ResultType = 'double' | 'Number' | 'boolean' | 'String'

const unboxed: Readonly<Record<string, string>> = {
  'java.lang.Boolean': 'boolean',
  'java.lang.Double': 'double',
  'java.lang.Integer': 'int',
  'java.lang.Long': 'long',
}

/** `isInt` tells an integer that is an `int` from a `long`. */
export function castResult(value: ScriptValue, type: ResultType, isInt: boolean): ScriptValue {
  if (fits(value, type)) return value
  if (value === null)
    throw new ScriptFailure(
      'null_pointer_exception',
      'Cannot invoke "Object.getClass()" because "value" is null',
    )
  throw new ScriptFailure('class_cast_exception', castReason(classOf(value, isInt), type))
}

function fits(value: ScriptValue, type: ResultType): boolean {
  if (type === 'String') return value === null || typeof value === 'string'
  if (type === 'Number' && value === null) return true
  if (type === 'boolean') return typeof value === 'boolean'
  return typeof value === 'number' || typeof value === 'bigint'
}

function castReason(name: string, type: ResultType): string {
  if (type === 'Number')
    return `class ${name} cannot be cast to class java.lang.Number (${name} and java.lang.Number are in module java.base of loader 'bootstrap')`
  const given = unboxed[name] ?? name
  if (type === 'boolean') return `cannot cast def [${given}] to boolean`
  return `cannot implicitly cast def [${given}] to ${type === 'double' ? 'double' : 'java.lang.String'}`
}

function classOf(value: ScriptValue, isInt: boolean): string {
  if (typeof value !== 'bigint') return typeName(value)
  return isInt ? 'java.lang.Integer' : 'java.lang.Long'
}
