/**
 * The axes of XPath: from a node to the nodes around it, in the order of the axis. The document itself is a
 * node above the root element.
 */
import type { XmlAttribute, XmlChild, XmlElement } from './parse.ts'

interface XmlDocument {
  readonly kind: 'document'
  readonly root: XmlElement
}

export type XNode = XmlDocument | XmlChild | XmlAttribute

export interface Surroundings {
  readonly document: XmlDocument
}

export type Axis = (node: XNode, around: Surroundings) => XNode[]

function children(node: XNode): readonly XNode[] {
  if (node.kind === 'document') return [node.root]
  return node.kind === 'element' ? node.children : []
}

function parent(node: XNode, { document }: Surroundings): XNode | undefined {
  return node.kind === 'document' ? undefined : (node.parent ?? document)
}

function descendants(node: XNode): XNode[] {
  const found: XNode[] = []
  const todo = [...children(node)].reverse()
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    found.push(next)
    const inside = children(next)
    for (let i = inside.length - 1; i >= 0; i--) todo.push(inside[i]!)
  }
  return found
}

function ancestors(node: XNode, around: Surroundings): XNode[] {
  const found: XNode[] = []
  for (let next = parent(node, around); next !== undefined; next = parent(next, around)) found.push(next)
  return found
}

function siblings(node: XNode, around: Surroundings, side: 'before' | 'behind'): XNode[] {
  const above = node.kind === 'attribute' ? undefined : parent(node, around)
  if (above === undefined) return []
  const list = children(above)
  const place = list.indexOf(node)
  return side === 'behind' ? list.slice(place + 1) : list.slice(0, place).reverse()
}

export const axes: ReadonlyMap<string, Axis> = new Map<string, Axis>([
  ['child', (node) => [...children(node)]],
  ['descendant', descendants],
  ['descendant-or-self', (node) => [node, ...descendants(node)]],
  ['self', (node) => [node]],
  ['parent', (node, around) => [parent(node, around)].filter((above) => above !== undefined)],
  ['ancestor', ancestors],
  ['ancestor-or-self', (node, around) => [node, ...ancestors(node, around)]],
  ['following-sibling', (node, around) => siblings(node, around, 'behind')],
  ['preceding-sibling', (node, around) => siblings(node, around, 'before')],
  [
    'attribute',
    (node) =>
      node.kind === 'element'
        ? node.attributes.filter(({ name }) => name !== 'xmlns' && !name.startsWith('xmlns:'))
        : [],
  ],
])

/** The string value of a node: all text inside of it. */
export function stringValue(node: XNode): string {
  if (node.kind === 'document') return stringValue(node.root)
  if (node.kind !== 'element') return node.text
  return descendants(node)
    .map((inside) => (inside.kind === 'text' || inside.kind === 'cdata' ? inside.text : ''))
    .join('')
}
