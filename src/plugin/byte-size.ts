/**
 * Sizes such as `10 KiB` (1024) and `5mb` (1000), or a plain number of bytes in any notation that
 * Ruby's `Integer()` reads.
 */
const binary = /^([\d,.]+)?\s?(?:([kmgtpezy])i)?b?$/i
const decimal = /^([\d,.]+)?\s?([kmgtpezy]?)b?$/i
const prefixes = 'kmgtpezy'

/** The number of bytes, or undefined when the text is no size. */
export function parseByteSize(text: string): number | undefined {
  const plain = rubyInteger(text)
  if (plain !== undefined) return plain
  if (text.length > 64) return undefined
  const inBinary = binary.exec(text)
  const match = inBinary ?? decimal.exec(text)
  if (match === null) return undefined
  const power = match[2] ? prefixes.indexOf(match[2].toLowerCase()) + 1 : 0
  const size = Number.parseFloat(match[1] ?? '0')
  return Number.isNaN(size) ? 0 : Math.trunc(size * (inBinary ? 1024 : 1000) ** power)
}

/** `Integer("0x1f")`, `Integer("1_000")`, `Integer("010")` of Ruby; undefined where it raises. */
function rubyInteger(text: string): number | undefined {
  const match = /^\s*([+-]?)(0x|0b|0o|0)?([0-9a-f]+(?:_[0-9a-f]+)*)\s*$/i.exec(text.slice(0, 400))
  if (match === null || text.length > 400) return /^\s*[+-]?0\s*$/.test(text) ? 0 : undefined
  const base = { '0x': 16, '0b': 2, '0o': 8, '0': 8 }[(match[2] ?? '').toLowerCase()] ?? 10
  const digits = match[3]!.replaceAll('_', '')
  const allowed = { 16: /^[0-9a-f]+$/i, 10: /^[0-9]+$/, 8: /^[0-7]+$/, 2: /^[01]+$/ }[base]!
  if (!allowed.test(digits)) return undefined
  const size = Number.parseInt(digits, base)
  return match[1] === '-' ? -size : size
}
