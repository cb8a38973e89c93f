/** The nmap codec: a report of nmap in XML, an event each for the scan, its hosts, their ports and routes. */
import { randomUUID } from 'node:crypto'
import { cloneValue } from '../../event/clone.ts'
import { Event } from '../../event/event.ts'
import type { Fields } from '../../event/value.ts'
import { defineCodec, option } from '../../plugin/define.ts'
import { parseXml } from '../xml/parse.ts'
import {
  attribute,
  child,
  children,
  hostFields,
  portFields,
  routeFields,
  scanFields,
  timeAt,
} from './nmap/scan.ts'

export default defineCodec({
  name: 'nmap',
  summary: 'Reads reports of nmap in XML.',
  description: [
    'Events have a `type`: `nmap_scan_metadata` once, `nmap_port` per port, `nmap_traceroute_link` per step of a route',
    'and `nmap_host` per host. A payload that is no report becomes an event with the text in `message` and the tag',
    '`_nmapparsefailure`.',
  ].join('\n'),
  options: {
    emit_scan_metadata: option.boolean({ default: true, doc: 'Whether to make an event of the scan.' }),
    emit_hosts: option.boolean({ default: true, doc: 'Whether to make an event of each host.' }),
    emit_ports: option.boolean({ default: true, doc: 'Whether to make an event of each port.' }),
    emit_traceroute_links: option.boolean({
      default: true,
      doc: 'Whether to make an event of each step of a route.',
    }),
  },
  create({ options, logger }) {
    /** All events of a report; throws when it is none. */
    function* report(text: string): Generator<Fields> {
      const run = parseXml(text)
      if (run?.name !== 'nmaprun') throw new Error('the root element is not nmaprun')
      const scan_id = randomUUID()
      const base = { arguments: attribute(run, 'args'), version: attribute(run, 'version'), scan_id }
      if (options.emit_scan_metadata) yield { ...base, ...scanFields(run) }
      for (const [number, host] of children(run, 'host').entries()) {
        const own = { ...hostFields(host, timeAt(attribute(run, 'start'))), ...base }
        const scan_host_id = `${scan_id}-h${number}`
        const ports = children(child(host, 'ports'), 'port').map(portFields)
        const traceroute = routeFields(child(host, 'trace'))
        if (options.emit_ports) {
          for (const [at, port] of ports.entries())
            yield { ...own, type: 'nmap_port', port, scan_host_id, id: `${scan_host_id}-p${at}` }
        }
        if (options.emit_traceroute_links) yield* links(own, traceroute?.['hops'] as Fields[], scan_host_id)
        if (options.emit_hosts)
          yield { ...own, type: 'nmap_host', ports, traceroute: traceroute ?? null, id: scan_host_id }
      }
    }

    return {
      decode(text, emit, time) {
        if (text.trim() === '') return
        let events: Fields[]
        try {
          events = [...report(text)]
        } catch (error) {
          logger.warn('An unexpected error occurred parsing nmap XML', { message: (error as Error).message })
          const failed = new Event({ '@timestamp': time, '@version': '1', message: text })
          failed.tag('_nmapparsefailure')
          emit(failed)
          return
        }
        for (const fields of events) emit(Event.from(cloneValue(fields) as Fields, time))
      },
    }
  },
})

function* links(own: Fields, hops: readonly Fields[] | undefined, scan_host_id: string): Generator<Fields> {
  for (const [at, from] of (hops ?? []).entries()) {
    const to = hops![at + 1] ?? null
    yield {
      ...own,
      type: 'nmap_traceroute_link',
      from,
      to,
      rtt_diff: to === null ? null : Number(to['rtt']) - Number(from['rtt']),
      scan_host_id,
      id: `${scan_host_id}-tl${at}`,
    }
  }
}
