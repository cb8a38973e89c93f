/** What the options of the snmp input say about whom to ask and for what; texts of refusals are Logstash's. */
import { isIPv6 } from 'node:net'
import { isFields, type Value } from '../../../event/value.ts'
import { textOf } from '../../../plugin/raw-text.ts'

export interface SnmpHost {
  readonly name: string
  readonly protocol: string
  readonly address: string
  readonly port: string
  readonly community: string
  readonly version: '1' | '2c' | '3'
  readonly retries: number
  readonly timeout: number
}

export interface SnmpTable {
  readonly name: string
  readonly columns: readonly string[]
}

export function hostsOf(given: readonly Value[]): SnmpHost[] {
  if (given.length === 0) throw new Error('at least one host definition is required')
  return given.map((item) => {
    if (!isFields(item) || item['host'] === undefined || item['host'] === null)
      throw new Error('each host definition must have a "host" option')
    const name = textOf(item['host'])
    const version = item['version'] === undefined ? '2c' : textOf(item['version'])
    if (version !== '1' && version !== '2c' && version !== '3')
      throw new Error(`only protocol version '1', '2c' and '3' are supported for host option '${name}'`)
    const [, protocol = '', address = '', port = ''] = /^(\w+):(.+)\/(\d+)$/i.exec(name) ?? []
    if (protocol === '') throw new Error(`invalid format for host option '${name}'`)
    if (!/^(?:udp|tcp)$/i.test(protocol))
      throw new Error(`only udp & tcp protocols are supported for host option '${name}'`)
    if (/^tcp$/i.test(protocol))
      throw new Error(`tcp is not supported yet for host option '${name}'; use udp`)
    return {
      name,
      protocol,
      address: /^\[(.*)\]$/.exec(address)?.[1] ?? address,
      port,
      community: item['community'] === undefined ? 'public' : textOf(item['community']),
      version,
      retries: numberOf(item['retries'], 2),
      timeout: numberOf(item['timeout'], 1000),
    }
  })
}

function numberOf(value: Value | undefined, fallback: number): number {
  const number = value === undefined || value === null ? fallback : Number(textOf(value))
  return Number.isFinite(number) && number >= 0 ? number : fallback
}

export function oidsOf(given: readonly Value[], option: string): string[] {
  return given.map((item) => {
    const text = textOf(item)
    const oid = /^\.?([0-9.]+)$/.exec(text)?.[1]
    if (oid === undefined) throw new Error(`The ${option} option oid '${text}' has an invalid format`)
    return oid
  })
}

export function tablesOf(given: readonly Value[]): SnmpTable[] {
  return given.map((item) => {
    if (!isFields(item) || item['name'] === undefined || item['name'] === null)
      throw new Error('each table definition must have a "name" option')
    const columns = Array.isArray(item['columns']) ? item['columns'] : []
    return {
      name: textOf(item['name']),
      columns: columns.map((column) => {
        const text = textOf(column)
        const oid = /^\.?([0-9.]+)$/.exec(text)?.[1]
        if (oid === undefined) throw new Error(`The table column oid '${text}' is an invalid format`)
        return oid
      }),
    }
  })
}

export function transportOf(address: string): 'udp4' | 'udp6' {
  return isIPv6(address) ? 'udp6' : 'udp4'
}
