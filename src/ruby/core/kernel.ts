/**
 * Functions that are called without a receiver: conversions, output, `raise`, `loop`, `catch`, `require`.
 */

import { randomBytes, randomInt } from 'node:crypto'
import { float } from '../../event/value.ts'
import { takeOptions, textArgument, toList } from '../arguments.ts'
import { equal } from '../compare.ts'
import { send } from '../dispatch.ts'
import {
  argumentError,
  loadError,
  RubyError,
  raise,
  stopIteration,
  typeError,
  uncaughtThrowError,
} from '../errors.ts'
import { RubyHash } from '../hash.ts'
import { inspect, toText } from '../inspect.ts'
import { coercionName, indexOf, isFloat, isInteger, isNumber, toDouble, wholeOf } from '../number.ts'
import { invalidNumber, readFloat, readInteger } from '../number-text.ts'
import {
  type Body,
  classOf,
  defineStatics,
  kernel,
  knownNames,
  newClass,
  type RubyValue,
} from '../ruby-class.ts'
import { checkClock, runtime, tick } from '../runtime.ts'
import { isText, RubyRange, textOf } from '../values.ts'
import { format } from './format.ts'
import { Enumerator } from './items.ts'

/** Private methods of every object: `"a".puts` is an error, so they are not in a class. */
export const functions = new Map<string, { min: number; max: number; call: Body }>()

/** Known, but nothing of them is: code that only names them in `require` still runs. */
export const emptyLibraries = new Set([
  'bigdecimal',
  'tempfile',
  'fileutils',
  'forwardable',
  'ostruct',
  'logger',
  'monitor',
  'thread',
  'timeout',
  'stringio',
  'zlib',
])

/** Libraries that are here, by the names `require` takes. */
const libraries = new Set([
  'json',
  'time',
  'date',
  'digest',
  'digest/md5',
  'digest/sha1',
  'digest/sha2',
  'digest/sha256',
  'base64',
  'securerandom',
  'uri',
  'ipaddr',
  'set',
  'csv',
  'yaml',
  'psych',
  'socket',
  'openssl',
  'logstash/event',
  'logstash/timestamp',
  'logstash-core',
  'logstash/json',
  'addressable/uri',
  'English',
  'cgi',
  'pp',
  ...emptyLibraries,
])

export function isLibrary(name: string): boolean {
  return libraries.has(name)
}

function required(args: RubyValue[]): RubyValue {
  const name = textArgument(args[0])
  if (!libraries.has(name)) raise(loadError, `cannot load such file -- ${name}`)
  return true
}

class Throw {
  readonly tag: RubyValue
  readonly value: RubyValue

  constructor(tag: RubyValue, value: RubyValue) {
    this.tag = tag
    this.value = value
  }
}

const openTags: RubyValue[] = []

function toInteger(args: RubyValue[]): RubyValue {
  const given = [...args]
  const options = takeOptions(given)
  const [value = null, base] = given
  const quiet = options.get('exception') === false
  if (isInteger(value)) return value
  if (isFloat(value)) {
    if (quiet && !Number.isFinite(toDouble(value))) return null
    return wholeOf(toDouble(value))
  }
  if (isText(value)) {
    const read = readInteger(textOf(value), base === undefined || base === null ? undefined : indexOf(base))
    if (read !== undefined) return read
    return quiet ? null : invalidNumber('Integer', textOf(value))
  }
  if (value !== null && classOf(value).find('to_i') !== undefined) return send(value, 'to_i')
  if (quiet) return null
  if (value === null) raise(typeError, "can't convert nil into Integer")
  return raise(typeError, `can't convert ${coercionName(value)} into Integer`)
}

function toFloat(args: RubyValue[]): RubyValue {
  const given = [...args]
  const options = takeOptions(given)
  const [value = null] = given
  const quiet = options.get('exception') === false
  if (isNumber(value)) return float(toDouble(value))
  if (isText(value)) {
    const read = readFloat(textOf(value))
    if (read !== undefined) return read
    return quiet ? null : invalidNumber('Float', textOf(value))
  }
  if (quiet) return null
  if (value === null) raise(typeError, "can't convert nil into Float")
  if (classOf(value).find('to_f') !== undefined) return send(value, 'to_f')
  return raise(typeError, `can't convert ${coercionName(value)} into Float`)
}

function putsText(args: RubyValue[]): string {
  if (args.length === 0) return '\n'
  return args
    .map((value) => {
      if (Array.isArray(value)) return value.length === 0 ? '' : putsText(value)
      const text = toText(value)
      return text.endsWith('\n') ? text : `${text}\n`
    })
    .join('')
}

function random(limit: RubyValue | undefined): RubyValue {
  if (limit === undefined || limit === null || limit === 0) return float(Math.random())
  if (limit instanceof RubyRange) {
    const { first, last, excludesEnd } = limit
    if (!isNumber(first) || !isNumber(last))
      raise(typeError, `no implicit conversion of ${coercionName(first)} into Integer`)
    const [low, high] = [toDouble(first), toDouble(last)]
    if (isFloat(first) || isFloat(last)) return float(low + Math.random() * (high - low))
    if (high < low) return null
    return low + Math.floor(Math.random() * (high - low + (excludesEnd ? 0 : 1)))
  }
  if (isFloat(limit)) return float(Math.random() * toDouble(limit))
  return Math.floor(Math.random() * Math.abs(indexOf(limit)))
}

