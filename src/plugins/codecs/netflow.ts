/**
 * The netflow codec: NetFlow version 5 and 9 and IPFIX packets, an event per flow record. Records of version 9
 * and IPFIX can be read once the exporter has sent the template they follow.
 */
import { Event } from '../../event/event.ts'
import type { Timestamp } from '../../event/timestamp.ts'
import type { Fields } from '../../event/value.ts'
import { defineCodec, option, type StreamDecoder } from '../../plugin/define.ts'
import { readDefinitions, readIpfixDefinitions } from './netflow/definitions-file.ts'
import { enterpriseFields, ipfixFields, version9Fields } from './netflow/field-tables.ts'
import {
  type FlowSettings,
  type FlowTables,
  readIpfix,
  readVersion5,
  readVersion9,
} from './netflow/packets.ts'
import { TemplateFiles } from './netflow/template-files.ts'
import { TemplateCache } from './netflow/templates.ts'

export default defineCodec({
  name: 'netflow',
  summary: 'Reads NetFlow version 5 and 9 and IPFIX packets.',
  description: 'Each payload is one packet, as the `udp` input delivers them.',
  options: {
    versions: option.array({ default: [5, 9, 10], doc: 'Versions to read; 10 is IPFIX.' }),
    target: option.fieldReference({ default: 'netflow', doc: 'Field for what a record says.' }),
    include_flowset_id: option.boolean({
      default: false,
      doc: 'Whether records of IPFIX keep the number of their template in `flowset_id`, as those of version 9 do.',
    }),
    cache_ttl: option.number({ default: 4000, doc: 'Seconds a template is good for.' }),
    cache_save_path: option.path({
      doc: 'Folder that keeps templates, so that a restart need not wait for the next.',
    }),
    netflow_definitions: option.path({ doc: 'YAML file with further fields of version 9.' }),
    ipfix_definitions: option.path({ doc: 'YAML file with further fields of IPFIX, by vendor.' }),
  },
  create({ options, compile, logger }) {
    const versions = new Set(options.versions.map(Number))
    const set = compile.set(options.target)
    const { cache_save_path } = options
    const files = cache_save_path === undefined ? undefined : new TemplateFiles(cache_save_path, logger)
    const cache: TemplateCache = new TemplateCache(options.cache_ttl, (version) =>
      files?.save(version, cache),
    )
    files?.load(versions, cache)
    const settings: FlowSettings = {
      tables: tablesOf(options.netflow_definitions, options.ipfix_definitions),
      cache,
      includeSetId: options.include_flowset_id,
      onUnknown(setId, source, version) {
        const origin = version === 9 ? `source id ${source}` : `observation domain id ${source}`
        logger.warn(
          `Can't (yet) decode flowset id ${setId} from ${origin}, because no template to decode it with has been ` +
            'received. This message will usually go away after 1 minute.',
        )
      },
    }
    // One cache for all streams, in the one thread that runs decoders.
    const packets: StreamDecoder = {
      decodeBytes(bytes, emit, time) {
        const packet = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        if (packet.length < 2) return
        const version = packet.readUInt16BE(0)
        if (!versions.has(version)) {
          logger.warn(`Ignoring Netflow version v${version}`)
          return
        }
        const flow = (fields: Fields, at: Timestamp) => {
          const event = new Event({ '@timestamp': at, '@version': '1' })
          set(event, fields)
          emit(event)
        }
        try {
          if (version === 5) readVersion5(packet, flow)
          else if (version === 9) readVersion9(packet, settings, flow)
          else if (version === 10) readIpfix(packet, settings, flow)
        } catch (error) {
          logger.warn(`Invalid netflow packet received (${(error as Error).message})`, {
            at: time.toString(),
          })
        }
      },
      flush() {},
    }
    return { decoder: () => packets }
  },
})

function tablesOf(netflow: string | undefined, ipfix: string | undefined): FlowTables {
  const enterprises = ipfix === undefined ? new Map() : readIpfixDefinitions(ipfix)
  return {
    version9:
      netflow === undefined ? version9Fields : new Map([...version9Fields, ...readDefinitions(netflow)]),
    ipfix: new Map([...ipfixFields, ...(enterprises.get(0) ?? [])]),
    enterprises: new Map([...enterpriseFields, ...enterprises]),
  }
}
