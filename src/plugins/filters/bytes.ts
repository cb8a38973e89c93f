/**
 * bytes: sizes like `1.5 GB` as a number of bytes.
 */
import { integer, type Value } from '../../event/value.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { rubyText } from '../ruby-values/text.ts'

const units = 'kmgtpezy'
const size = /^([\d.,'_\s]*\d)\s*(?:([kmgtpezy])(i)?)?(?:b|bytes?)?$/i

export default defineFilter({
  name: 'bytes',
  oneToOne: true,
  summary: 'Reads sizes like 1.5 GB as numbers of bytes.',
  description:
    'Units may be written in any case. Whole numbers without a unit are bytes; parts of a byte are cut off.',
  options: {
    source: option.string({ default: 'message', doc: 'The field with the size.' }),
    target: option.string({ doc: 'Field for the number; the source itself unless given.' }),
    conversion_method: option.oneOf(['binary', 'metric'], {
      default: 'binary',
      doc: 'Whether a kilobyte has 1024 bytes or 1000. A KiB has 1024 in any case.',
    }),
    decimal_separator: option.string({ default: '.', doc: 'The character before decimals.' }),
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
  create({ options, compile, logger }) {
    const { source, target, conversion_method, decimal_separator } = options
    const get = compile.get(source)
    const set = compile.set(target ?? source)
    const failureTags = options.tag_on_failure.map(rubyText)
    return {
      filter(event) {
        const value = get(event)
        if (value === undefined || value === null) return false
        const bytes = bytesOf(value, conversion_method === 'binary' ? 1024 : 1000, decimal_separator)
        if (bytes === undefined) {
          logger.warn('Could not parse a size', { field: source, value })
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
  if (text.length > 100) return undefined
  const [, digits, unit, binary] = size.exec(text) ?? []
  if (digits === undefined) return undefined
  const parts = digits.split(separator)
  if (parts.length > 2) return undefined
  const [whole = '', fraction = ''] = parts.map((part) => part.replace(/[^\d]/g, ''))
  const exponent = unit === undefined ? 0 : units.indexOf(unit.toLowerCase()) + 1
  const factor = BigInt(binary === undefined ? base : 1024) ** BigInt(exponent)
  const scaled = (BigInt(whole + fraction || '0') * factor) / 10n ** BigInt(fraction.length)
  return integer(scaled)
}
