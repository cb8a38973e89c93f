/**
 * What every object can do, and the small classes: nil, true, false, Symbol, Proc, Class, exceptions.
 */
import { LsFloat } from '../../event/value.ts'
import { nameArgument } from '../arguments.ts'
import { caseEqual, compare, equal, identical, same } from '../compare.ts'
import { callMethod, findMethod, noMethod, send } from '../dispatch.ts'
import {
  argumentError,
  nameError,
  RubyError,
  RubyException,
  raise,
  runtimeError,
  typeError,
} from '../errors.ts'
import { RubyHash } from '../hash.ts'
import { inspect, inspectSymbol, toText } from '../inspect.ts'
import { MainObject } from '../main-object.ts'
import { coercionName } from '../number.ts'
import { Proc } from '../proc.ts'
import {
  classClass,
  classOf,
  defineMethods,
  defineStatics,
  exceptionClass,
  falseClass,
  kernel,
  methodClass,
  moduleClass,
  nilClass,
  objectClass,
  procClass,
  RubyClass,
  RubyObject,
  type RubyValue,
  stringClass,
  symbolClass,
  trueClass,
} from '../ruby-class.ts'
import { Instance, isText, RubySymbol, truthy } from '../values.ts'
import { Enumerator } from './items.ts'

function isA(value: RubyValue, of: RubyValue | undefined): boolean {
  if (!(of instanceof RubyClass)) raise(typeError, 'class or module required')
  return classOf(value).inherits(of)
}

function mainOf(self: RubyValue): MainObject {
  if (self instanceof MainObject) return self
  return noMethod(self, 'instance_variable_get')
}

function variableName(value: RubyValue | undefined): string {
  const name = nameArgument(value)
  if (!/^@[a-z_]\w*$/i.test(name)) raise(nameError, `'${name}' is not allowed as an instance variable name`)
  return name
}

defineMethods<RubyValue>(kernel, {
  'nil?': (self) => self === null,
  '== 1': (self, [other]) => equal(self, other!),
  '!= 1': (self, [other]) => !truthy(send(self, '==', [other!])),
  '!': (self) => !truthy(self),
  '=== 1': (self, [other]) => caseEqual(self, other!),
  '=~ 1': () => null,
  '!~ 1': (self, [other]) => !truthy(send(self, '=~', [other!])),
  'eql? 1': (self, [other]) => identical(self, other!),
  'equal? 1': (self, [other]) => same(self, other!),
  '<=> 1': (self, [other]) => (equal(self, other!) ? 0 : null),
  'is_a?,kind_of? 1': (self, [of]) => isA(self, of),
  'instance_of? 1': (self, [of]) => classOf(self) === of,
  'respond_to? 1-2': (self, [name]) => findMethod(self, nameArgument(name)) !== undefined,
  class: (self) => classOf(self),
  singleton_class: (self) => classOf(self),
  inspect: (self) => (self instanceof RubyObject ? `#<${classOf(self).name}>` : inspect(self)),
  to_s: (self) => `#<${classOf(self).name}>`,
  hash: (self) => inspect(self).length,
  itself: (self) => self,
  'dup,clone *': (self) => self,
  freeze: (self) => self,
  'frozen?': () => true,
  tap: (self, _, block) => {
    block?.one(self)
    return self
  },
  'then,yield_self': (self, _, block) => (block === null ? new Enumerator(self, 'then') : block.one(self)),
  'send,public_send,__send__ 1+': (self, [name, ...args], block) => {
    const method = findMethod(self, nameArgument(name))
    return method === undefined ? noMethod(self, nameArgument(name)) : callMethod(method, self, args, block)
  },
  'method 1': (self, [name]) => {
    const found =
      findMethod(self, nameArgument(name)) ??
      (self instanceof MainObject ? kernel.statics.get(nameArgument(name)) : undefined)
    if (found === undefined) {
      raise(nameError, `undefined method \`${nameArgument(name)}' for class \`${classOf(self).name}'`)
    }
    const arity = found.max === found.min ? found.min : -found.min - 1
    return new Instance(
      methodClass,
      new Proc((args, block) => callMethod(found, self, args, block), arity, true),
    )
  },
  'instance_variable_get 1': (self, [name]) => mainOf(self).variables.get(variableName(name)) ?? null,
  'instance_variable_set 2': (self, [name, value]) => {
    mainOf(self).variables.set(variableName(name), value!)
    return value!
  },
  'instance_variable_defined? 1': (self, [name]) => mainOf(self).variables.has(variableName(name)),
  instance_variables: (self) => [...mainOf(self).variables.keys()].map((name) => new RubySymbol(name)),
  'enum_for,to_enum *': (self, [name = new RubySymbol('each'), ...args]) =>
    new Enumerator(self, nameArgument(name), args),
})
defineStatics(objectClass, { new: (self) => new Instance(self, null) })

