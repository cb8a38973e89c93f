/** What expressions select, beside Nokogiri: random documents with namespaces, under many kinds of expressions. */
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { runFilter } from '../../../src/plugin/testing.ts'
import xml from '../../../src/plugins/filters/xml.ts'

interface Sample {
  readonly xml: string
  readonly xpath: string
  readonly namespaces: Readonly<Record<string, string>>
  readonly remove: boolean
  readonly parseOptions: string
}

const program = `
require 'nokogiri'; require 'json'
puts JSON.generate(JSON.parse(STDIN.read).map { |d|
  begin
    flags = d['parseOptions'] == '' ? Nokogiri::XML::ParseOptions::DEFAULT_XML :
      d['parseOptions'].split(/,|\\|/).map { |o| Nokogiri::XML::ParseOptions.const_get(o.strip.tr('_', '').upcase) }.inject(0, :|)
    doc = Nokogiri::XML::Document.parse(d['xml'], nil, 'UTF-8', flags)
    doc.remove_namespaces! if d['remove']
    found = d['namespaces'].empty? ? doc.xpath(d['xpath']) : doc.xpath(d['xpath'], d['namespaces'])
    found = found.kind_of?(Nokogiri::XML::NodeSet) ? found.to_a : [found]
    found.select { |one| one }.map(&:to_s)
  rescue StandardError
    'refused'
  end
})`

const tests = ['a', 'b', 'c', 'item', '*', 'n:d', 'n:*', 'm:a', 'text()', 'node()', 'comment()', 'xmlns:a']
const predicates = [
  ...['1', '2', 'last()', 'position() > 1', 'position() = last()', '@x', '@x = "v"', '@n:z', 'a', 'text()'],
  ...['not(@x)', 'contains(., "x")', 'starts-with(name(), "a")', 'string-length(.) > 2', 'count(*) = 1'],
  ...['@x = "v" or @y', '@x and @y', '. = "x"', 'number(.) > 3', 'normalize-space(.) = "pad"', 'b = c'],
  ...['@x != "v"', 'local-name() = "d"', 'position() mod 2 = 1', 'last() - 1', 'true()', 'false()'],
]
const axes = [
  ...['', 'child::', 'descendant::', 'descendant-or-self::', 'parent::', 'ancestor::', 'self::'],
  ...['following-sibling::', 'preceding-sibling::', 'following::', 'preceding::', 'ancestor-or-self::'],
]
const wholes = [
  ...['count(//*)', 'count(//a) + 1', 'name(/*)', 'local-name(/*)', 'namespace-uri(/*)', 'string(//a)'],
  ...['string(/*)', 'sum(//b)', 'boolean(//a)', 'not(//a)', 'count(//a) > 1', 'concat(name(/*), "-", //b)'],
  ...[
    'substring("12345", 2)',
    'substring("12345", 2, 3)',
    'substring("12345", 1.5, 2.6)',
    '1 div 0',
    '-1 div 0',
  ],
  ...[
    'substring-before("a-b", "-")',
    'substring-after("a-b", "-")',
    'translate("bar", "abc", "AB")',
    '0 div 0',
  ],
  ...['floor(2.6)', 'ceiling(2.2)', 'round(2.5)', 'round(-2.5)', '5 mod 2', '-5 mod 2', '1.5 + 1', '2 * 3'],
  ...['string(1 div 3)', 'string(1000000)', 'string(0.1)', 'string(true())', 'number("12")', 'number("x")'],
  ...[
    '//a | //b',
    '//@x',
    '//@*',
    '/',
    '/*',
    '//a/..',
    '//a/@x',
    '(//a)[1]',
    '(//a | //b)[last()]',
    '.',
    '//.',
  ],
  ...[
    '//text()',
    '//comment()',
    '/descendant::a[2]',
    '//a[1][@x]',
    '//*[self::a or self::b]',
    '//processing-instruction()',
  ],
  ...[
    'normalize-space("  a   b ")',
    'string-length("abc")',
    'lang("en")',
    'id("x")',
    '//*[@*]',
    '1 = 1',
    '"a" = //a',
  ],
  ...[
    '//a = //b',
    '//a != //b',
    '//a > 1',
    '-//b',
    '- 1',
    '1 - -1',
    'string(-0)',
    '1000000000000 * 10000000',
  ],
  ...[
    '/*/*[2]/preceding-sibling::*',
    '/*/*[last()]/preceding::*[1]',
    '//q:a',
    'foo(',
    '//[',
    'unknown(1)',
    '//a[',
    '',
  ],
]

