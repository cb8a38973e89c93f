/** Documents stored by the xml filter beside what Ruby's XmlSimple makes of them: random ones, under all options. */
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { parseXml } from '../../../src/plugins/xml/parse.ts'
import { simpleValue } from '../../../src/plugins/xml/simple.ts'

interface Sample {
  readonly xml: string
  readonly force_array: boolean
  readonly force_content: boolean
  readonly suppress_empty: boolean
}

const program = `
require 'xmlsimple'; require 'json'
puts JSON.generate(JSON.parse(STDIN.read).map { |d|
  options = { 'ForceArray' => d['force_array'], 'ForceContent' => d['force_content'] }
  options['SuppressEmpty'] = true if d['suppress_empty']
  begin
    XmlSimple.xml_in(d['xml'], options)
  rescue StandardError
    'refused'
  end
})`

const texts = [
  ...['x', ' ', '\n  ', 'a &amp; b', 'é', '&lt;t&gt;', '  pad  ', '<![CDATA[c <d>]]>', '&#65;', '<!-- c -->'],
  ...['<?pi x?>', '&quot;q&apos;', '&unknown;', 'a]]b'],
]

/** Random documents from a seed. */
function samples(count: number, seed: number): Sample[] {
  let state = seed
  const next = (bound: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    state ^= state >>> 13
    return (state >>> 0) % bound
  }
  const pick = <T>(list: readonly T[]): T => list[next(list.length)]!
  const element = (depth: number): string => {
    const name = pick(['a', 'b', 'c', 'n:d', 'content', 'item'])
    const attributes = new Map(
      Array.from({ length: next(3) }, () => [
        pick(['x', 'y', 'n:z', 'content']),
        pick(['"v"', "'w'", '""', '"a &amp; b"', '" s "']),
      ]),
    )
    if (depth === 0) attributes.set('xmlns:n', '"u"')
    const head = [name, ...[...attributes].map((pair) => pair.join('='))].join(' ')
    if (next(5) === 0) return `<${head}/>`
    const parts = Array.from({ length: next(4) }, () =>
      depth > 3 || next(2) === 0 ? pick(texts) : element(depth + 1),
    )
    return `<${head}>${parts.join('')}</${name}>`
  }
  return Array.from({ length: count }, () => {
    const whole = element(0)
    const xml = next(12) === 0 ? whole.slice(0, next(whole.length)) : whole
    const options = {
      force_array: next(2) === 0,
      force_content: next(3) === 0,
      suppress_empty: next(2) === 0,
    }
    return { xml, ...options }
  })
}

function stored(sample: Sample): unknown {
  try {
    return JSON.parse(JSON.stringify(simpleValue(parseXml(sample.xml)!, sample)))
  } catch {
    return 'refused'
  }
}

describe('xml filter', () => {
  it('stores 2,000 random documents as XmlSimple does', () => {
    const given = samples(2000, 7).filter(({ xml }) => xml.trim() !== '')
    const output = execFileSync('ruby', ['-e', program], { input: JSON.stringify(given), maxBuffer: 1 << 28 })
    const theirs = JSON.parse(output.toString('utf8')) as unknown[]
    for (const [index, sample] of given.entries())
      expect(stored(sample), JSON.stringify(sample)).toEqual(theirs[index])
  })
})