defineMethods<null>(nilClass, {
  to_s: () => '',
  to_a: () => [],
  to_h: () => new RubyHash(),
  to_i: () => 0,
  to_f: () => new LsFloat(0),
  inspect: () => 'nil',
  '& 1': () => false,
  '| 1': (_, [other]) => truthy(other!),
})

defineMethods<boolean>(trueClass, {
  'to_s,inspect': () => 'true',
  '& 1': (_, [other]) => truthy(other!),
  '| 1': () => true,
  '^ 1': (_, [other]) => !truthy(other!),
})
defineMethods<boolean>(falseClass, {
  'to_s,inspect': () => 'false',
  '& 1': () => false,
  '|,^ 1': (_, [other]) => truthy(other!),
})

/** Symbols answer most questions as their names do. */
const textMethods = [
  'length',
  'size',
  'empty?',
  '[]',
  'slice',
  'start_with?',
  'end_with?',
  '=~',
  'match',
  'match?',
]
const symbolMethods = ['upcase', 'downcase', 'capitalize', 'swapcase', 'succ', 'next']
for (const name of [...textMethods, ...symbolMethods]) {
  const method = stringClass.methods.get(name)!
  symbolClass.methods.set(name, {
    ...method,
    call: (self, args, block) => {
      const result = method.call((self as RubySymbol).name, args, block)
      return symbolMethods.includes(name) ? new RubySymbol(toText(result)) : result
    },
  })
}
defineMethods<RubySymbol>(symbolClass, {
  'to_s,name,id2name': (self) => self.name,
  to_sym: (self) => self,
  inspect: (self) => inspectSymbol(self.name),
  to_proc: (self) => symbolProc(self.name),
  '<=> 1': (self, [other]) => compare(self, other!) ?? null,
  '==,=== 1': (self, [other]) => equal(self, other!),
})

/** `&:name` */
function symbolProc(name: string): Proc {
  const invoke = (args: RubyValue[], block: Proc | null): RubyValue => {
    const [self, ...rest] = args
    if (self === undefined) raise(argumentError, 'no receiver given')
    return send(self, name, rest, block)
  }
  let lastClass: RubyClass | undefined
  let method = findMethod(null, name)
  return new Proc(invoke, -2, true, (self) => {
    const own = classOf(self)
    if (own !== lastClass || self instanceof RubyClass) {
      lastClass = own
      method = findMethod(self, name)
    }
    return method === undefined ? noMethod(self, name) : callMethod(method, self, [], null)
  })
}

/** What `&value` passes as block. */
export function toBlock(value: RubyValue): Proc | null {
  if (value === null || value instanceof Proc) return value
  if (value instanceof RubySymbol) return symbolProc(value.name)
  if (value instanceof Instance && value.state instanceof Proc) return value.state
  if (value instanceof RubyHash) return new Proc(([key]) => value.get(key ?? null), 1, true)
  raise(typeError, `no implicit conversion of ${coercionName(value)} into Proc`)
}

function compose(first: RubyValue, second: RubyValue): Proc {
  const [f, g] = [toBlock(first)!, toBlock(second)!]
  return new Proc((args, block) => g.one(f.invoke(args, block)), f.arity, true)
}

