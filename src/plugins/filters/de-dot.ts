/**
 * de_dot: renames fields whose names contain dots, either with another character in their place or by
 * making nested fields of them.
 */
import { parseFieldReference } from '../../event/field-reference.ts'
import { checkNesting } from '../../event/nesting.ts'
import { readPath, removePath, writePath } from '../../event/path-access.ts'
import { type Fields, fieldNames, isFields } from '../../event/value.ts'
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
    recursive: option.boolean({
      default: false,
      doc: 'Whether to rename fields inside of fields too; lists are left as they are.',
    }),
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

    function hasDot(name: string): boolean {
      return name.includes('.') && name !== '.'
    }

    function renamed(path: readonly string[]): string[] {
      if (!nested) return path.map((name) => (hasDot(name) ? name.replaceAll('.', separator) : name))
      return path.flatMap((name) => (hasDot(name) ? name.split('.').filter((part) => part !== '') : [name]))
    }

    /** Gives the value at the path its new place; maps that held nothing else go with the old one. */
    function move(root: Fields, path: readonly string[]): readonly string[] {
      const firstDotted = path.findIndex(hasDot)
      if (firstDotted === -1) return path
      const place = renamed(path)
      writePath(root, place, readPath(root, path)!)
      removePath(root, path)
      for (let length = path.length - 1; length > firstDotted; length--) {
        const parent = readPath(root, path.slice(0, length))
        if (!isFields(parent) || fieldNames(parent).length > 0) break
        removePath(root, path.slice(0, length))
      }
      return place
    }

    function rename(root: Fields, path: readonly string[]): void {
      checkNesting(path.length)
      if (readPath(root, path) === undefined) return
      const place = move(root, path)
      const value = recursive ? readPath(root, place) : undefined
      if (!isFields(value)) return
      for (const name of fieldNames(value)) rename(root, [...place, name])
    }

    return {
      filter(event) {
        try {
          event.raw = null
          if (given === undefined) {
            for (const name of fieldNames(event.data)) rename(event.data, [name])
            return true
          }
          for (const reference of given) {
            const { metadata, path } = parseFieldReference(reference)
            if (path.length > 0) rename(metadata ? event.metadata() : event.data, path)
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
