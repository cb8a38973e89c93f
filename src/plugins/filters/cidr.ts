/**
 * cidr: whether an IP address lies in one of several networks. It changes nothing itself; the common
 * options (add_tag and the like) apply to events that match.
 */
import { readFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import type { Event } from '../../event/event.ts'
import type { Value } from '../../event/value.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { rubyText } from '../ruby-values/text.ts'
import { refuseToRegister } from '../values/register-refusal.ts'
import { type Address, NetworkSet, parseAddress } from './cidr/network-set.ts'

const maxTimer = 2_000_000
const maxFileBytes = 256 * 1024 * 1024

export default defineFilter({
  name: 'cidr',
  oneToOne: true,
  summary: 'Finds events whose IP address lies in given networks.',
  description: 'An event matches when any of its addresses is in any of the networks, IPv4 or IPv6.',
  options: {
    address: option.array({ default: [], doc: 'The addresses to look at; may contain `%{…}`.' }),
    address_field: option.fieldReference({ doc: 'A field with an address or a list of them, instead.' }),
    network: option.array({
      default: [],
      doc: 'Networks like `10.0.0.0/8`, also several with commas between; may contain `%{…}`.',
    }),
    network_path: option.path({ doc: 'A file with networks, instead.' }),
    refresh_interval: option.number({
      default: 600,
      doc: 'Seconds after which the file is read again; 0 for never.',
    }),
    separator: option.string({ default: '\n', doc: 'Text between the networks of the file.' }),
  },
  examples: [
    {
      title: 'Private addresses',
      config:
        'cidr { address => ["%{client}"] network => ["10.0.0.0/8", "192.168.0.0/16,fc00::/7"] add_tag => ["private"] }',
      in: [{ client: '192.168.7.1' }, { client: '8.8.8.8' }, { client: 'fd00::1' }],
      out: [
        { client: '192.168.7.1', tags: ['private'] },
        { client: '8.8.8.8' },
        { client: 'fd00::1', tags: ['private'] },
      ],
    },
  ],
  create({ options, compile, logger }) {
    const { address_field, network_path: path, separator, refresh_interval } = options
    if (options.network.length > 0 && path !== undefined)
      refuseToRegister(
        'cidr',
        "The configuration options 'network' and 'network_path' are mutually exclusive",
      )
    if (options.address.length > 0 && address_field !== undefined)
      refuseToRegister(
        'cidr',
        "The configuration options 'address' and 'address_field' are mutually exclusive",
      )
    const field = address_field === undefined ? undefined : compile.get(address_field)
    const addresses = options.address.map((text) => compile.template(rubyText(text)))
    const texts = options.network.map(rubyText)
    const fixed = texts.filter((text) => compile.isConstant(text))
    const variable = texts.filter((text) => !compile.isConstant(text)).map((text) => compile.template(text))
    let networks = networkSet(fixed.flatMap(parts))
    let changed = 0
    let timer: NodeJS.Timeout | undefined

    function networkSet(list: readonly string[]): NetworkSet {
      const set = new NetworkSet()
      for (const text of list) {
        if (!set.add(text)) logger.warn('Invalid IP network, skipping', { network: text })
      }
      return set
    }

    function networksOf(content: string): NetworkSet {
      return networkSet(content.split(separator).flatMap(parts))
    }

    async function refresh(file: string): Promise<void> {
      try {
        const { mtimeMs, size } = await stat(file)
        if (mtimeMs === changed || size > maxFileBytes) return
        networks = networksOf(await readFile(file, 'utf8'))
        changed = mtimeMs
      } catch (exception) {
        logger.warn('Networks could not be read again, the old ones stay', { path: file, exception })
      }
    }

    function addressesOf(event: Event): Address[] {
      const given: readonly Value[] =
        field === undefined ? addresses.map((template) => template(event)) : listOf(field(event))
      const found: Address[] = []
      for (const value of given) {
        const address = parseAddress(rubyText(value))
        if (address !== undefined) found.push(address)
        else logger.warn('Invalid IP address, skipping', { address: value })
      }
      return found
    }

    return {
      register() {
        if (path === undefined) return
        networks = networksOf(readFileSync(path, 'utf8'))
        if (refresh_interval > 0) {
          const milliseconds = Math.min(refresh_interval, maxTimer) * 1000
          timer = setInterval(() => refresh(path), milliseconds).unref()
        }
      },
      filter(event) {
        const found = addressesOf(event)
        if (found.length === 0) return false
        if (found.some((address) => networks.has(address))) return true
        if (variable.length === 0) return false
        const own = networkSet(variable.flatMap((template) => parts(template(event))))
        return found.some((address) => own.has(address))
      },
      close() {
        clearInterval(timer)
      },
    }
  },
})

function parts(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function listOf(value: Value | undefined): readonly Value[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value.flat() : [value]
}
