/**
 * The axes of XPath: from a node to the nodes around it, in the order of the axis. The document itself is a
 * node above the root element.
 */
import { isDeclaration, type XmlAttribute, type XmlChild, type XmlDocument } from './parse.ts'

export type XNode = XmlDocument | XmlChild | XmlAttribute

export interface Surroundings {
  readonly document: XmlDocument
}

export type Axis = (node: XNode, around: Surroundings) => XNode[]

function children(node: XNode): readonly XNode[] {
  return node.kind === 'document' || node.kind === 'element' ? node.children : []
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

/** All that begins after the node has ended. */
function following(node: XNode, { document }: Surroundings): XNode[] {
  const last = node.kind === 'attribute' ? node : (descendants(node).at(-1) ?? node)
  return node.kind === 'document' ? [] : descendants(document).filter(({ order }) => order > last.order)
}

/** All that has ended before the node begins, backwards. */
function preceding(node: XNode, around: Surroundings): XNode[] {
  const above = new Set(ancestors(node, around))
  return descendants(around.document)
    .filter((other) => other.order < node.order && !above.has(other))
    .reverse()
}

/** The nodes in the order of the document. */
export function inOrder(nodes: XNode[]): XNode[] {
  for (let i = 1; i < nodes.length; i++)
    if (nodes[i - 1]!.order > nodes[i]!.order) return nodes.sort((a, b) => a.order - b.order)
  return nodes
}

export const axes: ReadonlyMap<string, Axis> = new Map<string, Axis>([
  ['child', (node) => [...children(node)]],
  ['descendant', descendants],
  ['descendant-or-self', (node) => [node, ...descendants(node)]],
  ['self', (node) => [node]],
  ['parent', (node, around) => [parent(node, around)].filter((above) => above !== undefined)],
  ['ancestor', ancestors],
  ['following', following],
  ['preceding', preceding],
  ['ancestor-or-self', (node, around) => [node, ...ancestors(node, around)]],
  ['following-sibling', (node, around) => siblings(node, around, 'behind')],
  ['preceding-sibling', (node, around) => siblings(node, around, 'before')],
  [
    'attribute',
    (node) => (node.kind === 'element' ? node.attributes.filter((one) => !isDeclaration(one)) : []),
  ],
])

/** The string value of a node: all text inside of it. */
export function stringValue(node: XNode): string {
  if (node.kind !== 'element' && node.kind !== 'document') return node.text
  return descendants(node)
    .map((inside) => (inside.kind === 'text' || inside.kind === 'cdata' ? inside.text : ''))
    .join('')
}