function pause(seconds: RubyValue | undefined): RubyValue {
  if (seconds === undefined || !isNumber(seconds))
    raise(typeError, "can't convert NilClass into time interval")
  const milliseconds = toDouble(seconds) * 1000
  if (milliseconds < 0) raise(argumentError, 'time interval must not be negative')
  checkClock()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.min(milliseconds, runtime.budget))
  return Math.round(milliseconds / 1000)
}

const table: Record<string, Body> = {
  'puts *': (_, args) => {
    runtime.print(putsText(args))
    return null
  },
  'print *': (_, args) => {
    runtime.print(args.map(toText).join(''))
    return null
  },
  'p *': (_, args) => {
    runtime.print(args.map((value) => `${inspect(value)}\n`).join(''))
    return args.length === 0 ? null : args.length === 1 ? args[0]! : args
  },
  'pp *': (_, args) => {
    runtime.print(args.map((value) => `${inspect(value)}\n`).join(''))
    return args.length === 0 ? null : args.length === 1 ? args[0]! : args
  },
  'warn *': () => null,
  'require,require_relative 1': (_, args) => required(args),
  loop: (self, _, block) => {
    if (block === null) return new Enumerator(self, 'loop')
    try {
      for (;;) {
        tick()
        block.invoke([], null)
      }
    } catch (error) {
      if (error instanceof RubyError && error.exception.rubyClass.inherits(stopIteration))
        return error.exception.extra
      throw error
    }
  },
  'format,sprintf 1+': (_, [template, ...values]) => format(textArgument(template), values),
  'printf *': (_, [template, ...values]) => {
    if (template !== undefined) runtime.print(format(textArgument(template), values))
    return null
  },
  'Integer 1-3': (_, args) => toInteger(args),
  'Float 1-2': (_, args) => toFloat(args),
  'String 1': (_, [value]) => toText(value!),
  'Array 1': (_, [value]) => toList(value!),
  'Hash 1': (_, [value]) => {
    if (value === null || (Array.isArray(value) && value.length === 0)) return new RubyHash()
    if (value instanceof RubyHash) return value
    return raise(typeError, `can't convert ${coercionName(value!)} into Hash`)
  },
  'rand 0-1': (_, [limit]) => random(limit),
  'srand 0-1': () => 0,
  'sleep 0-1': (_, [seconds]) => pause(seconds),
  'catch 0-1': (_, [tag = send(0, 'itself')], block) => {
    openTags.push(tag)
    try {
      return block === null ? null : block.one(tag)
    } catch (error) {
      if (error instanceof Throw && equal(error.tag, tag)) return error.value
      throw error
    } finally {
      openTags.pop()
    }
  },
  'throw 1-2': (_, [tag, value = null]) => {
    if (!openTags.some((open) => equal(open, tag!)))
      raise(uncaughtThrowError, `uncaught throw ${inspect(tag!)}`)
    throw new Throw(tag!, value)
  },
  proc: (_, __, block) => block ?? raise(argumentError, 'tried to create Proc object without a block'),
  'caller *': () => [],
}

for (const [signature, call] of Object.entries(table)) {
  const [names = '', arity = '0'] = signature.split(' ')
  const [min, max] =
    arity === '*'
      ? [0, Number.POSITIVE_INFINITY]
      : arity.endsWith('+')
        ? [Number(arity.slice(0, -1)), Number.POSITIVE_INFINITY]
        : [Number(arity.split('-')[0]), Number(arity.split('-')[1] ?? arity)]
  for (const name of names.split(',')) functions.set(name, { min: min!, max: max!, call })
}

const randomClass = newClass('Random')
defineStatics(randomClass, { 'rand 0-1': (_, [limit]) => random(limit), new_seed: () => randomInt(2 ** 47) })

const secureRandom = newClass('SecureRandom')
defineStatics(secureRandom, {
  'hex 0-1': (_, [size = 16]) => randomBytes(Math.min(indexOf(size ?? 16), 1_000_000)).toString('hex'),
  uuid: () => {
    const hex = randomBytes(16)
    hex[6] = (hex[6]! & 0x0f) | 0x40
    hex[8] = (hex[8]! & 0x3f) | 0x80
    return hex.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  },
  'base64 0-1': (_, [size = 16]) => randomBytes(Math.min(indexOf(size ?? 16), 1_000_000)).toString('base64'),
  'urlsafe_base64 0-1': (_, [size = 16]) =>
    randomBytes(Math.min(indexOf(size ?? 16), 1_000_000)).toString('base64url'),
  'alphanumeric 0-1': (_, [size = 16]) => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
    return Array.from(
      { length: Math.min(indexOf(size ?? 16), 1_000_000) },
      () => letters[randomInt(62)],
    ).join('')
  },
  'random_number,rand 0-1': (_, [limit]) => random(limit),
})

// `kernel` itself answers for the same names when they are called on it: `Kernel.format(…)`.
for (const [name, { min, max, call }] of functions) {
  kernel.statics.set(name, { name, min, max, call })
  knownNames.add(name)
}
