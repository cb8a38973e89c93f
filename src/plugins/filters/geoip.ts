/**
 * geoip: what a MaxMind database knows about an IP address. The kind of database decides on the fields;
 * an address that is not found leaves an empty map in the target and a tag.
 */
import type { Setter } from '../../event/accessors.ts'
import type { Event } from '../../event/event.ts'
import { writePath } from '../../event/path-access.ts'
import type { Value } from '../../event/value.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { rubyText } from '../ruby-values/text.ts'
import { nestedReference } from '../values/dynamic-field.ts'
import { addressText } from '../values/ip-address.ts'
import { LruCache } from '../values/lru-cache.ts'
import { MapTemplate, pathOf } from '../values/map-template.ts'
import { refuseToRegister } from '../values/register-refusal.ts'
import { findDatabase, type OpenDatabase, openDatabase } from './geoip/database.ts'
import {
  copyOf,
  type DatabaseKind,
  defaultFields,
  type Found,
  type GeoField,
  geoFields,
  isEmpty,
  kindOf,
} from './geoip/field-table.ts'

/** What a record of the database says, for all addresses that it is about. */
interface Place {
  /** In the order of the fields; what depends on the address is left out. */
  readonly values: readonly (Value | undefined)[]
  /** All fields below the target, with null for what depends on the address. */
  readonly template: MapTemplate
}

/** An address in the database; its place is undefined when nothing is known. */
interface Known extends Found {
  readonly place: Place | undefined
}

interface Field extends GeoField {
  /** Below the target. */
  readonly path: readonly string[]
  readonly reference: string
  readonly set: Setter
}

interface Lookups {
  readonly opened: OpenDatabase
  readonly kind: DatabaseKind
  /** What was asked for, and what of it has a field. */
  readonly wanted: readonly GeoField[]
  readonly fields: readonly Field[]
  readonly ofAddress: readonly Field[]
  readonly cache: LruCache<Known>
  /** Places by the record of the database. */
  readonly places: WeakMap<object, { readonly place: Place | undefined }>
}

const unavailableTag = '_geoip_expired_database'

