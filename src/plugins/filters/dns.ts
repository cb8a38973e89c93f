/**
 * dns: addresses of names and names of addresses. The events of a batch are looked up side by side; within
 * an event the first field that gives nothing ends the work on it, as in Logstash.
 */
import { lookup as systemLookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Getter, Setter } from '../../event/accessors.ts'
import type { Event } from '../../event/event.ts'
import { isFields, readField, type Value } from '../../event/value.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { leadingWhole } from '../ruby-values/number.ts'
import { rubyText } from '../ruby-values/text.ts'
import { readHosts } from './dns/hosts-file.ts'
import { Lookup, LookupTimeout } from './dns/lookup.ts'

interface Place {
  readonly name: string
  readonly get: Getter
  readonly set: Setter
}

/** Events looked up at the same time. */
const sideBySide = 64
const systemHosts = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'

export default defineFilter({
  name: 'dns',
  oneToOne: true,
  summary: 'Looks up the addresses of names and the names of addresses.',
  description: [
    'A field that is missing or cannot be looked up ends the work on its event: fields after it stay as they are,',
    'and the common options are not applied. So does a list of more than one item, and for `reverse` a value that',
    'is no address. Hosts files answer before name servers are asked.',
  ].join('\n'),
  options: {
    resolve: option.array({ names: 'items', doc: 'Fields with names to find the addresses of.' }),
    reverse: option.array({ names: 'items', doc: 'Fields with addresses to find the names of.' }),
    action: option.oneOf(['append', 'replace'], {
      default: 'append',
      doc: 'Whether the answer is added, making a list of the field, or takes the place of the value.',
    }),
    nameserver: option.array({
      doc: 'Name servers to ask instead of those of the system, or a map of `address`, `search` and `ndots`.',
    }),
    timeout: option.number({ default: 0.5, doc: 'Seconds to wait for an answer.' }),
    max_retries: option.number({ default: 2, doc: 'How often to ask again when no answer came in time.' }),
    hit_cache_size: option.number({ default: 0, doc: 'How many answers to remember.' }),
    hit_cache_ttl: option.number({ default: 60, doc: 'Seconds to remember an answer.' }),
    failed_cache_size: option.number({ default: 0, doc: 'How many failures to remember.' }),
    failed_cache_ttl: option.number({ default: 5, doc: 'Seconds to remember a failure.' }),
    hostsfile: option.array({ doc: 'Hosts files to look into before the one of the system.' }),
    tag_on_timeout: option.array({
      default: ['_dnstimeout'],
      doc: 'Tags for events for which no answer came in time.',
    }),
  },
  examples: [
    {
      title: 'An address stays what it is',
      config: 'dns { resolve => ["host"] action => "replace" add_tag => ["resolved"] }',
      in: { host: '192.0.2.1' },
      out: { host: '192.0.2.1', tags: ['resolved'] },
    },
    {
      title: 'Not an address',
      config: 'dns { reverse => ["ip"] add_tag => ["resolved"] }',
      in: { ip: 'not an address' },
      out: { ip: 'not an address' },
    },
  ],
  create({ options, compile, logger, matched, failed, abort }) {
    const replaces = options.action === 'replace'
    const timeoutTags = options.tag_on_timeout.map(rubyText)
    const places = (names: readonly Value[] | undefined): Place[] =>
      (names ?? []).map((given) => {
        const name = rubyText(given)
        return { name, get: compile.get(name), set: compile.set(name) }
      })
    const resolved = places(options.resolve)
    const reversed = places(options.reverse)
    const hostsFiles = (options.hostsfile ?? []).map(rubyText)
    const { servers, search, ndots } = nameServers(options.nameserver ?? [])
    let lookup: Lookup | undefined
    const cancel = () => lookup?.cancel()

    /** False when the field ends the work on the event. */
    async function work(event: Event, place: Place, kind: 'resolve' | 'reverse'): Promise<boolean> {
      const given = place.get(event)
      if (given === undefined || given === null) {
        logger.debug(`DNS filter could not ${kind} missing field`, { field: place.name })
        return false
      }
      if (Array.isArray(given) && given.length !== 1) {
        logger.warn(`DNS: skipping ${kind}, can't deal with multiple values`, {
          field: place.name,
          value: given,
        })
        return false
      }
      const question = rubyText(Array.isArray(given) ? given[0]! : given)
      if (kind === 'reverse' && isIP(question) === 0) return false
      const answer = await (kind === 'resolve' ? lookup!.address(question) : lookup!.name(question))
      if (answer === undefined) {
        logger.debug(`DNS: couldn't ${kind} the value`, { field: place.name, value: question })
        return false
      }
      if (Array.isArray(given)) place.set(event, replaces ? [answer] : [...given, answer])
      else place.set(event, replaces ? answer : [given, answer])
      return true
    }

    async function one(event: Event): Promise<void> {
      try {
        for (const place of resolved) if (!(await work(event, place, 'resolve'))) return
        for (const place of reversed) if (!(await work(event, place, 'reverse'))) return
        matched(event)
      } catch (error) {
        if (error instanceof LookupTimeout) {
          logger.debug('DNS: timeout on resolving the value', { exception: error.message })
          for (const tag of timeoutTags) event.tag(tag)
          return
        }
        failed(event, error)
      }
    }

    return {
      async register() {
        const hosts = await readHosts([...hostsFiles, systemHosts])
        const reachable: string[] = []
        for (const server of servers) {
          const address = await serverAddress(server)
          if (address !== undefined) reachable.push(address)
          else logger.warn('DNS: there is no such name server, it is not asked', { nameserver: server })
        }
        if (servers.length > 0 && reachable.length === 0)
          throw new Error('DNS: none of the name servers is known')
        lookup = new Lookup(
          {
            servers: reachable,
            search,
            ndots,
            timeout: options.timeout,
            retries: options.max_retries,
            hits: { size: options.hit_cache_size, ttl: options.hit_cache_ttl },
            failures: { size: options.failed_cache_size, ttl: options.failed_cache_ttl },
          },
          hosts,
        )
        abort.addEventListener('abort', cancel)
      },
      async filterBatch(events) {
        let next = 0
        const worker = async () => {
          while (next < events.length) await one(events[next++]!)
        }
        await Promise.all(Array.from({ length: Math.min(sideBySide, events.length) }, worker))
      },
      close() {
        abort.removeEventListener('abort', cancel)
        lookup?.cancel()
      },
    }
  },
})

