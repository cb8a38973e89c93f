/**
 * Parts of a document as XML text, for expressions that select elements.
 */
import type { XmlAttribute, XmlChild, XmlElement } from './parse.ts'

function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (character) =>
    character === '&' ? '&amp;' : character === '<' ? '&lt;' : '&gt;',
  )
}

function escapeValue(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;')
}

/** A selected node as text: attributes by their value, everything else as it is written. */
export function nodeText(node: XmlChild | XmlAttribute): string {
  switch (node.kind) {
    case 'attribute':
      return node.text
    case 'text':
      return escapeText(node.text)
    case 'cdata':
      return `<![CDATA[${node.text}]]>`
    case 'comment':
      return `<!--${node.text}-->`
    default:
      return elementText(node)
  }
}

function elementText({ name, attributes, children }: XmlElement): string {
  const given = attributes.map((attribute) => ` ${attribute.name}="${escapeValue(attribute.text)}"`).join('')
  if (children.length === 0) return `<${name}${given}/>`
  return `<${name}${given}>${children.map(nodeText).join('')}</${name}>`
}
