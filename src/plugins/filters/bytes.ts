/**
 * bytes: sizes like `1.5 GB` as a number of bytes.
 */
import { integer, type Value } from '../../event/value.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { leadingNumber } from '../ruby-values/number.ts'
import { rubyText } from '../ruby-values/text.ts'

/** The line that is a size: digits in groups, a unit, a b. */
const size = /(?<![^\n])([0-9 _,.]*)[ \t\r\n\f\v]*([kmgtpe]?)b?(?![^\n])/i
const units = 'kmgtpe'
/** No size is longer; expressions are not tried on whole documents. */
const maxLength = 200

export default defineFilter({
  name: 'bytes',
  oneToOne: true,
  summary: 'Reads sizes like 1.5 GB as numbers of bytes.',
  description:
    'Units (k, m, g, t, p, e, each with or without a b) may be written in any case. Numbers without a unit are ' +
    'bytes; parts of a byte are rounded. Blanks, `_`, `,` and `.` may group digits, except the one before decimals.',
  options: {
    source: option.string({ default: 'message', doc: 'The field with the size.' }),
    target: option.string({ doc: 'Field for the number; the source itself unless given.' }),
    conversion_method: option.oneOf(['binary', 'metric'], {
      default: 'binary',
      doc: 'Whether a kilobyte has 1024 bytes or 1000.',
    }),
    decimal_separator: option.oneOf(['.', ','], { default: '.', doc: 'The character before decimals.' }),
    tag_on_failure: option.array({
      default: ['_bytesparsefailure'],
      doc: 'Tags for events whose field is no size.',
    }),
  },
  examples: [
    {
      title: 'Binary and metric',
      config: 'bytes { source => "size" target => "bytes" }',
      in: [{ size: '1.5 KB' }, { size: '40' }, { size: 'much' }],
      out: [
        { size: '1.5 KB', bytes: 1536 },
        { size: '40', bytes: 40 },
        { size: 'much', tags: ['_bytesparsefailure'] },
      ],
    },
    {
      title: 'A decimal comma',
      config: 'bytes { source => "size" conversion_method => "metric" decimal_separator => "," }',
      in: { size: '1,5 MB' },
      out: { size: 1500000 },
    },
  ],
  create({ options, compile }) {
    const { source, target, conversion_method, decimal_separator } = options
    const get = compile.get(source)
    const set = compile.set(target ?? source)
    const base = conversion_method === 'binary' ? 1024 : 1000
    const failureTags = options.tag_on_failure.map(rubyText)
    return {
      filter(event) {
        const value = get(event)
        const bytes =
          value === undefined || value === null ? undefined : bytesOf(value, base, decimal_separator)
        if (bytes === undefined) {
          for (const tag of failureTags) event.tag(tag)
          return false
        }
        set(event, bytes)
        return true
      },
    }
  },
})

function bytesOf(value: Value, base: number, separator: string): Value | undefined {
  const text = rubyText(value).trim()
  if (text.length > maxLength) return undefined
  const [, digits = '', unit = ''] = size.exec(text) ?? []
  const number = digits.replace(separator === '.' ? /[^0-9.]/g : /[^0-9,]/g, '').replaceAll(',', '.')
  // Logstash looks for a second separator after it has made points of commas, so commas may come again.
  if (number === '' || (separator === '.' && number.indexOf('.') !== number.lastIndexOf('.')))
    return undefined
  const bytes = leadingNumber(number) * base ** (units.indexOf(unit.toLowerCase()) + (unit === '' ? 0 : 1))
  if (!Number.isFinite(bytes)) return undefined
  const whole = Math.floor(bytes)
  return integer(BigInt(bytes - whole < 0.5 ? whole : whole + 1))
}
