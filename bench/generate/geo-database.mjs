// A database in the MaxMind format for the enrich case, about 30 kB: one city for each first byte of an IPv4 address.
// Layout: a tree of nodes with two records of three bytes, 16 zero bytes, the data, a marker, the metadata. A record
// above the number of nodes points into the data.
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataDirectory } from './data-file.mjs'

const VERSION = 1
const IPV4_DEPTH = 96
const LEVELS = 8

/** The city of addresses that begin with this byte, as the database has it. */
export const cityOf = (byte) => ({
  name: `City ${byte}`,
  code: `${String.fromCharCode(65 + (byte % 26))}${String.fromCharCode(65 + (byte >> 4))}`,
  country: `Country ${byte >> 2}`,
  latitude: byte / 4 + 0.125,
  longitude: byte / 2 + 0.25,
})

export function geoDatabase(directory = dataDirectory) {
  const path = join(directory, `geo-v${VERSION}.mmdb`)
  if (existsSync(path)) return path
  mkdirSync(directory, { recursive: true })
  writeFileSync(`${path}.${process.pid}.part`, databaseBytes())
  renameSync(`${path}.${process.pid}.part`, path)
  return path
}

function databaseBytes() {
  const records = Array.from({ length: 256 }, (_, byte) => encode(recordOf(byte)))
  const offsets = records.map((_, byte) =>
    records.slice(0, byte).reduce((sum, { length }) => sum + length, 0),
  )
  // A chain of zero bits down to the IPv4 addresses, then a full tree of eight levels.
  const nodeCount = IPV4_DEPTH + 2 ** LEVELS - 1
  const tree = Buffer.alloc(nodeCount * 6)
  const put = (node, side, value) => tree.writeUIntBE(value, node * 6 + side * 3, 3)
  for (let node = 0; node < IPV4_DEPTH; node++) {
    put(node, 0, node + 1)
    put(node, 1, nodeCount)
  }
  for (let index = 0; index < 2 ** LEVELS - 1; index++) {
    for (const side of [0, 1]) {
      const child = 2 * index + 1 + side
      const byte = child - (2 ** LEVELS - 1)
      put(IPV4_DEPTH + index, side, byte < 0 ? IPV4_DEPTH + child : nodeCount + 16 + offsets[byte])
    }
  }
  const marker = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')])
  const metadata = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_600_000_000,
    database_type: 'GeoLite2-City',
    description: { en: 'made for a benchmark' },
    ip_version: 6,
    languages: ['en'],
    node_count: nodeCount,
    record_size: 24,
  }
  return Buffer.concat([tree, Buffer.alloc(16), ...records, marker, encode(metadata)])
}

function recordOf(byte) {
  const { name, code, country, latitude, longitude } = cityOf(byte)
  return {
    city: { names: { en: name } },
    country: { iso_code: code, names: { en: country } },
    location: { latitude, longitude },
  }
}

function encode(value) {
  if (typeof value === 'string') return Buffer.concat([control(2, value.length), Buffer.from(value)])
  if (typeof value === 'number') {
    const isWhole = Number.isInteger(value)
    const bytes = Buffer.alloc(isWhole ? 4 : 8)
    if (isWhole) bytes.writeUInt32BE(value)
    else bytes.writeDoubleBE(value)
    return Buffer.concat([control(isWhole ? 6 : 3, bytes.length), bytes])
  }
  if (Array.isArray(value)) return Buffer.concat([control(11, value.length), ...value.map(encode)])
  const entries = Object.entries(value)
  return Buffer.concat([control(7, entries.length), ...entries.flat().map(encode)])
}

// Type in the high three bits, size in the low five; types from 8 on in a byte of their own. Sizes stay below 29.
function control(type, size) {
  return Buffer.from(type < 8 ? [(type << 5) | size] : [size, type - 7])
}
