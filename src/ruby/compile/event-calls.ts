/**
 * `event.get('[a][b]')`, `event.set('a', …)`, `event.remove('a')` and `event.tag('a')` with a literal name: the field
 * reference is compiled once. The variable may hold something else when it runs; then it is a call like any other.
 */
import { type CallNode, LocalVariableReadNode, StringNode } from '@ruby/prism/src/nodes.js'
import { compileGet, compileRemove, compileSet } from '../../event/accessors.ts'
import { Event } from '../../event/event.ts'
import { parseFieldReference } from '../../event/field-reference.ts'
import { toEventValue, toRuby, toRubyWithIdentity } from '../event-values.ts'
import type { RubyValue } from '../ruby-class.ts'
import { MutableString } from '../values.ts'
import { CallSite } from './call-site.ts'
import { literalText } from './literals.ts'
import type { Run, Scope } from './scope.ts'
import { compile } from './unit.ts'

export function compileEventCall(node: CallNode, scope: Scope): Run | null {
  const { name, receiver } = node
  if (!(receiver instanceof LocalVariableReadNode) || receiver.name !== 'event') return null
  const [reference, second, ...more] = node.arguments_?.arguments_ ?? []
  if (!(reference instanceof StringNode) || more.length > 0 || node.block !== null || node.isSafeNavigation())
    return null
  const text = literalText(reference.unescaped)
  try {
    parseFieldReference(text)
  } catch {
    // An invalid reference is an exception of the event, as in Logstash.
    return null
  }
  const owner = compile(receiver, scope)
  const site = new CallSite(name)
  if (name === 'set' && second !== undefined) return setter(owner, text, compile(second, scope), site)
  if (second !== undefined) return null
  if (name === 'get') return getter(owner, text, scope.unit.program.changesStrings, site)
  if (name === 'remove') {
    const remove = compileRemove(text)
    return (frame) => {
      const event = owner(frame)
      return event instanceof Event ? toRuby(remove(event)) : site.call(event, [text], null)
    }
  }
  return null
}

function getter(owner: Run, text: string, withIdentity: boolean, site: CallSite): Run {
  const get = compileGet(text)
  if (withIdentity) {
    return (frame) => {
      const event = owner(frame)
      return event instanceof Event ? toRubyWithIdentity(event, text) : site.call(event, [text], null)
    }
  }
  return (frame) => {
    const event = owner(frame)
    if (!(event instanceof Event)) return site.call(event, [text], null)
    const value = get(event)
    return typeof value === 'object' || value === undefined ? toRuby(value) : value
  }
}

function setter(owner: Run, text: string, value: Run, site: CallSite): Run {
  const set = compileSet(text)
  return (frame) => {
    const event = owner(frame)
    const given: RubyValue = value(frame)
    if (!(event instanceof Event) || given instanceof MutableString)
      return site.call(event, [text, given], null)
    set(event, toEventValue(given))
    return given
  }
}
