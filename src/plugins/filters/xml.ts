/**
 * xml: a document as nested fields, and parts of it that XPath expressions select. The two are independent:
 * expressions work on what can be read of a broken document, storing it wants it well-formed.
 */
import type { Event } from '../../event/event.ts'
import { float, type Value } from '../../event/value.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { rubyClass, rubyText } from '../ruby-values/text.ts'
import { refuseToRegister } from '../values/register-refusal.ts'
import { parseDocument, parseXml, removeNamespaces, type XmlDocument } from '../xml/parse.ts'
import { simpleValue } from '../xml/simple.ts'
import { nodeText } from '../xml/write.ts'
import { compileXPath, type XPath } from '../xml/xpath.ts'
import type { XValue } from '../xml/xpath-values.ts'

const failureTag = '_xmlparsefailure'

export default defineFilter({
  name: 'xml',
  oneToOne: true,
  summary: 'Parses XML into fields.',
  description: [
    'Stored, the root element is dropped, attributes and children become keys, and text beside attributes is',
    'called `content`. XPath expressions give lists of texts. Documents with a default namespace need',
    '`remove_namespaces`, or a prefix in `namespaces`; without `namespaces` the prefixes of the root are known, and the',
    'default one as `xmlns`. Document types are skipped; no entity is ever fetched.',
    '',
    `A text that is not well-formed, or no text, is tagged \`${failureTag}\`.`,
  ].join('\n'),
  options: {
    source: option.string({ required: true, doc: 'The field with the XML text.' }),
    target: option.string({ doc: 'Field for the document; must be given unless `store_xml` is off.' }),
    store_xml: option.boolean({ default: true, doc: 'Whether to store the whole document.' }),
    xpath: option.hash({
      default: new Map(),
      doc: 'XPath expressions and the fields for what they select.',
    }),
    namespaces: option.hash({ default: new Map(), doc: 'Prefixes for expressions, and their namespaces.' }),
    remove_namespaces: option.boolean({
      default: false,
      doc: 'Whether to forget namespaces before expressions are evaluated.',
    }),
    force_array: option.boolean({
      default: true,
      doc: 'Whether single children and single results are lists too.',
    }),
    force_content: option.boolean({
      default: false,
      doc: 'Whether text is called `content` even where there are no attributes.',
    }),
    suppress_empty: option.boolean({ default: true, doc: 'Whether empty elements are left out.' }),
    parse_options: option.string({
      doc:
        "How to read documents for expressions, by the names of Nokogiri's options. What can be read of broken ones " +
        'is used unless this is given without `recover`; the others have no effect.',
    }),
  },
  examples: [
    {
      title: 'A document',
      config: 'xml { source => "message" target => "doc" remove_field => ["message"] }',
      in: { message: '<order id="7"><item>bolt</item><item>nut</item><note lang="en">soon</note></order>' },
      out: { doc: { id: '7', item: ['bolt', 'nut'], note: [{ lang: 'en', content: 'soon' }] } },
    },
    {
      title: 'Parts of it',
      config:
        'xml { source => "message" store_xml => false xpath => { "/order/@id" => "id" "//item[2]/text()" => "second" } }',
      in: { message: '<order id="7"><item>bolt</item><item>nut</item></order>' },
      out: { message: '<order id="7"><item>bolt</item><item>nut</item></order>', id: ['7'], second: ['nut'] },
    },
    {
      title: 'Not XML',
      config: 'xml { source => "message" target => "doc" }',
      in: { message: '<a><b></a>' },
      out: { message: '<a><b></a>', tags: ['_xmlparsefailure'] },
    },
  ],
  create({ options, compile, logger }) {
    const { source, target, store_xml, force_array } = options
    if (store_xml && target === undefined) {
      refuseToRegister('xml', "When the 'store_xml' configuration option is true, 'target' must also be set")
    }
    const get = compile.get(source)
    const set = target === undefined ? undefined : compile.set(target)
    const namespaces = new Map([...options.namespaces].map(([prefix, uri]) => [prefix, rubyText(uri)]))
    const recover = recovers(options.parse_options)
    const expressions = [...options.xpath].flatMap(([expression, fields]) =>
      (Array.isArray(fields) ? fields : [fields]).map((field) => ({
        select: compileXPath(expression, namespaces),
        set: compile.set(rubyText(field)),
      })),
    )

    function fail(event: Event, message: string, details: Record<string, unknown>): false {
      logger.warn(message, { source, ...details })
      event.tag(failureTag)
      return false
    }

    function parsed(text: string): XmlDocument {
      const document = parseDocument(text, { recover, exact: true })
      if (document.root !== undefined && options.remove_namespaces) removeNamespaces(document.root)
      return document
    }

    function select(event: Event, document: XmlDocument): boolean {
      let matched = false
      for (const expression of expressions) {
        const found = texts(expression.select, document)
        if (found.length === 0) continue
        matched = true
        expression.set(event, found.length === 1 && !force_array ? found[0]! : found)
      }
      return matched
    }

    return {
      filter(event) {
        const given = get(event)
        if (given === undefined) return false
        if (Array.isArray(given) && given.length !== 1)
          return fail(event, 'XML filter expects single item array', { value: given })
        const text: Value = Array.isArray(given) ? given[0]! : given
        if (typeof text !== 'string')
          return fail(event, `XML filter expects a string but received a ${rubyClass(text)}`, { value: text })
        if (text.trim() === '') return false
        let matched = false
        if (expressions.length > 0) {
          try {
            matched = select(event, parsed(text))
          } catch (exception) {
            return fail(event, 'Error parsing xml', { value: text, exception })
          }
        }
        if (!store_xml) return matched
        try {
          set!(event, simpleValue(parseXml(text)!, options))
          return true
        } catch (exception) {
          return fail(event, 'Error parsing xml with XmlSimple', { value: text, exception })
        }
      },
    }
  },
})

/** What Nokogiri can be told; of all this only whether broken documents are recovered has an effect. */
const parseOptions: ReadonlySet<string> = new Set([
  ...['STRICT', 'RECOVER', 'NOENT', 'DTDLOAD', 'DTDATTR', 'DTDVALID', 'NOERROR', 'NOWARNING', 'PEDANTIC'],
  ...['NOBLANKS', 'SAX1', 'XINCLUDE', 'NONET', 'NODICT', 'NSCLEAN', 'NOCDATA', 'NOXINCNODE', 'COMPACT'],
  ...['OLD10', 'NOBASEFIX', 'HUGE'],
])

function recovers(given: string | undefined): boolean {
  if (given === undefined) return true
  const named = given.split(/[,|]/).filter((part) => part.trim() !== '')
  for (const part of named) {
    if (!parseOptions.has(part.trim().replaceAll('_', '').toUpperCase()))
      refuseToRegister('xml', `unsupported parse option: ${JSON.stringify(part)}`)
  }
  return named.some((part) => part.trim().toUpperCase() === 'RECOVER')
}

/** What an expression gives, as texts; a number as Ruby shows a float. */
function texts(select: XPath, document: XmlDocument): string[] {
  const value: XValue = select(document)
  if (Array.isArray(value)) return value.map(nodeText)
  if (typeof value === 'number') return [rubyText(float(value))]
  return value === false ? [] : [String(value)]
}
