/**
 * IPAddr: addresses and networks of both families as one big integer and a prefix length.
 */
import { isIP } from 'node:net'
import { integer } from '../../event/value.ts'
import { textArgument } from '../arguments.ts'
import { argumentError, raise } from '../errors.ts'
import { valueKeys } from '../hash.ts'
import { indexOf, isInteger } from '../number.ts'
import { comparable, defineMethods, defineStatics, newClass, type RubyValue } from '../ruby-class.ts'
import { Instance, isText, RubyRange, textOf } from '../values.ts'

const ipaddr = newClass('IPAddr')
const ipError = newClass('Error', argumentError, ipaddr)
const invalidAddress = newClass('InvalidAddressError', ipError, ipaddr)
const invalidPrefix = newClass('InvalidPrefixError', invalidAddress, ipaddr)
newClass('AddressFamilyError', ipError, ipaddr)
ipaddr.modules.push(comparable)

interface Address {
  readonly family: 4 | 6
  readonly value: bigint
  readonly prefix: number
}

type Ip = Instance<Address>

const widthOf = (family: 4 | 6): number => (family === 4 ? 32 : 128)

function maskOf(family: 4 | 6, prefix: number): bigint {
  const width = BigInt(widthOf(family))
  return ((1n << BigInt(prefix)) - 1n) << (width - BigInt(prefix))
}

export function addressNumber(text: string, family: 4 | 6): bigint {
  if (family === 4) return text.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n)
  const plain = text.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a: string, b: string, c: string, d: string) => {
      const hex = (high: string, low: string): string => ((Number(high) << 8) | Number(low)).toString(16)
      return `${hex(a, b)}:${hex(c, d)}`
    },
  )
  const [head = '', tail] = plain.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const middle = tail === undefined ? [] : new Array<string>(8 - front.length - back.length).fill('0')
  return [...front, ...middle, ...back].reduce((sum, part) => (sum << 16n) | BigInt(`0x${part}`), 0n)
}

function read(text: string): Address {
  const [address = '', length] = text
    .trim()
    .replace(/^\[(.*)\]/, '$1')
    .split('/')
  const bare = address.replace(/%.*$/, '')
  const kind = isIP(bare)
  if (kind === 0) raise(invalidAddress, `invalid address: ${text}`)
  const family = kind as 4 | 6
  const width = widthOf(family)
  let prefix = width
  if (length !== undefined) {
    if (isIP(length) === family) prefix = addressNumber(length, family).toString(2).replace(/0+$/, '').length
    else if (/^\d+$/.test(length) && Number(length) <= width) prefix = Number(length)
    else raise(invalidPrefix, `invalid length: ${text}`)
  }
  return { family, prefix, value: addressNumber(bare, family) & maskOf(family, prefix) }
}

function textOfAddress({ family, value }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.')
  const parts = Array.from({ length: 8 }, (_, i) =>
    Number((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16),
  )
  if (value >> 32n === 0xffffn)
    return `::ffff:${textOfAddress({ family: 4, value: value & 0xffff_ffffn, prefix: 32 })}`
  // The longest run of two or more zeros becomes `::`.
  let best = { start: -1, length: 1 }
  for (let i = 0; i < 8; i++) {
    let end = i
    while (end < 8 && parts[end] === '0') end++
    if (end - i > best.length) best = { start: i, length: end - i }
  }
  if (best.start < 0) return parts.join(':')
  return `${parts.slice(0, best.start).join(':')}::${parts.slice(best.start + best.length).join(':')}`
}

function other(value: RubyValue | undefined): Address {
  if (value instanceof Instance && value.rubyClass === ipaddr) return (value as Ip).state
  if (isInteger(value)) return { family: 4, value: BigInt(value), prefix: 32 }
  return read(textArgument(value))
}

function includes(net: Address, address: Address): boolean {
  if (net.family !== address.family) return false
  return (address.value & maskOf(net.family, net.prefix)) === net.value && address.prefix >= net.prefix
}

const make = (state: Address): Ip => new Instance(ipaddr, state)

/** Whether an address is in one of the networks. */
const inside = (state: Address, ...networks: string[]): boolean =>
  networks.some((network) => includes(read(network), state))

function range({ family, value, prefix }: Address): [Ip, Ip] {
  const width = widthOf(family)
  const last = value | (maskOf(family, width) ^ maskOf(family, prefix))
  return [make({ family, value, prefix: width }), make({ family, value: last, prefix: width })]
}

defineStatics(ipaddr, {
  'new 0-2': (_, [address = '::']) => make(isText(address) ? read(textOf(address)) : other(address)),
})

defineMethods<Ip>(ipaddr, {
  to_s: ({ state }) => textOfAddress(state),
  to_string: ({ state }) =>
    state.family === 4
      ? textOfAddress(state)
      : Array.from({ length: 8 }, (_, i) =>
          ((state.value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16).padStart(4, '0'),
        ).join(':'),
  inspect: ({ state }) => {
    const mask = textOfAddress({
      family: state.family,
      value: maskOf(state.family, state.prefix),
      prefix: widthOf(state.family),
    })
    return `#<IPAddr: IPv${state.family}:${textOfAddress(state)}/${mask}>`
  },
  to_i: ({ state }) => integer(state.value),
  'include?,=== 1': ({ state }, [address]) => includes(state, other(address)),
  'ipv4?': ({ state }) => state.family === 4,
  'ipv6?': ({ state }) => state.family === 6,
  'loopback?': ({ state }) => inside(state, '127.0.0.0/8', '::1'),
  'private?': ({ state }) => inside(state, '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'),
  'link_local?': ({ state }) => inside(state, '169.254.0.0/16', 'fe80::/10'),
  family: ({ state }) => (state.family === 4 ? 2 : 10),
  prefix: ({ state }) => state.prefix,
  'mask 1': ({ state }, [length]) =>
    make(read(`${textOfAddress(state)}/${isText(length) ? textOf(length) : indexOf(length)}`)),
  to_range: ({ state }) => {
    const [first, last] = range(state)
    return new RubyRange(first, last, false)
  },
  succ: ({ state }) => make({ ...state, value: state.value + 1n }),
  reverse: ({ state }) =>
    state.family === 4
      ? `${textOfAddress(state).split('.').reverse().join('.')}.in-addr.arpa`
      : textOfAddress(state),
  '==,eql? 1': ({ state }, [address]) => {
    if (!(address instanceof Instance) && !isText(address)) return false
    const them = other(address)
    return them.family === state.family && them.value === state.value
  },
  '<=> 1': ({ state }, [address]) => {
    const them = other(address)
    if (them.family !== state.family) return null
    return state.value < them.value ? -1 : state.value > them.value ? 1 : 0
  },
})
valueKeys.set(ipaddr, (value) => `\0i${textOfAddress((value as Ip).state)}/${(value as Ip).state.prefix}`)
