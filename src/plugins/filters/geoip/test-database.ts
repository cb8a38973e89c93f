/**
 * Writes small MaxMind databases for tests: a tree of 24 bit records over IPv6, then the records, then the
 * metadata. Only what the format needs at least.
 *
 *   tree       nodeCount × (left 3 bytes, right 3 bytes); a value v > nodeCount points to data v - nodeCount - 16
 *   separator  16 zero bytes
 *   data       control byte (type in the high 3 bits, size in the low 5), then the payload
 *   metadata   after the bytes AB CD EF and "MaxMind.com", a map
 */

class Double {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

/** A floating point number in a record. */
export function double(value: number): unknown {
  return new Double(value)
}

type Node = [left: Branch, right: Branch]
type Branch = Node | { data: number } | undefined

/** Networks like `1.2.3.0/24` or `2001:db8:0:0:0:0:0:0/32` and their records. */
export function testDatabase(databaseType: string, networks: Readonly<Record<string, unknown>>): Buffer {
  const root: Node = [undefined, undefined]
  const data: Buffer[] = []
  let offset = 0
  for (const [network, record] of Object.entries(networks)) {
    const encoded = encode(record)
    insert(root, bitsOf(network), { data: offset })
    data.push(encoded)
    offset += encoded.length
  }
  const nodes: Node[] = []
  const number = (node: Node): void => {
    nodes.push(node)
    for (const branch of node) if (Array.isArray(branch)) number(branch)
  }
  number(root)
  const tree = Buffer.alloc(nodes.length * 6)
  nodes.forEach((node, i) => {
    node.forEach((branch, side) => {
      const value =
        branch === undefined
          ? nodes.length
          : Array.isArray(branch)
            ? nodes.indexOf(branch)
            : nodes.length + 16 + branch.data
      tree.writeUIntBE(value, i * 6 + side * 3, 3)
    })
  })
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_600_000_000,
    database_type: databaseType,
    description: { en: 'made for tests' },
    ip_version: 6,
    languages: ['en'],
    node_count: nodes.length,
    record_size: 24,
  })
  const marker = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')])
  return Buffer.concat([tree, Buffer.alloc(16), ...data, marker, metadata])
}

function bitsOf(network: string): number[] {
  const [address = '', length = ''] = network.split('/')
  const isIpv4 = address.includes('.')
  const bytes = isIpv4
    ? [...Array<number>(12).fill(0), ...address.split('.').map(Number)]
    : address.split(':').flatMap((group) => {
        const value = Number.parseInt(group, 16)
        return [value >> 8, value & 255]
      })
  const bits = bytes.flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => (byte >> bit) & 1))
  return bits.slice(0, Number(length) + (isIpv4 ? 96 : 0))
}

function insert(root: Node, bits: readonly number[], leaf: { data: number }): void {
  let node = root
  bits.forEach((bit, depth) => {
    if (depth === bits.length - 1) {
      node[bit as 0 | 1] = leaf
      return
    }
    const next = node[bit as 0 | 1]
    if (Array.isArray(next)) node = next
    else {
      const made: Node = [undefined, undefined]
      node[bit as 0 | 1] = made
      node = made
    }
  })
}

function control(type: number, size: number): Buffer {
  const sizes =
    size < 29 ? [size] : size < 285 ? [29, size - 29] : [30, (size - 285) >> 8, (size - 285) & 255]
  const [first = 0, ...more] = sizes
  return Buffer.from(type < 8 ? [(type << 5) | first, ...more] : [first, type - 7, ...more])
}

function encode(value: unknown): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value)
    return Buffer.concat([control(2, bytes.length), bytes])
  }
  if (value instanceof Double) {
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleBE(value.value)
    return Buffer.concat([control(3, 8), bytes])
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([control(6, 4), bytes])
  }
  if (typeof value === 'boolean') return control(14, value ? 1 : 0)
  if (Array.isArray(value)) return Buffer.concat([control(11, value.length), ...value.map(encode)])
  const entries = Object.entries(value as Record<string, unknown>)
  return Buffer.concat([
    control(7, entries.length),
    ...entries.flatMap(([key, item]) => [encode(key), encode(item)]),
  ])
}

const named = (en: string) => ({ names: { en, de: 'x' } })

/** One database of each kind, by the word that stands for it in tables: its type, and its networks. */
export const geoDatabases: Readonly<
  Record<string, readonly [type: string, networks: Record<string, unknown>]>
> = {
  CITY: [
    'GeoLite2-City',
    {
      '1.2.3.0/24': {
        city: named('San Francisco'),
        continent: { code: 'NA', ...named('North America') },
        country: { iso_code: 'US', ...named('United States') },
        postal: { code: '94107' },
        subdivisions: [{ iso_code: 'CA', ...named('California') }],
        location: {
          latitude: double(37.5),
          longitude: double(-122.25),
          metro_code: 807,
          time_zone: 'America/Los_Angeles',
        },
      },
      '1.2.4.0/24': { country: { iso_code: 'XX', ...named('Nowhere') } },
    },
  ],
  COUNTRY: [
    'GeoLite2-Country',
    {
      '1.2.3.0/24': {
        continent: { code: 'NA', ...named('North America') },
        country: { iso_code: 'US', ...named('United States') },
      },
    },
  ],
  ASN: [
    'GeoLite2-ASN',
    { '9.0.0.0/8': { autonomous_system_number: 64500, autonomous_system_organization: 'Example' } },
  ],
  ISP: [
    'GeoIP2-ISP',
    {
      '9.0.0.0/8': {
        autonomous_system_number: 64500,
        autonomous_system_organization: 'Example',
        isp: 'Carrier',
        organization: 'Owner',
      },
    },
  ],
  DOMAIN: ['GeoIP2-Domain', { '9.0.0.0/8': { domain: 'example.net' } }],
  ANONYMOUS: ['GeoIP2-Anonymous-IP', { '9.0.0.0/8': { is_anonymous: true, is_tor_exit_node: true } }],
}
