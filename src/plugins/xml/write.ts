/**
 * Parts of a document as XML text, for expressions that select elements, written as libxml2 does: declarations of
 * namespaces before attributes, and elements that hold nothing but elements with a line for each.
 */
import {
  isDeclaration,
  type XmlAttribute,
  type XmlChild,
  type XmlDocument,
  type XmlElement,
} from './parse.ts'

const textEscapes: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ['\t', '&#9;'],
  ['\n', '&#10;'],
  ['\r', '&#13;'],
])

function escapeText(text: string): string {
  return text.replace(/[&<>\r]/g, (character) => textEscapes.get(character)!)
}

function escapeValue(text: string): string {
  return text.replace(/[&<>"\t\n\r]/g, (character) => textEscapes.get(character)!)
}

/** A selected node as text: attributes by their value, everything else as it is written. */
export function nodeText(node: XmlDocument | XmlChild | XmlAttribute): string {
  if (node.kind === 'document') return documentText(node)
  return node.kind === 'attribute' ? node.text : childText(node, '\n')
}

function documentText({ children, documentType }: XmlDocument): string {
  const head = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    ...(documentType === undefined ? [] : [documentType]),
  ]
  return [...head, ...children.map((child) => childText(child, '\n'))].map((part) => `${part}\n`).join('')
}

/** `lineEnd` is what stands before a child on a line of its own; empty where nothing may be added. */
function childText(node: XmlChild, lineEnd: string): string {
  switch (node.kind) {
    case 'text':
      return escapeText(node.text)
    case 'cdata':
      return `<![CDATA[${node.text}]]>`
    case 'comment':
      return `<!--${node.text}-->`
    case 'instruction':
      return `<?${node.target}${node.text === '' ? '' : ` ${node.text}`}?>`
    default:
      return elementText(node, lineEnd)
  }
}

function elementText({ name, attributes, children }: XmlElement, lineEnd: string): string {
  const ordered = [...attributes.filter(isDeclaration), ...attributes.filter((one) => !isDeclaration(one))]
  const given = ordered.map((attribute) => ` ${attribute.name}="${escapeValue(attribute.text)}"`).join('')
  if (children.length === 0) return `<${name}${given}/>`
  const isMixed = lineEnd === '' || children.some(({ kind }) => kind === 'text' || kind === 'cdata')
  if (isMixed) return `<${name}${given}>${children.map((child) => childText(child, '')).join('')}</${name}>`
  const inner = `${lineEnd}  `
  return `<${name}${given}>${children.map((child) => inner + childText(child, inner)).join('')}${lineEnd}</${name}>`
}