defineStatics(procClass, {
  new: (_, __, block) => block ?? raise(argumentError, 'tried to create Proc object without a block'),
})
defineMethods<Proc>(procClass, {
  'call,(),yield,===,[] *': (self, args, block) => self.invoke(args, block),
  to_proc: (self) => self,
  'lambda?': (self) => self.isLambda,
  arity: (self) => self.arity,
  '>> 1': (self, [other]) => compose(self, other!),
  '<< 1': (self, [other]) => compose(other!, self),
  'curry 0-1': (self, [count]) => curry(self, count === undefined ? requiredCount(self) : Number(count), []),
  inspect: (self) => (self.isLambda ? '#<Proc (lambda)>' : '#<Proc>'),
})
defineMethods<Instance<Proc>>(methodClass, {
  'call,===,[] *': (self, args, block) => self.state.invoke(args, block),
  to_proc: (self) => self.state,
  arity: (self) => self.state.arity,
  '>> 1': (self, [other]) => compose(self, other!),
  '<< 1': (self, [other]) => compose(other!, self),
})

/** Arguments that must be there: -2 is one and more. */
function requiredCount({ arity }: Proc): number {
  return arity < 0 ? -arity - 1 : arity
}

function curry(proc: Proc, count: number, taken: RubyValue[]): Proc {
  return new Proc(
    (args, block) => {
      const all = [...taken, ...args]
      return all.length >= count ? proc.invoke(all, block) : curry(proc, count, all)
    },
    -1,
    proc.isLambda,
  )
}

defineMethods<RubyClass>(moduleClass, {
  'name,to_s,inspect': (self) => self.name,
  '=== 1': (self, [value]) => caseEqual(self, value!),
  '== 1': (self, [other]) => self === other,
  '< 1': (self, [other]) => (self === other ? false : self.inherits(other as RubyClass) ? true : null),
  '<= 1': (self, [other]) => (self.inherits(other as RubyClass) ? true : null),
  ancestors: (self) => self.ancestors(),
  'instance_methods *': (self) => [...self.methods.keys()].map((name) => new RubySymbol(name)),
  'method_defined? 1-2': (self, [name]) => self.find(nameArgument(name)) !== undefined,
  'const_get 1': (self, [name]) =>
    self.constants.get(nameArgument(name)) ??
    raise(nameError, `uninitialized constant ${self.name}::${nameArgument(name)}`),
  'include? 1': (self, [module]) => self !== module && self.inherits(module as RubyClass),
})
defineMethods<RubyClass>(classClass, {
  superclass: (self) => self.superclass,
})

function makeException(self: RubyClass, args: RubyValue[]): RubyException {
  return new RubyException(self, args[0] ?? null)
}

defineStatics(exceptionClass, {
  'new,exception 0-1': (self, args) => makeException(self, args),
})
defineMethods<RubyException>(exceptionClass, {
  'message,to_s': (self) => (self.given === null ? self.rubyClass.name : toText(self.given)),
  full_message: (self) => `${self.message} (${self.rubyClass.name})`,
  inspect: (self) => inspect(self),
  backtrace: (self) => (self.line === 0 ? [] : [`(ruby filter code):${self.line}`]),
  backtrace_locations: () => null,
  'set_backtrace 1': (_, [trace]) => trace!,
  cause: (self) => self.cause,
  'exception 0-1': (self, args) => (args.length === 0 ? self : new RubyException(self.rubyClass, args[0]!)),
  '== 1': (self, [other]) => equal(self, other!),
  key: (self) => (Array.isArray(self.extra) ? self.extra[1]! : null),
  receiver: (self) => (Array.isArray(self.extra) ? self.extra[0]! : null),
  result: (self) => self.extra,
})

/** `raise` in its forms: nothing, a text, a class with or without a text, an exception. */
export function raiseWith(args: RubyValue[], current: RubyException | null): never {
  const given = [...args]
  const last = given[given.length - 1]
  let cause: RubyValue = current
  if (last instanceof RubyHash && last.isKeywords) {
    given.pop()
    cause = last.own(new RubySymbol('cause')) ?? cause
  }
  const [what, message] = given
  let exception: RubyException
  if (what === undefined) exception = current ?? new RubyException(runtimeError, 'unhandled exception')
  else if (isText(what)) exception = new RubyException(runtimeError, what)
  else if (what instanceof RubyClass && what.inherits(exceptionClass)) {
    exception = send(what, 'new', message === undefined ? [] : [message]) as RubyException
  } else if (what instanceof RubyException) {
    exception = message === undefined ? what : new RubyException(what.rubyClass, message)
  } else raise(typeError, 'exception class/object expected')
  if (exception !== cause && exception.cause === null) exception.cause = cause
  throw new RubyError(exception)
}
