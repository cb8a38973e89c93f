/**
 * urldecode: `%41` becomes `A`, in a field or in all of them, inside of lists and maps too. A plus sign is
 * no blank. The common options apply whether decoding failed or not, as in Logstash.
 */

import { checkNesting } from '../../event/nesting.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { utf8Text } from '../../event/utf8-text.ts'
import {
  type Fields,
  fieldNames,
  isFields,
  LsFloat,
  putField,
  readField,
  type Value,
} from '../../event/value.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { bytesToText, charsetNames } from '../decoding/charset.ts'
import { rubyText } from '../ruby-values/text.ts'

const encoded = /%[0-9a-fA-F]{2}/

export default defineFilter({
  name: 'urldecode',
  oneToOne: true,
  summary: 'Decodes the %-encoding of URLs.',
  options: {
    field: option.string({ default: 'message', doc: 'The field to decode.' }),
    all_fields: option.boolean({ default: false, doc: 'Whether to decode all fields of the event instead.' }),
    charset: option.oneOf(charsetNames, {
      default: 'UTF-8',
      doc: 'Character encoding of the decoded bytes.',
    }),
    tag_on_failure: option.array({
      default: ['_urldecodefailure'],
      doc: 'Tags for events that could not be decoded.',
    }),
  },
  examples: [
    {
      title: 'A path',
      config: 'urldecode { field => "path" }',
      in: { path: '/a%20b+c/%C3%A9' },
      out: { path: '/a b+c/é' },
    },
  ],
  create({ options, compile, logger }) {
    const { field, all_fields } = options
    const decode = compileDecode(options.charset)
    // With another character encoding, characters that are not encoded are read as bytes of it, too.
    const affected = options.charset === 'UTF-8' ? encoded : /%[0-9a-fA-F]{2}|[^\0-\x7f]/
    const isAffected = (text: string): boolean => affected.test(text)
    const get = compile.get(field)
    const set = compile.set(field)
    const failureTags = options.tag_on_failure.map(rubyText)

    function decodeDeep(value: Value, depth: number): Value {
      if (typeof value === 'string') return isAffected(value) ? decode(value) : value
      checkNesting(depth)
      if (Array.isArray(value)) return value.map((item) => decodeDeep(item, depth + 1))
      if (typeof value !== 'object' || value === null) return value
      if (value instanceof Timestamp || value instanceof LsFloat || !isFields(value)) return value
      return decodeFields(value, depth + 1)
    }

    function decodeFields(fields: Fields, depth: number): Fields {
      const result: Fields = {}
      for (const name of fieldNames(fields))
        putField(result, name, decodeDeep(readField(fields, name)!, depth))
      return result
    }

    return {
      filter(event) {
        try {
          if (all_fields) {
            event.data = decodeFields(event.data, 0)
            event.raw = null
          } else {
            set(event, decodeDeep(get(event) ?? null, 0))
          }
        } catch (exception) {
          logger.error('Unable to decode', { exception })
          for (const tag of failureTags) event.tag(tag)
        }
        return true
      },
    }
  },
})

function compileDecode(charset: string): (text: string) => string {
  const toText = bytesToText(charset)
  return (text) => {
    const bytes = percentDecoded(text)
    return toText === undefined ? utf8Text(bytes) : toText(bytes)
  }
}

function percentDecoded(text: string): Buffer {
  const bytes = Buffer.from(text)
  let length = 0
  for (let at = 0; at < bytes.length; at++, length++) {
    const high = bytes[at] === 0x25 ? hexDigit(bytes[at + 1]) : -1
    const low = high < 0 ? -1 : hexDigit(bytes[at + 2])
    if (low < 0) bytes[length] = bytes[at]!
    else {
      bytes[length] = high * 16 + low
      at += 2
    }
  }
  return bytes.subarray(0, length)
}

function hexDigit(code: number | undefined): number {
  if (code === undefined) return -1
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = (code | 0x20) - 0x61
  return letter >= 0 && letter < 6 ? letter + 10 : -1
}
