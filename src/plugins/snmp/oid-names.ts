/**
 * Names of OIDs, as a tree, and the three ways to write an OID with them:
 *
 *   default        1.3.6.1.2.1.1.2.0 is iso.org.dod.internet.mgmt.mib-2.system.sysObjectID.0
 *   ruby_snmp      the same is SNMPv2-MIB::sysObjectID.0
 *   dotted_string  the same is 1.3.6.1.2.1.1.2.0
 */
export type OidFormat = 'default' | 'ruby_snmp' | 'dotted_string'

interface OidData {
  readonly name: string
  readonly module: string
  /** Names of the numbers of an enumeration. */
  readonly labels?: ReadonlyMap<number, string> | undefined
}

interface Node {
  data: OidData | undefined
  readonly children: Map<number, Node>
}

export interface OidMapping {
  readonly format: OidFormat
  /** How many identifiers are left out at the front, with the format `default`. */
  readonly rootSkip: number
  /** How many are kept at the end, 0 for all. */
  readonly pathLength: number
}

export class OidNames {
  readonly #root: Node = { data: undefined, children: new Map() }
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The last name given to an OID counts. */
  add(oid: readonly number[], data: OidData): void {
    let node = this.#root
    for (const identifier of oid) {
      let child = node.children.get(identifier)
      if (child === undefined) {
        child = { data: undefined, children: new Map() }
        node.children.set(identifier, child)
      }
      node = child
    }
    if (node.data === undefined) this.#size += 1
    node.data = data
  }

  /** The nodes along an OID, as far as the tree goes. */
  #path(identifiers: readonly number[]): Node[] {
    const path: Node[] = []
    let node: Node | undefined = this.#root
    for (const identifier of identifiers) {
      node = node.children.get(identifier)
      if (node === undefined) break
      path.push(node)
    }
    return path
  }

  map(oid: string, { format, rootSkip, pathLength }: OidMapping): string {
    if (format === 'dotted_string') return oid
    const texts = oid.split('.')
    const path = this.#path(texts.map(Number))
    if (format === 'ruby_snmp') {
      const data = path.at(-1)?.data
      if (data === undefined) return oid
      const name = data.module === '' ? data.name : `${data.module}::${data.name}`
      return [name, ...texts.slice(path.length)].join('.')
    }
    const named = texts.map((text, i) => path[i]?.data?.name ?? text)
    if (rootSkip > 0) return named.slice(rootSkip).join('.')
    return (pathLength > 0 && pathLength < named.length ? named.slice(-pathLength) : named).join('.')
  }

  /** The label of a number of the enumeration that this OID is an instance of. */
  labelOf(oid: string, value: number): string | undefined {
    const path = this.#path(oid.split('.').map(Number))
    return path.findLast((node) => node.data !== undefined)?.data?.labels?.get(value)
  }
}

/** Undefined when the text is no OID. */
export function identifiersOf(oid: string): number[] | undefined {
  if (!/^\.?\d{1,10}(\.\d{1,10})*$/.test(oid)) return undefined
  return oid.replace(/^\./, '').split('.').map(Number)
}