/** Random samples from a seed. */
function samples(count: number, seed: number): Sample[] {
  let state = seed
  const next = (bound: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    state ^= state >>> 13
    return (state >>> 0) % bound
  }
  const pick = <T>(list: readonly T[]): T => list[next(list.length)]!
  const texts = [
    'x',
    ' ',
    '\n  ',
    'a &amp; b',
    'é',
    '&lt;t&gt;',
    '  pad  ',
    '<![CDATA[c <d>]]>',
    '&#65;',
    '12',
    '3.5',
  ]
  const element = (depth: number): string => {
    const name = pick(['a', 'b', 'c', 'n:d', 'm:a', 'item'])
    const attributes = new Map(
      Array.from({ length: next(3) }, () => [
        pick(['x', 'y', 'n:z']),
        pick(['"v"', "'w'", '""', '"a &amp; b"', '" s "', '"&#10;&quot;&lt;"']),
      ]),
    )
    if (depth === 0) {
      attributes.set('xmlns:n', '"u"')
      attributes.set('xmlns:m', '"w"')
      if (next(4) === 0) attributes.set('xmlns', '"dflt"')
    } else if (next(12) === 0) attributes.set('xmlns', pick(['"u"', '""']))
    const head = [name, ...[...attributes].map((pair) => pair.join('='))].join(' ')
    if (next(5) === 0) return `<${head}/>`
    const parts = Array.from({ length: next(5) }, () =>
      depth > 3 || next(2) === 0 ? pick([...texts, '<!-- c -->', '<?pi x?>']) : element(depth + 1),
    )
    return `<${head}>${parts.join('')}</${name}>`
  }
  const step = (): string =>
    `${pick(axes)}${pick(tests)}${next(3) === 0 ? `[${pick(predicates)}]` : ''}${next(8) === 0 ? `[${pick(predicates)}]` : ''}`
  const path = (): string =>
    `${pick(['/', '//', ''])}${Array.from({ length: 1 + next(3) }, step).join(pick(['/', '//', '/']))}`
  return Array.from({ length: count }, () => {
    const declaration = pick(['', '', '<?xml version="1.0"?>\n', '<!-- before -->', '<!DOCTYPE a>\n'])
    const whole = `${declaration}${element(0)}`
    const isBroken = next(25) === 0
    return {
      xml: isBroken ? whole.slice(0, next(whole.length)) : whole,
      xpath: next(3) === 0 ? pick(wholes) : path(),
      namespaces: next(5) === 0 ? pick([{ n: 'u' }, { m: 'u', n: 'w' }, { xmlns: 'dflt' }]) : {},
      remove: next(5) === 0,
      parseOptions: isBroken ? 'strict' : pick(['', '', 'strict', 'no_error|no_warning', 'recover,no_net']),
    }
  })
}

async function selected({ xml: text, xpath, namespaces, remove, parseOptions }: Sample): Promise<unknown> {
  try {
    const options = {
      source: 'x',
      store_xml: false,
      xpath: { [xpath]: 'r' },
      namespaces,
      remove_namespaces: remove,
    }
    const strict = parseOptions === '' ? {} : { parse_options: parseOptions }
    const [fields] = await runFilter(xml, { ...options, ...strict }, [{ x: text }])
    return fields?.['tags'] === undefined ? (fields?.['r'] ?? []) : 'refused'
  } catch {
    return 'refused'
  }
}

const count = Number(process.env['MILLRACE_COUNT'] ?? 4000)

describe('xml filter', () => {
  it('selects what Nokogiri selects', async () => {
    const given = samples(count, 11).filter(({ xml: text }) => text.trim() !== '')
    const output = execFileSync('ruby', ['-e', program], { input: JSON.stringify(given), maxBuffer: 1 << 28 })
    const theirs = JSON.parse(output.toString('utf8')) as unknown[]
    const differences: string[] = []
    for (const [index, sample] of given.entries()) {
      const ours = JSON.stringify(await selected(sample))
      const expected = JSON.stringify(theirs[index])
      if (ours !== expected)
        differences.push(`${JSON.stringify(sample)}\n  Nokogiri ${expected}\n  here     ${ours}`)
    }
    console.log(`${given.length - differences.length} of ${given.length} expressions select the same`)
    expect(differences.slice(0, 20).join('\n')).toBe('')
  })
})
