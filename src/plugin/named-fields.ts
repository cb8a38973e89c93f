/**
 * Field names inside option values: keys of `add_field`, items of `remove_field`. Logstash meets a broken one
 * when the first event arrives; here a warning says so when the configuration is read.
 */
import { InvalidFieldReference, parseFieldReference } from '../event/field-reference.ts'
import { isConstantTemplate } from '../event/sprintf.ts'
import type { NamedFields } from './option.ts'

/** The sentence about the first broken field reference, if there is one. */
export function brokenReference(value: unknown, named: NamedFields): string | undefined {
  for (const text of namesIn(value, named)) {
    // A name with %{…} is known only when an event fills it in.
    if (!isConstantTemplate(text)) continue
    try {
      parseFieldReference(text)
    } catch (error) {
      if (error instanceof InvalidFieldReference) return error.message
      throw error
    }
  }
  return undefined
}

function namesIn(value: unknown, named: NamedFields): string[] {
  if (named === 'items') return texts(value)
  if (!(value instanceof Map)) return []
  const keys = [...value.keys()] as string[]
  return named === 'keys' ? keys : [...keys, ...[...value.values()].flatMap(texts)]
}

function texts(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === 'string')
}
