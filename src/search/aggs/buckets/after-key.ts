/** `after` of a `composite` aggregation: the values of the last bucket of a page, one for each source. */
import { illegalArgument } from '../../request/errors.ts'
import { javaSimpleClass } from '../../request/java-text.ts'
import { JsonNumber } from '../../request/json-literals.ts'
import { isObject, type JsonObject, scalarText } from '../../request/request-values.ts'
import type { KeySource } from '../values/key-source.ts'

interface Source {
  readonly name: string
  /** True when documents without a value get a null key. */
  readonly takesMissing: boolean
}

export function checkAfter(after: JsonObject, sources: readonly Source[]): void {
  const count = Object.keys(after).length
  if (count !== sources.length) {
    throw illegalArgument(`[after] has ${count} value(s) but [sources] has ${sources.length}`)
  }
  for (const { name, takesMissing } of sources) {
    if (!Object.hasOwn(after, name)) throw illegalArgument(`Missing value for [after.${name}]`)
    const given = after[name]
    const isComparable = given === null ? takesMissing : !Array.isArray(given) && !isObject(given)
    if (isComparable) continue
    const found = given === null ? 'null' : javaSimpleClass(given)
    throw illegalArgument(`Invalid value for [after.${name}], expected comparable, got [${found}]`)
  }
}

/** The key of a source, -1 for documents without a value. */
export function afterKey(keys: KeySource, given: unknown): number {
  if (given === null) return -1
  const { type } = keys.field
  if ((type === 'string' || type === 'ip') && typeof given !== 'string') {
    const found = javaSimpleClass(given instanceof JsonNumber ? given.value : given)
    throw illegalArgument(`invalid value, expected string, got ${found}`)
  }
  if (type === 'boolean') {
    const text = scalarText(given) ?? ''
    if (text !== 'true' && text !== 'false')
      throw illegalArgument(`Cannot parse boolean [${text}], expected either [true] or [false]`)
  }
  return keys.keyOf(given)
}
