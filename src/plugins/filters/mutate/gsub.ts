/**
 * The gsub operation of mutate: triples of field, Ruby pattern and Ruby replacement. The replacement is a
 * template; so is the pattern when it contains `%{`, and it is then compiled for the event (and cached).
 */
import type { Event } from '../../../event/event.ts'
import type { Value } from '../../../event/value.ts'
import { inspect } from '../../../log/ruby-inspect.ts'
import { rubyClass } from '../../ruby-values/text.ts'
import { refuseToRegister, type Step, type Tools } from './step.ts'

type Substitute = (event: Event, text: string) => string

export function gsub(list: readonly Value[], tools: Tools): Step[] {
  const steps: Step[] = []
  for (let i = 0; i < list.length; i += 3) {
    const [field = null, needle = null, replacement = null] = list.slice(i, i + 3)
    if (field === null || needle === null || replacement === null) {
      const triple = inspect([field, needle, replacement])
      refuseToRegister(
        `Invalid gsub configuration ${triple}. gsub requires 3 non-nil elements per config entry`,
      )
    }
    steps.push(inField(field, substitution(needle, replacement, tools), tools))
  }
  return steps
}

function substitution(needle: Value, replacement: Value, tools: Tools): Substitute {
  if (typeof needle !== 'string') {
    refuseToRegister(`undefined method \`index' for ${inspect(needle)}:${rubyClass(needle)}`)
  }
  const replacementTemplate = tools.template(replacement)
  if (needle.includes('%{')) {
    const needleTemplate = tools.template(needle)
    return (event, text) => tools.pattern(needleTemplate(event)).replaceAll(text, replacementTemplate(event))
  }
  const pattern = tools.pattern(needle)
  const constant = tools.constant(replacement)
  if (constant !== undefined) return (_, text) => pattern.replaceAll(text, constant)
  return (event, text) => pattern.replaceAll(text, replacementTemplate(event))
}

function inField(field: Value, substitute: Substitute, tools: Tools): Step {
  const get = tools.get(field)
  const set = tools.set(field)
  return (event) => {
    const value = get(event)
    if (typeof value === 'string') {
      const result = substitute(event, value)
      if (result !== value) set(event, result)
    } else if (Array.isArray(value)) {
      set(
        event,
        value.map((item) => inItem(event, item, field, substitute, tools)),
      )
    }
  }
}

function inItem(event: Event, item: Value, field: Value, substitute: Substitute, tools: Tools): Value {
  if (typeof item === 'string') return substitute(event, item)
  tools.logger.warn('gsub mutation is only applicable for strings and arrays of strings, skipping', {
    field,
    value: item,
  })
  return item
}