export default defineFilter({
  name: 'geoip',
  oneToOne: true,
  summary: 'Finds out where an IP address is, or whose it is.',
  description: [
    "Needs a database in MaxMind's mmdb format; none may be shipped with Millrace. Without `database` a",
    'GeoLite2 database is looked for where Logstash and geoipupdate put theirs; without any, events are tagged',
    `\`${unavailableTag}\`.`,
    '',
    'The kind of database decides on the fields: City, Country, ASN, ISP, Domain, Anonymous-IP, Enterprise.',
    'Of a list of addresses the first counts. An address that is not found leaves an empty map in the target.',
  ].join('\n'),
  options: {
    source: option.string({ required: true, aliases: ['field'], doc: 'The field with the IP address.' }),
    target: option.fieldReference({
      doc:
        'Field for what was found; `geoip` without ECS compatibility. With it, the field that holds the source ' +
        'when that ends in `[ip]`, otherwise it must be given.',
    }),
    database: option.path({ doc: 'The database, an .mmdb file.' }),
    default_database_type: option.oneOf(['City', 'ASN'], {
      default: 'City',
      doc: 'Which GeoLite2 database to look for where `database` is not given.',
    }),
    fields: option.array({
      doc: `The fields to set, by their names without ECS compatibility: ${[...geoFields.keys()].join(', ')}.`,
    }),
    cache_size: option.number({ default: 1000, doc: 'How many addresses to remember.' }),
    tag_on_failure: option.array({
      default: ['_geoip_lookup_failure'],
      doc: 'Tags for events whose address is missing, is none, or is not found.',
    }),
  },
  create({ options, compile, ecs, logger, setting }) {
    const { source, database: path } = options
    const isEcs = ecs !== 'disabled'
    const target = options.target ?? (isEcs ? parentOfIp(source) : 'geoip')
    if (path?.toLowerCase().endsWith('.dat')) {
      refuseToRegister('geoip', `${path} is a database of the old GeoIP format; use one that ends in .mmdb`)
    }
    const names = options.fields?.map((name) => fieldNamed(rubyText(name)))
    const get = compile.get(source)
    const getTarget = compile.get(target)
    const setTarget = compile.set(target)
    const failureTags = options.tag_on_failure.map(rubyText)
    let lookups: Lookups | undefined

    async function prepare(file: string): Promise<Lookups> {
      const opened = await openDatabase(file)
      const type = opened.database.metadata.databaseType
      const kind = kindOf(type)
      if (kind === undefined) throw new Error(`Unsupported database type ${type}`)
      const wanted = names ?? defaultFields(kind, isEcs).map((name) => geoFields.get(name)!)
      const fields = wanted.flatMap((field): Field[] => {
        const reference = isEcs ? field.ecs : field.legacy
        if (reference === undefined) return []
        const set = compile.set(nestedReference(target, reference))
        return [{ ...field, reference, path: pathOf(reference), set }]
      })
      const ofAddress = fields.filter(({ isOfAddress }) => isOfAddress)
      return {
        opened,
        kind,
        wanted,
        fields,
        ofAddress,
        cache: new LruCache(options.cache_size),
        places: new WeakMap(),
      }
    }

    function known(address: string, lookups: Lookups): Known {
      const { opened, cache } = lookups
      const remembered = cache.get(address)
      if (remembered !== undefined) return remembered
      const [record, prefixLength] = opened.database.getWithPrefixLength(address)
      const isRecord = typeof record === 'object' && record !== null
      const place = isRecord ? placeOf({ record, address, prefixLength }, lookups) : undefined
      const result = { record, address, prefixLength, place }
      cache.set(address, result)
      return result
    }

    function placeOf(found: Found & { record: object }, lookups: Lookups): Place | undefined {
      const { kind, wanted, fields, places } = lookups
      const remembered = places.get(found.record)
      if (remembered !== undefined) return remembered.place
      const values = fields.map((field) => (field.isOfAddress ? undefined : field.read(found)))
      const isKnown = wanted.some((field) => field.read(found) !== undefined)
      const template = () =>
        new MapTemplate(
          fields.map(({ isOfAddress, reference }, i) => [reference, isOfAddress ? null : values[i]]),
        )
      const place = isKnown && !isEmpty(kind, found) ? { values, template: template() } : undefined
      places.set(found.record, { place })
      return place
    }

    function fail(event: Event): false {
      for (const tag of failureTags) event.tag(tag)
      return false
    }

    function notFound(event: Event): false {
      const old = getTarget(event)
      if (old === undefined || old === null) setTarget(event, {})
      return fail(event)
    }

    return {
      async register() {
        const file = path ?? (await findDatabase(options.default_database_type, setting('path.data')))
        if (file === undefined) {
          logger.warn(
            `There is no GeoLite2-${options.default_database_type} database on this machine; ` +
              `events are tagged ${unavailableTag}. Give the option \`database\` the path of one.`,
          )
          return
        }
        logger.info('Using geoip database', { path: file })
        lookups = await prepare(file)
      },
      filter(event) {
        if (lookups === undefined) {
          event.tag(unavailableTag)
          return false
        }
        const given = get(event)
        const value = Array.isArray(given) ? given[0] : given
        if (typeof value !== 'string' || value.trim() === '') return fail(event)
        const address = addressText(value)
        if (address === undefined) return notFound(event)
        const found = known(address, lookups)
        const { place } = found
        if (place === undefined) return notFound(event)
        const { fields, ofAddress } = lookups
        const old = getTarget(event)
        if (old === undefined || old === null) {
          const all = place.template.copy()
          for (const field of ofAddress) writePath(all, field.path, field.read(found)!)
          setTarget(event, all)
          return true
        }
        for (let i = 0; i < fields.length; i++) {
          const field = fields[i]!
          const one = field.isOfAddress ? field.read(found) : place.values[i]
          if (one !== undefined) field.set(event, copyOf(one))
        }
        return true
      },
      close() {
        lookups?.opened.close()
      },
    }
  },
})

/** What the option calls fields that are stored under a shorter name. */
const longNames: ReadonlyMap<string, string> = new Map([
  ['autonomous_system_number', 'asn'],
  ['autonomous_system_organization', 'as_org'],
])

function fieldNamed(name: string): GeoField {
  const given = name.toLowerCase()
  const found = geoFields.get(longNames.get(given) ?? given)
  if (found !== undefined) return found
  throw new Error(`illegal field value ${name}. valid values are [${[...geoFields.keys()].join(', ')}]`)
}

/** `[client]` of `[client][ip]`. */
function parentOfIp(source: string): string {
  const parent = /^(\[.+\])\[ip\]$/.exec(source)?.[1]
  if (parent !== undefined) return parent
  return refuseToRegister(
    'geoip',
    'GeoIP Filter in ECS-Compatiblity mode requires a `target` when `source` is not an `ip` sub-field, eg. [client][ip]',
  )
}
