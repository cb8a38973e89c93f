/**
 * JSON: `JSON.parse`, `JSON.generate`, `to_json`. Numbers keep their kind; floats are written as Ruby writes them.
 */

import { Event } from '../../event/event.ts'
import { parseJson } from '../../event/json-parse.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { type Fields, fieldNames, isFields, type Value } from '../../event/value.ts'
import { takeOptions, textArgument } from '../arguments.ts'
import { raise, standardError } from '../errors.ts'
import { RubyHash } from '../hash.ts'
import { inspect, toText } from '../inspect.ts'
import { isFloat, isNumber, toDouble } from '../number.ts'
import {
  classOf,
  defineMethods,
  defineStatics,
  kernel,
  logStash,
  newClass,
  newModule,
  type RubyValue,
} from '../ruby-class.ts'
import { isText, RubySymbol, textOf, truthy } from '../values.ts'

const json = newModule('JSON')
const jsonError = newClass('JSONError', standardError, json)
const parserError = newClass('ParserError', jsonError, json)
const generatorError = newClass('GeneratorError', jsonError, json)
const nestingError = newClass('NestingError', parserError, json)
const logStashJson = newModule('Json', logStash)
newClass('ParserError', parserError, logStashJson)

function toValue(value: Value | undefined, symbols: boolean): RubyValue {
  if (value === undefined) return null
  if (Array.isArray(value)) return value.map((item) => toValue(item, symbols))
  if (typeof value === 'object' && value !== null && isFields(value)) {
    const hash = new RubyHash()
    for (const name of fieldNames(value as Fields))
      hash.put(symbols ? new RubySymbol(name) : name, toValue(value[name], symbols))
    return hash
  }
  return value as RubyValue
}

function parse(args: RubyValue[]): RubyValue {
  const given = [...args]
  const options = takeOptions(given)
  const last = given[1]
  const symbols =
    options.get('symbolize_names') ??
    (last instanceof RubyHash ? last.get(new RubySymbol('symbolize_names')) : null)
  const text = textArgument(given[0])
  let parsed: Value
  try {
    parsed = parseJson(text)
  } catch {
    const rest = text.trim()
    raise(parserError, rest === '' ? "unexpected token at ''" : `unexpected token at '${rest}'`)
  }
  return toValue(parsed, truthy(symbols))
}

const maxDepth = 100

function generate(value: RubyValue, indent: string | null = null, depth = 0): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint')
    return value === null ? 'null' : String(value)
  if (isText(value)) return JSON.stringify(textOf(value))
  if (isNumber(value)) {
    if (isFloat(value) && !Number.isFinite(toDouble(value))) {
      raise(generatorError, `${toText(value)} not allowed in JSON`)
    }
    return toText(value)
  }
  if (value instanceof RubySymbol) return JSON.stringify(value.name)
  if (depth > maxDepth) raise(nestingError, `nesting of ${depth} is too deep`)
  const inner = indent === null ? '' : `\n${indent.repeat(depth + 1)}`
  const outer = indent === null ? '' : `\n${indent.repeat(depth)}`
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    return `[${inner}${value.map((item) => generate(item, indent, depth + 1)).join(`,${inner}`)}${outer}]`
  }
  if (value instanceof RubyHash) {
    if (value.size === 0) return indent === null ? '{}' : `{${outer}}`
    const colon = indent === null ? ':' : ': '
    const members = value
      .pairs()
      .map(([key, item]) => `${JSON.stringify(toText(key))}${colon}${generate(item, indent, depth + 1)}`)
    return `{${inner}${members.join(`,${inner}`)}${outer}}`
  }
  if (value instanceof Event) return value.toJson()
  if (value instanceof Timestamp) return JSON.stringify(value.toString())
  return JSON.stringify(classOf(value).find('to_s') === undefined ? inspect(value) : toText(value))
}

defineStatics(json, {
  'parse,parse!,load 1-3': (_, args) => (args[0] === null ? null : parse(args)),
  'generate,dump,fast_generate 1-3': (_, [value]) => generate(value!),
  'pretty_generate 1-2': (_, [value]) => generate(value!, '  '),
})
defineStatics(logStashJson, {
  'load 1-2': (_, args) => parse(args),
  'dump 1-2': (_, [value]) => generate(value!),
})
defineMethods<RubyValue>(kernel, { 'to_json *': (self) => generate(self) })
