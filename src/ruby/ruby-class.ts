/**
 * What a Ruby value is in JavaScript, and what a class is: a table of methods with a superclass and modules.
 * nil is null; Integer is number or bigint, Float a number with a fraction or an LsFloat (as in events);
 * String is a JavaScript string, or a MutableString in programs that change strings in place.
 * Everything else is an object that knows its class.
 */
import { Event } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import { LsFloat } from '../event/value.ts'
import type { Proc } from './proc.ts'

export type RubyValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | LsFloat
  | Timestamp
  | Event
  | RubyValue[]
  | RubyObject

export abstract class RubyObject {
  abstract get rubyClass(): RubyClass
}

export type Body<S = RubyValue> = (self: S, args: RubyValue[], block: Proc | null) => RubyValue

export interface Method {
  readonly name: string
  readonly min: number
  readonly max: number
  readonly call: Body
}

export class RubyClass extends RubyObject {
  readonly name: string
  readonly superclass: RubyClass | null
  readonly isModule: boolean
  readonly modules: RubyClass[] = []
  readonly methods = new Map<string, Method>()
  readonly statics = new Map<string, Method>()
  readonly constants = new Map<string, RubyValue>()
  #found = new Map<string, Method | undefined>()

  constructor(name: string, superclass: RubyClass | null, isModule = false) {
    super()
    this.name = name
    this.superclass = superclass
    this.isModule = isModule
  }

  get rubyClass(): RubyClass {
    return this.isModule ? moduleClass : classClass
  }

  /** The instance method of a name: own, of a module, inherited. */
  find(name: string): Method | undefined {
    if (this.#found.has(name)) return this.#found.get(name)
    let found = this.methods.get(name)
    for (const module of this.modules) found ??= module.find(name)
    found ??= this.superclass?.find(name)
    // Names may come from data (`send`); what is not there is not remembered.
    if (found !== undefined) this.#found.set(name, found)
    return found
  }

  /** Adds or replaces a method that a running program defines. */
  add(method: Method): void {
    this.methods.set(method.name, method)
    this.#found.clear()
  }

  /** The method of the class object itself. */
  findStatic(name: string): Method | undefined {
    return this.statics.get(name) ?? this.superclass?.findStatic(name) ?? this.rubyClass.find(name)
  }

  inherits(other: RubyClass): boolean {
    if (this === other) return true
    return (
      this.modules.some((module) => module.inherits(other)) || (this.superclass?.inherits(other) ?? false)
    )
  }

  ancestors(): RubyClass[] {
    return [
      this,
      ...this.modules.flatMap((module) => module.ancestors()),
      ...(this.superclass?.ancestors() ?? []),
    ]
  }
}

export const objectClass = new RubyClass('Object', null)
export const moduleClass = new RubyClass('Module', objectClass)
export const classClass = new RubyClass('Class', moduleClass)

/** Every class and module that is a constant at the top, by name. */
export const topConstants = new Map<string, RubyValue>([
  ['Object', objectClass],
  ['Module', moduleClass],
  ['Class', classClass],
])

export function newClass(name: string, superclass: RubyClass = objectClass, under?: RubyClass): RubyClass {
  const made = new RubyClass(under === undefined ? name : `${under.name}::${name}`, superclass)
  ;(under?.constants ?? topConstants).set(name, made)
  return made
}

export function newModule(name: string, under?: RubyClass): RubyClass {
  const made = new RubyClass(under === undefined ? name : `${under.name}::${name}`, null, true)
  ;(under?.constants ?? topConstants).set(name, made)
  return made
}

export const kernel = newModule('Kernel')
export const comparable = newModule('Comparable')
export const enumerable = newModule('Enumerable')
objectClass.modules.push(kernel)

export const nilClass = newClass('NilClass')
export const trueClass = newClass('TrueClass')
export const falseClass = newClass('FalseClass')
export const numericClass = newClass('Numeric')
export const integerClass = newClass('Integer', numericClass)
export const floatClass = newClass('Float', numericClass)
export const stringClass = newClass('String')
export const symbolClass = newClass('Symbol')
export const arrayClass = newClass('Array')
export const hashClass = newClass('Hash')
export const rangeClass = newClass('Range')
export const regexpClass = newClass('Regexp')
export const matchDataClass = newClass('MatchData')
export const procClass = newClass('Proc')
export const methodClass = newClass('Method')
export const enumeratorClass = newClass('Enumerator')
export const timeClass = newClass('Time')
export const exceptionClass = newClass('Exception')
export const logStash = newModule('LogStash')
export const eventClass = newClass('Event', objectClass, logStash)
export const timestampClass = newClass('Timestamp', objectClass, logStash)

numericClass.modules.push(comparable)
stringClass.modules.push(comparable)
timeClass.modules.push(comparable)
timestampClass.modules.push(comparable)
for (const each of [arrayClass, hashClass, rangeClass, enumeratorClass]) each.modules.push(enumerable)

export function classOf(value: RubyValue): RubyClass {
  switch (typeof value) {
    case 'string':
      return stringClass
    case 'number':
      return Number.isInteger(value) ? integerClass : floatClass
    case 'bigint':
      return integerClass
    case 'boolean':
      return value ? trueClass : falseClass
  }
  if (value === null) return nilClass
  if (Array.isArray(value)) return arrayClass
  if (value instanceof RubyObject) return value.rubyClass
  if (value instanceof LsFloat) return floatClass
  if (value instanceof Timestamp) return timestampClass
  if (value instanceof Event) return eventClass
  throw new TypeError('not a Ruby value')
}

/** `name[,alias] [arity]`: the arity is a number, a range `0-2`, at least `1+`, or `*`; none given is 0. */
type MethodTable<S> = { readonly [signature: string]: Body<S> }

export function defineMethods<S extends RubyValue>(owner: RubyClass, table: MethodTable<S>): void {
  addMethods(owner.methods, table as MethodTable<RubyValue>)
}

export function defineStatics(owner: RubyClass, table: MethodTable<RubyClass>): void {
  addMethods(owner.statics, table as unknown as MethodTable<RubyValue>)
}

/** Names that some class has a method for: what is in none of them can be refused before anything runs. */
export const knownNames = new Set<string>()

function addMethods(into: Map<string, Method>, table: MethodTable<RubyValue>): void {
  for (const [signature, call] of Object.entries(table)) {
    const [names = '', arity = '0'] = signature.split(' ')
    const { min, max } = readArity(arity)
    for (const name of names.split(',')) {
      into.set(name, { name, min, max, call })
      knownNames.add(name)
    }
  }
}

function readArity(arity: string): { min: number; max: number } {
  if (arity === '*') return { min: 0, max: Number.POSITIVE_INFINITY }
  if (arity.endsWith('+')) return { min: Number(arity.slice(0, -1)), max: Number.POSITIVE_INFINITY }
  const [min = '0', max = min] = arity.split('-')
  return { min: Number(min), max: Number(max) }
}
