/**
 * XML to a tree of elements, texts and attributes. Strict by default: whatever is not well-formed raises.
 * With `recover` a broken document gives what could be read before and after. Document types are skipped:
 * no entity but the five of XML itself is ever replaced, and nothing outside of the text is read.
 *
 * Two libraries decide what Logstash makes of XML. REXML, which stores documents, is the lenient one and the
 * default; `exact` reads as libxml2 does, which expressions are evaluated with: blanks in attributes are normalised,
 * and more texts are refused.
 */

export interface XmlText {
  readonly kind: 'text' | 'cdata' | 'comment'
  readonly text: string
  /** As it was written, where that differs. */
  readonly raw?: string
  parent: XmlElement | undefined
  readonly order: number
}

/** A processing instruction. */
interface XmlInstruction {
  readonly kind: 'instruction'
  readonly target: string
  readonly text: string
  readonly parent: XmlElement | undefined
  readonly order: number
}

export interface XmlAttribute {
  readonly kind: 'attribute'
  /** With prefix. */
  name: string
  readonly local: string
  uri: string | undefined
  readonly text: string
  readonly parent: XmlElement
  readonly order: number
}

export interface XmlElement {
  readonly kind: 'element'
  /** With prefix. */
  name: string
  readonly local: string
  uri: string | undefined
  attributes: XmlAttribute[]
  readonly children: XmlChild[]
  readonly parent: XmlElement | undefined
  /** Prefixes in use here; the empty one is the default namespace. */
  namespaces: ReadonlyMap<string, string>
  /** Place in the order of the document. */
  readonly order: number
}

export type XmlChild = XmlElement | XmlText | XmlInstruction

export interface XmlDocument {
  readonly kind: 'document'
  /** The root and what stands beside it. */
  readonly children: XmlChild[]
  /** Undefined when a document that is recovered has none. */
  root: XmlElement | undefined
  /** As it was written. */
  documentType: string | undefined
  readonly order: number
}

interface XmlReading {
  readonly recover?: boolean
  readonly exact?: boolean
}

class XmlError extends Error {
  constructor(message: string, at: number) {
    super(`${message} at position ${at}`)
    this.name = 'XmlError'
  }
}

const maxDepth = 1000
const name = /[A-Za-z_:\u0080-\uffff][\w:.\u0080-\uffff-]*/y
const space = /\s*/y
const noNamespaces: ReadonlyMap<string, string> = new Map([['xml', 'http://www.w3.org/XML/1998/namespace']])

/** The root element; undefined when a document that is recovered has none. */
export function parseXml(text: string, recover = false): XmlElement | undefined {
  return parseDocument(text, { recover }).root
}

export function parseDocument(text: string, reading: XmlReading): XmlDocument {
  return new Parser(text, reading).document()
}

class Parser {
  readonly #text: string
  readonly #recover: boolean
  readonly #exact: boolean
  readonly #document: XmlDocument
  #order = 0
  #at = 0

  constructor(text: string, { recover = false, exact = false }: XmlReading) {
    this.#text = text
    this.#recover = recover
    this.#exact = exact
    this.#document = { kind: 'document', children: [], root: undefined, documentType: undefined, order: 0 }
  }