/** A list of addresses, or the pairs of a map. */
function nameServers(given: readonly Value[]): { servers: string[]; search: string[]; ndots: number } {
  const settings = new Map<string, Value>()
  const plain: string[] = []
  for (const item of given) {
    if (Array.isArray(item)) settings.set(rubyText(item[0] ?? null), item[1] ?? null)
    else if (typeof item === 'object' && item !== null && isFields(item)) {
      for (const name of Object.keys(item)) settings.set(name, readField(item, name) ?? null)
    } else plain.push(rubyText(item))
  }
  const list = (name: string) => [settings.get(name) ?? []].flat().map(rubyText)
  const ndots = settings.get('ndots')
  if (settings.size > 0 && list('address').length === 0) {
    throw new Error('DNS Filter: `nameserver` hash must include `address`')
  }
  return {
    servers: [...plain, ...list('address')],
    search: list('search'),
    ndots: ndots === undefined || ndots === null ? 1 : Number(leadingWhole(rubyText(ndots))),
  }
}

/** `127.0.0.1`, `127.0.0.1:5353`, or the name of a server; undefined when the name is unknown. */
async function serverAddress(text: string): Promise<string | undefined> {
  const [, host = text, port = ''] = /^\[?(.*?)\]?(:\d+)?$/.exec(text) ?? []
  if (isIP(text) !== 0 || isIP(host) !== 0) return text
  try {
    const { address, family } = await systemLookup(host)
    return `${family === 6 && port !== '' ? `[${address}]` : address}${port}`
  } catch {
    return undefined
  }
}
