/**
 * truncate: cuts texts that are longer than a number of bytes of UTF-8, never inside of a character. Texts in
 * lists and maps are cut too.
 */
import { isUtf8 } from 'node:buffer'
import type { Event } from '../../event/event.ts'
import { checkNesting } from '../../event/nesting.ts'
import { type Fields, fieldNames, isFields, putField, readField, type Value } from '../../event/value.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { rubyText } from '../ruby-values/text.ts'

export default defineFilter({
  name: 'truncate',
  oneToOne: true,
  summary: 'Cuts texts that are longer than a number of bytes.',
  options: {
    length_bytes: option.number({ required: true, doc: 'Longest text to keep, in bytes of UTF-8.' }),
    fields: option.array({ names: 'items', doc: 'The fields to cut; all of them unless given.' }),
  },
  examples: [
    {
      title: 'Short messages',
      config: 'truncate { fields => ["message", "list"] length_bytes => 4 add_tag => ["cut"] }',
      in: [{ message: 'hello', list: ['äöü', 'a'] }, { message: 'hi' }],
      out: [{ message: 'hell', list: ['äö', 'a'], tags: ['cut'] }, { message: 'hi' }],
    },
  ],
  create({ options: { length_bytes, fields }, compile }) {
    const length = Math.max(0, Math.floor(length_bytes))
    const places = fields?.map((field) => {
      const name = rubyText(field)
      return { get: compile.get(name), set: compile.set(name) }
    })

    function cutAll(event: Event): boolean {
      const cut = shortened(event.data, length, 0)
      if (cut === event.data) return false
      event.raw = null
      event.data = cut as Fields
      return true
    }

    return {
      filter(event) {
        if (places === undefined) return cutAll(event)
        let changed = false
        for (const { get, set } of places) {
          const value = get(event)
          if (value === undefined) continue
          const cut = shortened(value, length, 0)
          if (cut === value) continue
          set(event, cut)
          changed = true
        }
        return changed
      },
    }
  },
})

/** The value itself when nothing in it is too long. */
function shortened(value: Value, length: number, depth: number): Value {
  if (typeof value === 'string') return cutText(value, length)
  checkNesting(depth)
  if (Array.isArray(value)) {
    const items = value.map((item) => shortened(item, length, depth + 1))
    return items.some((item, i) => item !== value[i]) ? items : value
  }
  if (typeof value !== 'object' || value === null || !isFields(value)) return value
  const result: Fields = {}
  let changed = false
  for (const name of fieldNames(value)) {
    const old = readField(value, name)!
    const cut = shortened(old, length, depth + 1)
    if (cut !== old) changed = true
    putField(result, name, cut)
  }
  return changed ? result : value
}

/** A text needs at most three bytes per UTF-16 unit, and at least one. */
function cutText(text: string, length: number): string {
  if (text.length * 3 <= length || Buffer.byteLength(text) <= length) return text
  const bytes = Buffer.from(text.slice(0, length))
  let end = Math.min(length, bytes.length)
  // Bytes 10xxxxxx continue a character.
  while (end > 0 && end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end -= 1
  const cut = bytes.subarray(0, end)
  return isUtf8(cut) ? cut.toString('utf8') : cut.toString('utf8').replace(/\ufffd+$/, '')
}
