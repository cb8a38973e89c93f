/**
 * de_dot: renames fields whose names contain dots, either with another character in their place or by
 * making nested fields of them.
 */
import type { Event } from '../../event/event.ts'
import { checkNesting } from '../../event/nesting.ts'
import { writePath } from '../../event/path-access.ts'
import { type Fields, fieldNames, isFields, putField, readField, type Value } from '../../event/value.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { rubyText } from '../ruby-values/text.ts'

export default defineFilter({
  name: 'de_dot',
  oneToOne: true,
  summary: 'Renames fields whose names contain dots.',
  description: 'Expensive for events with many fields: name the fields where you can.',
  options: {
    separator: option.string({ default: '_', doc: 'What to put in place of dots.' }),
    nested: option.boolean({ default: false, doc: 'Whether `a.b` becomes `b` inside of `a` instead.' }),
    recursive: option.boolean({ default: false, doc: 'Whether to rename fields inside of fields too.' }),
    fields: option.array({ doc: 'The fields to rename; all at the top of the event unless given.' }),
  },
  examples: [
    {
      title: 'Another character',
      config: 'de_dot { }',
      in: { 'a.b': 1, c: { 'd.e': 2 } },
      out: { a_b: 1, c: { 'd.e': 2 } },
    },
    {
      title: 'Nested and recursive',
      config: 'de_dot { nested => true recursive => true }',
      in: { 'a.b': 1, c: { 'd.e': 2 } },
      out: { a: { b: 1 }, c: { d: { e: 2 } } },
    },
  ],
  create({ options, logger }) {
    const { separator, nested, recursive } = options
    if (separator.includes('.')) throw new Error("de_dot: separator cannot be or contain '.'")
    const given = options.fields?.map(rubyText)

    function rename(fields: Fields, name: string, value: Value): void {
      putField(fields, name, undefined)
      if (nested)
        writePath(
          fields,
          name.split('.').filter((part) => part !== ''),
          value,
        )
      else putField(fields, name.replaceAll('.', separator), value)
    }

    function inside(value: Value, depth: number): Value {
      checkNesting(depth)
      if (Array.isArray(value)) return value.map((item) => inside(item, depth + 1))
      if (typeof value !== 'object' || value === null || !isFields(value)) return value
      const result: Fields = {}
      for (const name of fieldNames(value)) {
        const renamed = inside(readField(value, name)!, depth + 1)
        if (name.includes('.') && name !== '.') rename(result, name, renamed)
        else putField(result, name, renamed)
      }
      return result
    }

    function renameTop(event: Event, name: string): void {
      const value = readField(event.data, name)
      if (value === undefined) return
      const renamed = recursive ? inside(value, 0) : value
      if (name.includes('.') && name !== '.') rename(event.data, name, renamed)
      else if (recursive) putField(event.data, name, renamed)
    }

    /** A reference with brackets: dots in any of its parts. */
    function renameReference(event: Event, reference: string): void {
      const value = event.get(reference)
      if (value === undefined) return
      const renamed = recursive ? inside(value, 0) : value
      const place = reference.replaceAll('.', nested ? '][' : separator)
      if (place !== reference) event.remove(reference)
      if (place !== reference || recursive) event.set(place, renamed)
    }

    return {
      filter(event) {
        try {
          event.raw = null
          for (const name of given ?? fieldNames(event.data)) {
            if (given !== undefined && name.includes('[')) renameReference(event, name)
            else renameTop(event, name)
          }
          return true
        } catch (exception) {
          logger.error('de_dot: a field could not be renamed', { exception })
          event.tag('_de_dot_error')
          return false
        }
      },
    }
  },
})
