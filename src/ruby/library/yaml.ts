/**
 * YAML: reading only.
 */
import { parse } from 'yaml'
import { float, integer } from '../../event/value.ts'
import { textArgument } from '../arguments.ts'
import { raise, standardError } from '../errors.ts'
import { RubyHash } from '../hash.ts'
import { defineStatics, newClass, newModule, type RubyValue, topConstants } from '../ruby-class.ts'
import { RubyTime } from '../time.ts'

const psych = newModule('Psych')
topConstants.set('YAML', psych)
const syntaxError = newClass('SyntaxError', standardError, psych)

function toValue(value: unknown): RubyValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return float(value)
  if (typeof value === 'bigint') return integer(value)
  if (value instanceof Date) return RubyTime.utc(value.getTime())
  if (Array.isArray(value)) return value.map(toValue)
  if (value instanceof Map)
    return RubyHash.from(Array.from(value, ([key, item]) => [toValue(key), toValue(item)]))
  return String(value)
}

/** Psych takes the last of the values that a key has twice; looking for them compares each key with all before it. */
const options = {
  intAsBigInt: true,
  mapAsMap: true,
  uniqueKeys: false,
  version: '1.1',
  maxAliasCount: 100,
  logLevel: 'error',
} as const

function load(text: string): RubyValue {
  try {
    return toValue(parse(text, options))
  } catch (error) {
    return raise(syntaxError, (error as Error).message)
  }
}

defineStatics(psych, {
  'load,safe_load,unsafe_load 1-6': (_, [text]) => load(textArgument(text)),
})
