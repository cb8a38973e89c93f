/**
 * XML to a tree of elements, texts and attributes. Strict by default: whatever is not well-formed raises.
 * With `recover` a broken document gives what could be read before and after. Document types are skipped:
 * no entity but the five of XML itself is ever replaced, and nothing outside of the text is read.
 */

export interface XmlText {
  readonly kind: 'text' | 'cdata' | 'comment'
  readonly text: string
  /** As it was written, where that differs. */
  readonly raw?: string
  parent: XmlElement | undefined
}

export interface XmlAttribute {
  readonly kind: 'attribute'
  /** With prefix. */
  readonly name: string
  readonly local: string
  uri: string | undefined
  readonly text: string
  readonly parent: XmlElement
}

export interface XmlElement {
  readonly kind: 'element'
  /** With prefix. */
  readonly name: string
  readonly local: string
  uri: string | undefined
  readonly attributes: XmlAttribute[]
  readonly children: XmlChild[]
  readonly parent: XmlElement | undefined
  /** Prefixes in use here; the empty one is the default namespace. */
  readonly namespaces: ReadonlyMap<string, string>
}

export type XmlChild = XmlElement | XmlText

class XmlError extends Error {
  constructor(message: string, at: number) {
    super(`${message} at position ${at}`)
    this.name = 'XmlError'
  }
}

const deepest = 1000
const name = /[A-Za-z_:\u0080-\uffff][\w:.\u0080-\uffff-]*/y
const space = /\s*/y
const noNamespaces: ReadonlyMap<string, string> = new Map([['xml', 'http://www.w3.org/XML/1998/namespace']])

/** The root element; undefined when a document that is recovered has none. */
export function parseXml(text: string, recover = false): XmlElement | undefined {
  return new Parser(text, recover).document()
}

class Parser {
  readonly #text: string
  readonly #recover: boolean
  #at = 0

  constructor(text: string, recover: boolean) {
    this.#text = text
    this.#recover = recover
  }

  document(): XmlElement | undefined {
    let root: XmlElement | undefined
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
          if (top === undefined && root !== undefined) throw this.#error('a second root element')
          const { element, isEmpty } = this.#startTag(top)
          if (top === undefined) root = element
          else top.children.push(element)
          if (!isEmpty) open.push(element)
          if (open.length > deepest) throw this.#error('elements are nested too deep')
        }
      }
      if (open.length > 0) throw this.#error(`Missing end tag for '${open.at(-1)!.name}'`)
      if (root === undefined) throw this.#error('there is no element')
    } catch (error) {
      if (!this.#recover || !(error instanceof XmlError)) throw error
    }
    return root
  }

  #error(message: string): XmlError {
    return new XmlError(message, this.#at)
  }

  #characters(raw: string, parent: XmlElement | undefined): void {
    if (parent !== undefined) {
      const text = this.#unescape(raw)
      parent.children.push(
        text === raw ? { kind: 'text', text, parent } : { kind: 'text', text, raw, parent },
      )
    } else if (raw.trim() !== '' && raw !== '\ufeff' && !this.#recover)
      throw this.#error('text outside of the root element')
  }

  /** Comments, CDATA, instructions, document types; false when it is something else. */
  #special(parent: XmlElement | undefined): boolean {
    const text = this.#text
    const from = this.#at
    if (text.startsWith('<!--', from)) {
      const comment = this.#until('-->', 4)
      parent?.children.push({ kind: 'comment', text: comment, parent })
    } else if (text.startsWith('<![CDATA[', from)) {
      const content = this.#until(']]>', 9)
      if (parent === undefined) throw this.#error('CDATA outside of the root element')
      parent.children.push({ kind: 'cdata', text: content, parent })
    } else if (text.startsWith('<?', from)) this.#until('?>', 2)
    else if (text.startsWith('<!', from)) this.#documentType()
    else return false
    return true
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
    return { element: makeElement(tag, given, parent), isEmpty }
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
    return [attribute, this.#unescape(raw)]
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
          if (code <= 0x10ffff) return String.fromCodePoint(code)
        } else if (entity !== undefined) return entities.get(entity) ?? whole
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
  }
  for (const [attribute, text] of given) {
    const prefix = prefixOf(attribute)
    const uri = prefix === '' ? undefined : namespaces.get(prefix)
    element.attributes.push({
      kind: 'attribute',
      name: attribute,
      local: localPart(attribute),
      uri,
      text,
      parent: element,
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

/** Forgets all namespaces, so that plain names find everything. */
export function removeNamespaces(root: XmlElement): void {
  const todo = [root]
  for (let element = todo.pop(); element !== undefined; element = todo.pop()) {
    element.uri = undefined
    for (const attribute of element.attributes) attribute.uri = undefined
    for (const child of element.children) if (child.kind === 'element') todo.push(child)
  }
}
