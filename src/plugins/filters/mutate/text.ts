/**
 * The operations of mutate on texts and lists of texts: uppercase, lowercase, capitalize, strip, split,
 * join. Lists are worked on item by item; other values stay as they are.
 */
import type { Value } from '../../../event/value.ts'
import { inspect } from '../../../log/ruby-inspect.ts'
import type { HashValue } from '../../../plugin/define.ts'
import { compileSplit } from '../../ruby-values/split.ts'
import { rubyClass, rubyJoin, rubyStrip } from '../../ruby-values/text.ts'
import { orThrowWhenUsed, type Step, type Tools } from './step.ts'

/** Changes the texts of the fields; items of a list that are no texts stay. */
export function change(fields: readonly Value[], tools: Tools, work: (text: string) => string): Step[] {
  return onItems(fields, tools, work, (item) => item)
}

/** An item that cannot be stripped raises. */
export function strip(fields: readonly Value[], tools: Tools): Step[] {
  return onItems(fields, tools, rubyStrip, (item) => {
    const shown = `${inspect(item)}:${rubyClass(item)}`
    throw new TypeError(`undefined method \`strip' for ${shown}`)
  })
}

function onItems(
  fields: readonly Value[],
  tools: Tools,
  work: (text: string) => string,
  otherwise: (item: Value) => Value,
): Step[] {
  return fields.map((field) => {
    const get = tools.get(field)
    const set = tools.set(field)
    // Writing below `tags` fails even where nothing would change.
    const always = typeof field === 'string' && field.startsWith('[tags][')
    return (event) => {
      const value = get(event)
      if (typeof value === 'string') {
        const result = work(value)
        if (result !== value || always) set(event, result)
      } else if (Array.isArray(value)) {
        set(
          event,
          value.map((item) => (typeof item === 'string' ? work(item) : otherwise(item))),
        )
      }
    }
  })
}

export function split(fields: HashValue, tools: Tools): Step[] {
  return [...fields].map(([field, separator]) => {
    const get = tools.get(field)
    const set = tools.set(field)
    const parts = orThrowWhenUsed(() => {
      if (typeof separator === 'string') return compileSplit(separator, 'drop')
      throw new TypeError(`wrong argument type ${rubyClass(separator)} (expected Regexp)`)
    })
    return (event) => {
      const value = get(event)
      if (typeof value === 'string') set(event, parts(value))
    }
  })
}

export function join(fields: HashValue, tools: Tools): Step[] {
  return [...fields].map(([field, separator]) => {
    const get = tools.get(field)
    const set = tools.set(field)
    const joined = orThrowWhenUsed(() => {
      if (typeof separator === 'string') return (list: readonly Value[]) => rubyJoin(list, separator)
      throw new TypeError(`no implicit conversion of ${rubyClass(separator)} into String`)
    })
    return (event) => {
      const value = get(event)
      if (Array.isArray(value)) set(event, joined(value))
    }
  })
}
