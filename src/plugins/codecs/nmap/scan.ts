/** An nmap report in XML as the maps that Logstash makes of it: the scan, its hosts, their ports and routes. */
import { Timestamp } from '../../../event/timestamp.ts'
import { type Fields, float, type Value } from '../../../event/value.ts'
import type { XmlElement } from '../../xml/parse.ts'

export function attribute(element: XmlElement | undefined, name: string): string | null {
  return element?.attributes.find((one) => one.name === name)?.text ?? null
}

export function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return children(element, name)[0]
}

export function children(element: XmlElement | undefined, name: string): XmlElement[] {
  const found = element?.children.filter((one) => one.kind === 'element' && one.name === name)
  return (found ?? []) as XmlElement[]
}

/** Ruby's `to_i`. */
function whole(text: string | null): number {
  return Number.parseInt(text ?? '0', 10) || 0
}

/** Seconds since 1970; nothing, or the given time, for none. */
export function timeAt(text: string | null, usual: Timestamp | null = null): Timestamp | null {
  const seconds = whole(text)
  return seconds <= 0 || seconds > 8e12 ? usual : new Timestamp(seconds * 1000)
}

function attributes(element: XmlElement | undefined): Fields {
  return Object.fromEntries((element?.attributes ?? []).map(({ name, text }) => [name, text]))
}

export function scanFields(run: XmlElement): Fields {
  const stats = child(run, 'runstats')
  const finished = child(stats, 'finished')
  const end = timeAt(attribute(finished, 'time'))
  const hosts = attributes(child(stats, 'hosts'))
  return {
    type: 'nmap_scan_metadata',
    host_stats: Object.fromEntries(Object.entries(hosts).map(([name, text]) => [name, whole(String(text))])),
    run_stats: {
      end_time: end,
      elapsed: attribute(finished, 'elapsed'),
      exit_status: attribute(finished, 'exit'),
      finished: {
        ...attributes(finished),
        elapsed: float(Number(attribute(finished, 'elapsed') ?? 0)),
        time: end,
      },
    },
    start_time: timeAt(attribute(run, 'start')),
    end_time: end,
  }
}

export function hostFields(host: XmlElement, scanStart: Timestamp | null): Fields {
  const addresses = children(host, 'address')
  const of = (type: string) =>
    attribute(
      addresses.find((one) => attribute(one, 'addrtype') === type),
      'addr',
    )
  const status = child(host, 'status')
  const name = child(child(host, 'hostnames'), 'hostname')
  const uptime = child(host, 'uptime')
  return {
    start_time: timeAt(attribute(host, 'starttime'), scanStart),
    end_time: timeAt(attribute(host, 'endtime'), scanStart),
    addresses: addresses.map((one) => ({
      type: attribute(one, 'addrtype'),
      addr: attribute(one, 'addr'),
      vendor: attribute(one, 'vendor'),
    })),
    address: of('ipv6') ?? of('ipv4') ?? of('mac'),
    ip: of('ipv6') ?? of('ipv4'),
    ipv4: of('ipv4'),
    ipv6: of('ipv6'),
    mac: of('mac'),
    status: status && { state: attribute(status, 'state'), reason: attribute(status, 'reason') },
    hostname: name && { name: attribute(name, 'name'), type: attribute(name, 'type') },
    uptime: uptime && {
      seconds: whole(attribute(uptime, 'seconds')),
      last_boot: bootTime(attribute(uptime, 'lastboot')),
    },
    os: systemFields(child(host, 'os')),
  }
}

function bootTime(text: string | null): Timestamp | null {
  const millis = text === null ? Number.NaN : Date.parse(`${text} UTC`)
  return Number.isNaN(millis) ? null : new Timestamp(millis)
}

function systemFields(os: XmlElement | undefined): Fields | undefined {
  if (os === undefined) return undefined
  const matches = children(os, 'osmatch')
  const classes = [...children(os, 'osclass'), ...matches.flatMap((match) => children(match, 'osclass'))]
  return {
    ports_used: children(os, 'portused').map((one) => whole(attribute(one, 'portid'))),
    fingerprint: attribute(child(os, 'osfingerprint'), 'fingerprint'),
    classes:
      classes.length === 0
        ? null
        : classes.map((one) => ({
            type: attribute(one, 'type') ?? '',
            vendor: attribute(one, 'vendor') ?? '',
            family: attribute(one, 'osfamily') ?? '',
            gen: attribute(one, 'osgen') ?? '',
            accuracy: whole(attribute(one, 'accuracy')),
          })),
    matches: matches.map((one) => ({
      name: attribute(one, 'name'),
      accuracy: whole(attribute(one, 'accuracy')),
    })),
  }
}

export function portFields(port: XmlElement): Fields {
  const state = child(port, 'state')
  const service = child(port, 'service')
  return {
    number: whole(attribute(port, 'portid')),
    reason: attribute(state, 'reason'),
    protocol: attribute(port, 'protocol') ?? '',
    service: service && {
      name: attribute(service, 'name'),
      ssl: attribute(service, 'tunnel') === 'ssl',
      protocol: attribute(service, 'proto'),
      product: attribute(service, 'product'),
      hostname: attribute(service, 'hostname'),
      device_type: attribute(service, 'devicetype'),
      fingerprint_method: attribute(service, 'method') ?? '',
      fingerprint: attribute(service, 'servicefp'),
      confidence: whole(attribute(service, 'conf')),
    },
    state: attribute(state, 'state') ?? '',
  }
}

export function routeFields(trace: XmlElement | undefined): Fields | undefined {
  if (trace === undefined) return undefined
  const port = attribute(trace, 'port')
  const hops: Value[] = children(trace, 'hop').map((hop, index) => ({
    address: attribute(hop, 'ipaddr'),
    hostname: attribute(hop, 'host'),
    ttl: whole(attribute(hop, 'ttl')),
    rtt: whole(attribute(hop, 'rtt')),
    index,
  }))
  return { port: port === null ? null : whole(port), protocol: attribute(trace, 'proto'), hops }
}
