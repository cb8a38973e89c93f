/**
 * How methods of String are declared: they get the text, whichever form the receiver has. `bang` methods
 * change a string in place and give nil when nothing changed.
 */
import { frozenError, raise } from '../errors.ts'
import type { Proc } from '../proc.ts'
import { type Body, defineMethods, type RubyValue, stringClass } from '../ruby-class.ts'
import { MutableString, textOf } from '../values.ts'

type TextBody = (self: string, args: RubyValue[], block: Proc | null) => RubyValue
type Receiver = string | MutableString

export function defineTextMethods(table: Readonly<Record<string, TextBody>>): void {
  const wrapped: Record<string, Body<Receiver>> = {}
  for (const [signature, body] of Object.entries(table)) {
    wrapped[signature] = (self, args, block) => body(typeof self === 'string' ? self : self.text, args, block)
  }
  defineMethods<Receiver>(stringClass, wrapped)
}

/** Sets the text of a string; a string that has no identity of its own gets one for the answer. */
export function change(self: Receiver, text: string): MutableString {
  const target = typeof self === 'string' ? new MutableString(self) : self
  if (target.frozen) raise(frozenError, "can't modify frozen String")
  target.text = text
  target.onChange?.(text)
  return target
}

/** `name!` for each of the methods, which give the new text. */
export function defineBangMethods(names: readonly string[]): void {
  const table: Record<string, Body<Receiver>> = {}
  for (const name of names) {
    const method = stringClass.methods.get(name)!
    const arity = method.max === Number.POSITIVE_INFINITY ? `${method.min}+` : `${method.min}-${method.max}`
    table[`${name}! ${arity}`] = (self, args, block) => {
      const result = method.call(textOf(self), args, block)
      if (typeof result !== 'string') return result
      const changed = result !== textOf(self)
      if (!changed && !(self instanceof MutableString && self.frozen)) return null
      const target = change(self, result)
      return changed ? target : null
    }
  }
  defineMethods<Receiver>(stringClass, table)
}