  document(): XmlDocument {
    const document = this.#document
    const open: XmlElement[] = []
    try {
      while (this.#at < this.#text.length) {
        const top = open.at(-1)
        const next = this.#text.indexOf('<', this.#at)
        const end = next < 0 ? this.#text.length : next
        if (end > this.#at) this.#characters(this.#text.slice(this.#at, end), top)
        this.#at = end
        if (next < 0) break
        if (this.#text.startsWith('</', next)) this.#endTag(open)
        else if (!this.#special(top)) {
          if (top === undefined && document.root !== undefined) throw this.#error('a second root element')
          const { element, isEmpty } = this.#startTag(top)
          if (top === undefined) document.root = element
          this.#add(element, top)
          if (!isEmpty) open.push(element)
          if (open.length > maxDepth) throw this.#error('elements are nested too deep')
        }
      }
      if (open.length > 0) throw this.#error(`Missing end tag for '${open.at(-1)!.name}'`)
      if (document.root === undefined) throw this.#error('there is no element')
    } catch (error) {
      if (!this.#recover || !(error instanceof XmlError)) throw error
    }
    return document
  }

  #add(child: XmlChild, parent: XmlElement | undefined): void {
    const { children } = parent ?? this.#document
    children.push(child)
  }

  #error(message: string): XmlError {
    return new XmlError(message, this.#at)
  }

  #characters(raw: string, parent: XmlElement | undefined): void {
    if (parent !== undefined) {
      if (this.#exact && !this.#recover && raw.includes(']]>')) throw this.#error("']]>' in a text")
      const text = this.#unescape(raw)
      const node = { kind: 'text', text, parent, order: ++this.#order } as const
      parent.children.push(text === raw ? node : { ...node, raw })
    } else if (raw.trim() !== '' && raw !== '\ufeff' && !this.#recover)
      throw this.#error('text outside of the root element')
  }

  /** Comments, CDATA, instructions, document types; false when it is something else. */
  #special(parent: XmlElement | undefined): boolean {
    const text = this.#text
    const from = this.#at
    if (text.startsWith('<!--', from)) {
      const comment = this.#until('-->', 4)
      if (this.#exact && !this.#recover && (comment.includes('--') || comment.endsWith('-')))
        throw this.#error("'--' in a comment")
      this.#add({ kind: 'comment', text: comment, parent, order: ++this.#order }, parent)
    } else if (text.startsWith('<![CDATA[', from)) {
      const content = this.#until(']]>', 9)
      if (parent === undefined) throw this.#error('CDATA outside of the root element')
      // libxml2 makes one of two that touch.
      const last = this.#exact ? parent.children.at(-1) : undefined
      const before = last?.kind === 'cdata' ? last.text : ''
      if (last?.kind === 'cdata') parent.children.pop()
      parent.children.push({ kind: 'cdata', text: before + content, parent, order: ++this.#order })
    } else if (text.startsWith('<?', from)) this.#instruction(this.#until('?>', 2), from, parent)
    else if (text.startsWith('<!', from)) {
      this.#documentType()
      this.#document.documentType = text.slice(from, this.#at)
    } else return false
    return true
  }

  #instruction(content: string, from: number, parent: XmlElement | undefined): void {
    const [, target = '', text = ''] = /^(\S*)\s*([\s\S]*)$/.exec(content) ?? []
    if (target.toLowerCase() === 'xml') {
      if (this.#exact && !this.#recover && from > 0) throw this.#error('a declaration after the beginning')
      return
    }
    this.#add({ kind: 'instruction', target, text, parent, order: ++this.#order }, parent)
  }

  #until(end: string, skipped: number): string {
    const from = this.#at + skipped
    const at = this.#text.indexOf(end, from)
    if (at < 0) throw this.#error(`'${end}' is missing`)
    this.#at = at + end.length
    return this.#text.slice(from, at)
  }

  /** Everything up to the `>` that is neither in quotes nor in the brackets of the internal subset. */
  #documentType(): void {
    let depth = 0
    let quote = ''
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at]!
      if (quote !== '') {
        if (character === quote) quote = ''
      } else if (character === '"' || character === "'") quote = character
      else if (character === '<' || character === '[') depth += 1
      else if (character === ']' || character === '>') {
        depth -= 1
        if (depth === 0 && character === '>') {
          this.#at += 1
          return
        }
      }
    }
    throw this.#error('the document type does not end')
  }

  #endTag(open: XmlElement[]): void {
    this.#at += 2
    const ended = this.#name()
    this.#space()
    if (this.#text[this.#at] !== '>') throw this.#error('malformed end tag')
    this.#at += 1
    const expected = open.at(-1)?.name
    if (expected === ended) {
      open.pop()
      return
    }
    if (!this.#recover) throw this.#error(`Missing end tag for '${expected ?? ''}' (got '${ended}')`)
    const place = open.findLastIndex((element) => element.name === ended)
    if (place >= 0) open.length = place
  }

  #startTag(parent: XmlElement | undefined): { element: XmlElement; isEmpty: boolean } {
    this.#at += 1
    const tag = this.#name()
    const given: [string, string][] = []
    for (;;) {
      const hadSpace = this.#space()
      const character = this.#text[this.#at]
      if (character === '>' || character === '/') break
      if (character === undefined || !hadSpace) throw this.#error(`malformed start tag of '${tag}'`)
      const attribute = this.#attribute()
      if (given.some(([known]) => known === attribute[0])) {
        if (!this.#recover) throw this.#error(`duplicate attribute '${attribute[0]}'`)
      } else given.push(attribute)
    }
    const isEmpty = this.#text[this.#at] === '/'
    if (isEmpty && this.#text[this.#at + 1] !== '>') throw this.#error(`malformed start tag of '${tag}'`)
    this.#at += isEmpty ? 2 : 1
    const element = makeElement(tag, given, parent, this.#order + 1)
    this.#order += 1 + given.length
    return { element, isEmpty }
  }

  #attribute(): [string, string] {
    const attribute = this.#name()
    this.#space()
    if (this.#text[this.#at] !== '=') throw this.#error(`attribute '${attribute}' has no value`)
    this.#at += 1
    this.#space()
    const quote = this.#text[this.#at]
    if (quote !== '"' && quote !== "'") throw this.#error(`value of '${attribute}' is not quoted`)
    const end = this.#text.indexOf(quote, this.#at + 1)
    if (end < 0) throw this.#error(`value of '${attribute}' does not end`)
    const raw = this.#text.slice(this.#at + 1, end)
    if (raw.includes('<') && !this.#recover) throw this.#error(`'<' in the value of '${attribute}'`)
    this.#at = end + 1
    return [attribute, this.#unescape(this.#exact ? raw.replace(/\r\n|[\t\r\n]/g, ' ') : raw)]
  }

  #name(): string {
    name.lastIndex = this.#at
    const found = name.exec(this.#text)?.[0]
    if (found === undefined) throw this.#error('a name is missing')
    this.#at += found.length
    return found
  }

  #space(): boolean {
    space.lastIndex = this.#at
    const { length } = space.exec(this.#text)![0]
    this.#at += length
    return length > 0
  }

  #unescape(raw: string): string {
    const text = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw
    if (!text.includes('&')) return text
    return text.replace(
      /&(?:#x([0-9a-fA-F]{1,6});|#(\d{1,7});|([\w:.-]+);)?/g,
      (whole, hex, decimal, entity) => {
        const code =
          hex !== undefined ? Number.parseInt(hex, 16) : decimal === undefined ? undefined : Number(decimal)
        if (code !== undefined) {
          if (code <= 0x10ffff && !(this.#exact && !isCharacter(code))) return String.fromCodePoint(code)
        } else if (entity !== undefined) {
          const known = entities.get(entity)
          if (known !== undefined || !this.#exact || this.#document.documentType !== undefined)
            return known ?? whole
        }
        if (!this.#recover) throw this.#error("Illegal character '&' in raw string")
        return whole
      },
    )
  }
}

const entities: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
])

function makeElement(
  tag: string,
  given: readonly (readonly [string, string])[],
  parent: XmlElement | undefined,
  order: number,
): XmlElement {
  let namespaces = parent?.namespaces ?? noNamespaces
  for (const [attribute, value] of given) {
    const prefix =
      attribute === 'xmlns' ? '' : attribute.startsWith('xmlns:') ? attribute.slice(6) : undefined
    if (prefix !== undefined) namespaces = new Map(namespaces).set(prefix, value)
  }
  const element: XmlElement = {
    kind: 'element',
    name: tag,
    local: localPart(tag),
    uri: namespaces.get(prefixOf(tag)) || undefined,
    attributes: [],
    children: [],
    parent,
    namespaces,
    order,
  }
  for (const [index, [attribute, text]] of given.entries()) {
    const prefix = prefixOf(attribute)
    const uri = prefix === '' ? undefined : namespaces.get(prefix)
    element.attributes.push({
      kind: 'attribute',
      name: attribute,
      local: localPart(attribute),
      uri,
      text,
      parent: element,
      order: order + 1 + index,
    })
  }
  return element
}

function prefixOf(qualified: string): string {
  const colon = qualified.indexOf(':')
  return colon < 0 ? '' : qualified.slice(0, colon)
}

function localPart(qualified: string): string {
  return qualified.slice(qualified.indexOf(':') + 1)
}

/** Characters that XML allows. */
function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 9 || code === 10 || code === 13
  return code < 0xd800 || (code > 0xdfff && code < 0xfffe) || code > 0xffff
}

export function isDeclaration({ name }: XmlAttribute): boolean {
  return name === 'xmlns' || name.startsWith('xmlns:')
}

/** Forgets all namespaces and their prefixes, so that plain names find everything. */
export function removeNamespaces(root: XmlElement): void {
  const todo = [root]
  for (let element = todo.pop(); element !== undefined; element = todo.pop()) {
    element.name = element.local
    element.uri = undefined
    element.namespaces = noNamespaces
    element.attributes = element.attributes.filter((attribute) => !isDeclaration(attribute))
    for (const attribute of element.attributes) {
      attribute.name = attribute.local
      attribute.uri = undefined
    }
    for (const child of element.children) if (child.kind === 'element') todo.push(child)
  }
}
