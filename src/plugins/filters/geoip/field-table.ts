/**
 * The fields a lookup can give: their names in both modes, where their values stand in a database record,
 * and which of them each kind of database gives unless asked otherwise.
 */
import { float, isFields, type Value } from '../../../event/value.ts'

export type DatabaseKind = 'City' | 'Country' | 'ASN' | 'ISP' | 'Domain' | 'Anonymous-IP' | 'Enterprise'

/** What a lookup found. */
export interface Found {
  readonly record: unknown
  readonly address: string
  readonly prefixLength: number
}

export interface GeoField {
  /** Below the target, without ECS compatibility. */
  readonly legacy: string
  /** Below the target, with ECS compatibility; undefined where it has no place. */
  readonly ecs: string | undefined
  /** Its value depends on the address itself, not only on the record that many addresses share. */
  readonly isOfAddress: boolean
  read(found: Found): Value | undefined
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

/** A scalar of the record; of floats also whole ones are floats. */
function at(...path: string[]): (found: Found) => Value | undefined {
  return ({ record }) => scalar(path.reduce(member, record))
}

function scalar(value: unknown): Value | undefined {
  const kind = typeof value
  return kind === 'string' || kind === 'number' || kind === 'bigint' || kind === 'boolean'
    ? (value as Value)
    : undefined
}

function degrees(name: string): (found: Found) => Value | undefined {
  return ({ record }) => {
    const value = member(member(record, 'location'), name)
    return typeof value === 'number' ? float(value) : undefined
  }
}

/** The smallest region: the last of the list. */
function region(record: unknown): unknown {
  const list = member(record, 'subdivisions')
  return Array.isArray(list) ? list.at(-1) : undefined
}

/** The first of several places, as the same fact stands elsewhere in other databases. */
function either(...readers: ((found: Found) => Value | undefined)[]): (found: Found) => Value | undefined {
  return (found) => {
    for (const read of readers) {
      const value = read(found)
      if (value !== undefined) return value
    }
    return undefined
  }
}

const latitude = degrees('latitude')
const longitude = degrees('longitude')

function location(found: Found): Value | undefined {
  const lat = latitude(found)
  const lon = longitude(found)
  return lat === undefined || lon === undefined ? undefined : { lat, lon }
}

function regionIsoCode({ record }: Found): Value | undefined {
  const country = member(member(record, 'country'), 'iso_code')
  const code = member(region(record), 'iso_code')
  return typeof country === 'string' && typeof code === 'string' ? `${country}-${code}` : undefined
}

function trait(name: string): (found: Found) => Value | undefined {
  return either(at(name), at('traits', name))
}

/** Flags are false where the record does not have them. */
function flag(name: string): (found: Found) => Value {
  const read = trait(name)
  return (found) => read(found) === true
}

function network({ address, prefixLength }: Found): string {
  return address.includes(':') ? networkOfIpv6(address, prefixLength) : networkOfIpv4(address, prefixLength)
}

function networkOfIpv4(address: string, length: number): string {
  const bits = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  const mask = length <= 0 ? 0 : (0xffffffff << (32 - Math.min(length, 32))) >>> 0
  const start = (bits & mask) >>> 0
  return `${[24, 16, 8, 0].map((shift) => (start >>> shift) & 255).join('.')}/${length}`
}

function networkOfIpv6(address: string, length: number): string {
  const groups = address.split(':').map((group, i) => {
    const kept = Math.max(0, Math.min(16, length - i * 16))
    return (Number.parseInt(group, 16) & (kept === 0 ? 0 : (0xffff << (16 - kept)) & 0xffff)).toString(16)
  })
  return `${groups.join(':')}/${length}`
}

function field(
  legacy: string,
  ecs: string | undefined,
  read: (found: Found) => Value | undefined,
  isOfAddress = false,
): [string, GeoField] {
  return [legacy, { legacy: `[${legacy}]`, ecs, read, isOfAddress }]
}

/** Fields by the name that the option `fields` uses. */
export const geoFields: ReadonlyMap<string, GeoField> = new Map([
  field('ip', '[ip]', ({ address }) => address, true),
  field('city_name', '[geo][city_name]', at('city', 'names', 'en')),
  field('continent_code', '[geo][continent_code]', at('continent', 'code')),
  field('continent_name', '[geo][continent_name]', at('continent', 'names', 'en')),
  field('country_name', '[geo][country_name]', at('country', 'names', 'en')),
  field('country_code2', '[geo][country_iso_code]', at('country', 'iso_code')),
  // Never held three letters: the database does not have them.
  field('country_code3', undefined, at('country', 'iso_code')),
  field('postal_code', '[geo][postal_code]', at('postal', 'code')),
  field('dma_code', '[mmdb][dma_code]', at('location', 'metro_code')),
  field('region_name', '[geo][region_name]', ({ record }) =>
    scalar(member(member(region(record), 'names'), 'en')),
  ),
  field('region_code', '[geo][region_code]', ({ record }) => scalar(member(region(record), 'iso_code'))),
  field('region_iso_code', '[geo][region_iso_code]', regionIsoCode),
  field('timezone', '[geo][timezone]', at('location', 'time_zone')),
  field('location', '[geo][location]', location),
  field('latitude', '[geo][location][lat]', latitude),
  field('longitude', '[geo][location][lon]', longitude),
  field('asn', '[as][number]', trait('autonomous_system_number')),
  field('as_org', '[as][organization][name]', trait('autonomous_system_organization')),
  field('network', '[traits][network]', network, true),
  field('isp', '[mmdb][isp]', trait('isp')),
  field('organization', '[mmdb][organization]', trait('organization')),
  field('domain', '[domain]', trait('domain')),
  field('hosting_provider', '[ip_traits][hosting_provider]', flag('is_hosting_provider')),
  field('tor_exit_node', '[ip_traits][tor_exit_node]', flag('is_tor_exit_node')),
  field('anonymous_vpn', '[ip_traits][anonymous_vpn]', flag('is_anonymous_vpn')),
  field('anonymous', '[ip_traits][anonymous]', flag('is_anonymous')),
  field('public_proxy', '[ip_traits][public_proxy]', flag('is_public_proxy')),
  field('residential_proxy', '[ip_traits][residential_proxy]', flag('is_residential_proxy')),
])

const anonymous = [
  'hosting_provider',
  'tor_exit_node',
  'anonymous_vpn',
  'anonymous',
  'public_proxy',
  'residential_proxy',
]

/** Region codes stand under another name in each mode. */
function city(isEcs: boolean): string[] {
  const names = ['ip', 'city_name', 'continent_code', 'country_name', 'country_code2', 'country_code3']
  const region = ['postal_code', 'dma_code', 'region_name', isEcs ? 'region_iso_code' : 'region_code']
  return [...names, ...region, 'timezone', 'location', 'latitude', 'longitude']
}

export function defaultFields(kind: DatabaseKind, isEcs: boolean): string[] {
  switch (kind) {
    case 'City':
      return city(isEcs)
    case 'Country':
      return ['ip', 'country_code2', 'country_name', 'continent_name']
    case 'ASN':
      return ['ip', 'asn', 'as_org']
    case 'ISP':
      return ['ip', 'asn', 'as_org', 'isp', 'organization']
    case 'Domain':
      return ['domain']
    case 'Anonymous-IP':
      return anonymous
    case 'Enterprise':
      return [...city(isEcs), 'continent_name', 'asn', 'as_org', 'isp', 'organization', ...anonymous]
  }
}

/** `GeoLite2-City`, `GeoIP2-ISP`, `DBIP-Country-Lite`: the kind stands in the name. */
export function kindOf(databaseType: string): DatabaseKind | undefined {
  const kinds = ['Enterprise', 'Anonymous-IP', 'City', 'Country', 'ASN', 'ISP', 'Domain'] as const
  return kinds.find((kind) => databaseType.toLowerCase().includes(kind.toLowerCase()))
}

/** A record of places without coordinates tells nothing. */
export function isEmpty(kind: DatabaseKind, found: Found): boolean {
  if (kind !== 'City' && kind !== 'Enterprise') return false
  return latitude(found) === undefined && longitude(found) === undefined
}

export function copyOf(value: Value): Value {
  return typeof value === 'object' && value !== null && isFields(value) ? { ...value } : value
}
