/**
 * What every operation of mutate compiles to: a function of the event. References are compiled when the
 * pipeline is built, but a bad one fails the events that meet it, as in Logstash, not the start.
 */
import type { Getter, Remover, Setter } from '../../../event/accessors.ts'
import type { Event } from '../../../event/event.ts'
import type { Template } from '../../../event/sprintf.ts'
import type { Value } from '../../../event/value.ts'
import type { Compile } from '../../../plugin/compile.ts'
import type { PluginLogger } from '../../../plugin/define.ts'
import { compilePattern } from '../../../regex/pattern.ts'
import { rubyClass, rubyText } from '../../ruby-values/text.ts'

export type Step = (event: Event) => void

export interface Tools {
  readonly logger: PluginLogger
  get(name: Value): Getter
  set(name: Value): Setter
  remove(name: Value): Remover
  template(text: Value): Template
  /** The text itself when it has no placeholder. */
  constant(text: Value): string | undefined
  readonly pattern: Compile['pattern']
}

export function toolsOf(compile: Compile, logger: PluginLogger): Tools {
  return {
    logger,
    get: (name) => orThrowWhenUsed(() => compile.get(fieldName(name))),
    set: (name) => orThrowWhenUsed(() => compile.set(fieldName(name))),
    remove: (name) => orThrowWhenUsed(() => compile.remove(fieldName(name))),
    template: (text) => compile.template(rubyText(text)),
    constant: (text) => (compile.isConstant(rubyText(text)) ? rubyText(text) : undefined),
    pattern: (source) => compilePattern(source),
  }
}

export function orThrowWhenUsed<A extends unknown[], R>(make: () => (...args: A) => R): (...args: A) => R {
  try {
    return make()
  } catch (error) {
    return () => {
      throw error
    }
  }
}

/** Names of JRuby's classes, as the text of a failed cast shows them. */
const jrubyClasses: ReadonlyMap<string, string> = new Map([
  ['Array', 'RubyArray'],
  ['Hash', 'RubyHash'],
  ['Integer', 'RubyFixnum'],
  ['Float', 'RubyFloat'],
])

function fieldName(name: Value): string {
  if (typeof name === 'string') return name
  const found = jrubyClasses.get(rubyClass(name)) ?? 'RubyObject'
  throw new TypeError(`Cannot cast org.jruby.${found} to org.jruby.RubyString`)
}

/** A refusal at start-up in the words of Logstash. */
export function refuseToRegister(reason: string): never {
  throw new Error(`Cannot register filter mutate plugin. The error reported is:\n  ${reason}`)
}
