import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filterFor, runFilter, type TestOptions } from '../../plugin/testing.ts'
import { parseXml } from '../xml/parse.ts'
import { nodeText } from '../xml/write.ts'
import { compileXPath } from '../xml/xpath.ts'
import xml from './xml.ts'

async function store(text: string, options: TestOptions = {}) {
  const [fields] = await runFilter(xml, { source: 'x', target: 't', ...options }, [{ x: text }])
  return fields?.['tags'] ?? fields?.['t']
}

async function select(text: string, expression: string, options: TestOptions = {}) {
  const all = { source: 'x', store_xml: false, xpath: { [expression]: 'r' }, ...options }
  const [fields] = await runFilter(xml, all, [{ x: text }])
  return fields?.['tags'] ?? fields?.['r']
}

describe('a stored document', () => {
  it.each<[string, unknown]>([
    ['<foo><key>value</key></foo>', { key: ['value'] }],
    ['<foo><a>1</a><a>2</a></foo>', { a: ['1', '2'] }],
    ['<foo key="value"><a/></foo>', { key: 'value', a: [null] }],
    ['<foo><a/><b> </b><c>x</c></foo>', { c: ['x'] }],
    ['<foo><a b="c">text</a></foo>', { a: [{ b: 'c', content: 'text' }] }],
    ['<foo><a b="c"/></foo>', { a: [{ b: 'c' }] }],
    ['<foo><n:a xmlns:n="u">1</n:a></foo>', { a: [{ 'xmlns:n': 'u', content: '1' }] }],
    [
      '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "y">]><!-- c --><a><b>1 &lt; 2 &#65;&#x42;</b></a>',
      { b: ['1 < 2 AB'] },
    ],
    ['<a><b><![CDATA[<raw> & ]]></b></a>', { b: ['<raw> & '] }],
    ['<a>text</a>', 'text'],
    // What XmlSimple 1.1.9 gives.
    ['<a x="1"> </a>', { x: '1', content: ' ' }],
    ['<a x="1"><b> </b></a>', { x: '1', b: [{}] }],
    ['<a content="1">2</a>', { content: ['1', '2'] }],
    ['<a x="1"><content y="2"/></a>', { x: '1', content: { y: '2' } }],
    ['<a>&#65; &lt;<b>1</b></a>', { b: ['1'], content: '&#65; &lt;' }],
    ['<a>x<b>1</b>y</a>', { b: ['1'], content: ['x', 'y'] }],
    ['<a><__proto__>1</__proto__></a>', JSON.parse('{"__proto__":["1"]}')],
  ])('%s', async (text, expected) => {
    expect(await store(text)).toEqual(expected)
  })

  it('has other shapes', async () => {
    const text = '<foo><a>1</a><b/></foo>'
    expect(await store(text, { force_array: false })).toEqual({ a: '1' })
    expect(await store(text, { force_content: true })).toEqual({ a: [{ content: '1' }] })
    expect(await store(text, { suppress_empty: false })).toEqual({ a: ['1'], b: [{}] })
  })

  it.each([
    '<a>',
    '<a></b>',
    '<a><b></a></b>',
    'text',
    '<a/><b/>',
    '<a b></a>',
    '<a b=c/>',
    '<a b="1" b="2"/>',
    '<a b="<"/>',
    '<a>&</a>',
    '<a>1 & 2</a>',
    '<!-- only -->',
    '<a',
    `${'<a>'.repeat(5000)}`,
  ])('cannot be %s', async (text) => {
    expect(await store(text)).toEqual(['_xmlparsefailure'])
  })

  it('comes from one text', async () => {
    const tags = ['_xmlparsefailure']
    const events = [{ x: ['<a>1</a>'] }, { x: ['<a/>', '<b/>'] }, { x: 5 }, { x: '' }, { x: '  ' }, { y: 1 }]
    expect(await runFilter(xml, { source: 'x', target: 't', add_tag: ['ok'] }, events)).toEqual([
      { x: ['<a>1</a>'], t: '1', tags: ['ok'] },
      { x: ['<a/>', '<b/>'], tags },
      { x: 5, tags },
      { x: '' },
      { x: '  ' },
      { y: 1 },
    ])
    expect(() => filterFor(xml, { source: 'x' })).toThrow("'target' must also be set")
  })
})

