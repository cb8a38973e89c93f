/**
 * logfmt: lines of `key=value` as Go and Heroku programs write them. Values may be quoted with backslash
 * escapes, numbers become numbers, and a key without a value is true.
 */
import { type Fields, float, integer, putField, type Value } from '../../event/value.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { rubyText } from '../ruby-values/text.ts'
import { setDynamic } from '../values/dynamic-field.ts'

export default defineFilter({
  name: 'logfmt',
  oneToOne: true,
  summary: 'Parses lines in logfmt.',
  options: {
    source: option.string({ default: 'message', doc: 'The field with the line.' }),
    target: option.fieldReference({ doc: 'Field for the pairs. Unless given, the event itself.' }),
    remove_source: option.boolean({ default: false, doc: 'Whether to remove the source once it is parsed.' }),
    tag_on_failure: option.array({
      default: ['_logfmtparsefailure'],
      doc: 'Tags for events whose source could not be parsed.',
    }),
  },
  examples: [
    {
      title: 'A line',
      config: 'logfmt { remove_source => true }',
      in: { message: 'at=info msg="hello \\"you\\"" took=1.5 code=200 debug' },
      out: { at: 'info', msg: 'hello "you"', took: 1.5, code: 200, debug: true },
    },
  ],
  create({ options, compile, logger }) {
    const { source, target, remove_source } = options
    const get = compile.get(source)
    const set = target === undefined ? undefined : compile.set(target)
    const remove = compile.remove(source)
    const failureTags = options.tag_on_failure.map(rubyText)
    return {
      filter(event) {
        const line = get(event)
        if (line === undefined || line === null) return false
        try {
          if (typeof line !== 'string') throw new TypeError('no text')
          const pairs = parseLogfmt(line)
          if (remove_source) remove(event)
          if (set === undefined) for (const [key, value] of pairs) setDynamic(event, key, value)
          else set(event, fieldsOf(pairs))
          return true
        } catch (exception) {
          logger.warn('Error parsing logfmt', { source, exception })
          for (const tag of failureTags) event.tag(tag)
          return false
        }
      },
    }
  },
})

function fieldsOf(pairs: readonly (readonly [string, Value])[]): Fields {
  const fields: Fields = {}
  for (const [key, value] of pairs) putField(fields, key, value)
  return fields
}

const maxDigits = 400

/** Groups: key, quoted value, plain value. */
const pair = /([^\s="]+)(?:=(?:"((?:[^"\\]|\\.)*)"|([^\s"=][^\s"]*)?))?/gs

export function parseLogfmt(line: string): [string, Value][] {
  const pairs: [string, Value][] = []
  pair.lastIndex = 0
  for (let found = pair.exec(line); found !== null; found = pair.exec(line)) {
    const [, key = '', quoted, plain] = found
    if (quoted !== undefined) pairs.push([key, quoted.replace(/\\(.)/gs, unescaped)])
    // A key without a value is true, whether `=` stands behind it or not.
    else pairs.push([key, plain === undefined ? true : plainValue(plain)])
  }
  return pairs
}

function unescaped(_: string, character: string): string {
  return character === 'n' ? '\n' : character === 't' ? '\t' : character === 'r' ? '\r' : character
}

function plainValue(text: string): Value {
  if (text.length > maxDigits) return text
  if (/^[-+]?\d+$/.test(text)) return integer(BigInt(text.replace('+', '')))
  return /^[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?$/.test(text) ? float(Number(text)) : text
}
