/**
 * The rubydebug codec: events as the pretty-printed Ruby hashes people know from Logstash's console.
 * Names end at one column, lists show their indices, every level is four blanks further in.
 */
import type { Event } from '../../event/event.ts'
import { checkNesting } from '../../event/nesting.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { LsFloat, type Value } from '../../event/value.ts'
import { inspectString } from '../../log/ruby-inspect.ts'
import { defineCodec, option } from '../../plugin/define.ts'
import { rubyFloat } from '../../text/ruby-float.ts'

export default defineCodec({
  name: 'rubydebug',
  summary: 'Writes events in the readable layout of a Ruby hash.',
  options: {
    metadata: option.boolean({ default: false, doc: 'Whether to show `@metadata` too.' }),
  },
  examples: [
    {
      title: 'An event on the console',
      config: 'rubydebug { }',
      encode: {
        in: { '@timestamp': '2015-10-01T05:06:07.089Z', '@version': '1', message: 'hi', tags: ['a'] },
        text: [
          '{',
          '    "@timestamp" => 2015-10-01T05:06:07.089Z,',
          '      "@version" => "1",',
          '       "message" => "hi",',
          '          "tags" => [',
          '        [0] "a"',
          '    ]',
          '}',
          '',
        ].join('\n'),
      },
    },
  ],
  create({ options: { metadata } }) {
    return {
      encode(event) {
        const entries = members(event.data)
        if (metadata) addMetadata(entries, event)
        return `${hashText(entries, indent, 0)}\n`
      },
    }
  },
})

type Member = readonly [name: string, value: Value]

const indent = 4
const plainText = /^[ !$-[\]-~]*$/

function members(fields: { [name: string]: Value | undefined }): Member[] {
  const found: Member[] = []
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    if (value !== undefined) found.push([name, value])
  }
  return found
}

function addMetadata(entries: Member[], { meta }: Event): void {
  if (meta !== null && members(meta).length > 0) entries.push(['@metadata', meta])
}

/** `column`: how far in the members of this level stand. */
function hashText(entries: readonly Member[], column: number, depth: number): string {
  if (entries.length === 0) return '{}'
  checkNesting(depth)
  const names = entries.map(([name]) => stringText(name))
  let width = 0
  for (const name of names) width = Math.max(width, column + visibleLength(name))
  let text = '{\n'
  for (let i = 0; i < entries.length; i++) {
    const name = names[i]!
    const blanks = ' '.repeat(width - visibleLength(name))
    text += `${blanks}${name} => ${valueText(entries[i]![1], column + indent, depth + 1)}`
    text += i === entries.length - 1 ? '\n' : ',\n'
  }
  return `${text}${' '.repeat(column - indent)}}`
}

function listText(list: readonly Value[], column: number, depth: number): string {
  if (list.length === 0) return '[]'
  checkNesting(depth)
  const width = String(list.length - 1).length
  const blanks = ' '.repeat(column)
  const items = list.map(
    (item, i) => `${blanks}[${String(i).padStart(width)}] ${valueText(item, column + indent, depth + 1)}`,
  )
  return `[\n${items.join(',\n')}\n${' '.repeat(column - indent)}]`
}

function valueText(value: Value, column: number, depth: number): string {
  switch (typeof value) {
    case 'string':
      return stringText(value)
    case 'number':
      return Number.isInteger(value) ? String(value) : rubyFloat(value)
    case 'object':
      if (value === null) return 'nil'
      if (value instanceof Timestamp) return value.toString()
      if (value instanceof LsFloat) return rubyFloat(value.value)
      return Array.isArray(value) ? listText(value, column, depth) : hashText(members(value), column, depth)
    default:
      return String(value)
  }
}

function stringText(text: string): string {
  return plainText.test(text) ? `"${text}"` : inspectString(text)
}

/** Characters, with surrogate pairs as one. */
function visibleLength(text: string): number {
  let pairs = 0
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xdc00) pairs++
  return text.length - pairs
}