describe('an expression', () => {
  const text =
    '<r a="1"><x id="p"><y>one</y><y>two &amp; 3</y></x><x id="q"><y>three</y><z/></x><w><![CDATA[c]]></w></r>'

  it.each<[string, unknown]>([
    ['/r/@a', ['1']],
    ['//y/text()', ['one', 'two &amp; 3', 'three']],
    ['/r/x/y[1]/text()', ['one', 'three']],
    ['(//y)[2]/text()', ['two &amp; 3']],
    ['/r/x[@id="q"]/y', ['<y>three</y>']],
    ["//x[y='one']/@id", ['p']],
    ['//x[last()]/@id', ['q']],
    ['//x[position()=1 or @id="q"]/@id', ['p', 'q']],
    ['//x[not(z)]/@id', ['p']],
    ['//x[contains(y, "hre")]/@id', ['q']],
    ['//x[count(y) > 1]/@id', ['p']],
    ['//z/..', ['<x id="q">\n  <y>three</y>\n  <z/>\n</x>']],
    ['//z/preceding-sibling::y/text()', ['three']],
    ['//*[@id]/@id', ['p', 'q']],
    ['//x/@*', ['p', 'q']],
    ['/r/w/text()', ['<![CDATA[c]]>']],
    ['name(/*)', ['r']],
    ['string(/r/w)', ['c']],
    ['count(//y)', ['3.0']],
    ['concat(//x[1]/@id, "-", substring("abcd", 2, 2))', ['p-bc']],
    ['//y | //z', ['<y>one</y>', '<y>two &amp; 3</y>', '<y>three</y>', '<z/>']],
    ['/r/nothing', undefined],
    ['descendant::y[2]/text()', ['two &amp; 3']],
  ])('%s', async (expression, expected) => {
    expect(await select(text, expression)).toEqual(expected)
  })

  it('gives a single text when asked', async () => {
    expect(await select(text, '/r/@a', { force_array: false })).toBe('1')
    expect(await select(text, '//x/@id', { force_array: false })).toEqual(['p', 'q'])
  })

  it('knows namespaces, or forgets them', async () => {
    const spaced = '<r xmlns="u" xmlns:n="v"><a>1</a><n:a>2</n:a></r>'
    expect(await select(spaced, '//a')).toBeUndefined()
    expect(await select(spaced, '//n:a/text()')).toEqual(['2'])
    expect(await select(spaced, '//k:a/text()', { namespaces: { k: 'u' } })).toEqual(['1'])
    expect(await select(spaced, '//a/text()', { remove_namespaces: true })).toEqual(['1', '2'])
  })

  it('works on what can be read, unless strict', async () => {
    expect(await select('<a><b>1</b><c>', '//b/text()')).toEqual(['1'])
    expect(await select('<a><b>1</b><c>', '//b/text()', { parse_options: 'strict' })).toEqual([
      '_xmlparsefailure',
    ])
  })

  it.each(['//', '/a[', 'foo(', '/a/b]', '@@', 'unknown(1)', "'a", 'strange::a'])(
    'cannot be %s',
    (expression) => {
      expect(() => compileXPath(expression)).toThrow(`Invalid expression: ${expression}`)
    },
  )
})

describe('the parser', () => {
  it('survives any text', () => {
    const pieces = fc.constantFrom(
      '<',
      '>',
      '/',
      'a',
      ' ',
      '="',
      '"',
      '&',
      ';',
      '<![CDATA[',
      ']]>',
      '<!--',
      '-->',
      '<?',
      '<!D',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (list) => {
        parseXml(list.join(''), true)
        try {
          parseXml(list.join(''))
        } catch (error) {
          expect((error as Error).name).toBe('XmlError')
        }
      }),
    )
  })

  it('reads what is written', () => {
    const value = fc
      .string({ minLength: 1 })
      .filter((text) => !/[\0-\x1f\ud800-\udfff\ufffe\uffff]/.test(text))
    fc.assert(
      fc.property(value, value, (text, attribute) => {
        const root = parseXml('<a b=""/>')!
        const made = { ...root, children: [{ kind: 'text' as const, text, parent: undefined, order: 2 }] }
        made.attributes[0] = { ...root.attributes[0]!, text: attribute }
        const read = parseXml(nodeText(made))!
        expect(read.attributes[0]!.text).toBe(attribute)
        expect(read.children).toMatchObject([{ text }])
      }),
    )
  })
})
