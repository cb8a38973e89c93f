/** Asks network devices over SNMP for values, subtrees and tables, in intervals; one event for each host and time. */
import { availableParallelism } from 'node:os'
import { Event } from '../../event/event.ts'
import { Timestamp } from '../../event/timestamp.ts'
import type { Fields, Value } from '../../event/value.ts'
import { packageConcern, startConcern } from '../../plugin/concern.ts'
import { defineInput, option, type Sink, withoutEffect } from '../../plugin/define.ts'
import { Stop } from '../receiving/stop.ts'
import {
  loadSnmp,
  packageName,
  providedMibs,
  type SnmpPackage,
  type SnmpSession,
  userOf,
} from '../snmp/client.ts'
import { fieldValue } from '../snmp/field-values.ts'
import { loadMibs } from '../snmp/mib-files.ts'
import { OidNames } from '../snmp/oid-names.ts'
import { checkUser, mappingOf, type SnmpChoice, snmpOptions } from '../snmp/options.ts'
import { hostsOf, oidsOf, type SnmpHost, tablesOf, transportOf } from './snmp/hosts.ts'
import { type Naming, pollHost } from './snmp/poll.ts'

/** Hosts that are asked at the same time, for each of the threads Logstash would have. */
const hostsPerThread = 16
const defaultRepetitions = 20

export default defineInput({
  name: 'snmp',
  summary: 'Asks network devices over SNMP (v1, v2c, v3).',
  description: [
    `The client is the package \`${packageName}\`, which has to be installed beside millrace. The MIB modules it comes with are`,
    'those that `use_provided_mibs` means: SNMPv2-MIB, IF-MIB and RFC1213-MIB with what they need. Any other can be given',
    'in `mib_paths`, as the text it is published as or as a file of smidump. Hosts are asked over UDP.',
  ].join('\n'),
  options: {
    hosts: option.array({
      default: [],
      doc: 'Whom to ask: hashes with `host` (`udp:address/port`), and if needed `community`, `version`, `retries`, `timeout` in milliseconds.',
    }),
    get: option.array({ default: [], doc: 'OIDs of single values.' }),
    walk: option.array({ default: [], doc: 'OIDs of subtrees.' }),
    tables: option.array({
      default: [],
      doc: 'Tables: hashes with `name`, the field of its rows, and `columns`, their OIDs.',
    }),
    interval: option.number({ default: 30, doc: 'Seconds between the beginnings of two rounds.' }),
    threads: option.number({
      doc: 'Measure for how many hosts are asked at once; the number of processors unless given.',
    }),
    poll_hosts_timeout: option.number(
      withoutEffect('each host has a time limit of its own, and a round ends with the last of them.'),
    ),
    max_repetitions: option.number({
      default: defaultRepetitions,
      doc: 'How many values a host is asked for at once during walks and tables.',
    }),
    allow_partial_response: option.boolean({
      default: false,
      doc: 'Whether what a failed walk or table had brought is kept.',
    }),
    tag_on_failure: option.array({
      default: ['_snmpfailure'],
      doc: 'Tags of events for which something could not be asked.',
    }),
    local_engine_id: option.string(
      withoutEffect('5 to 32 characters. Questions of SNMPv3 go by the engine ID of the host that is asked.'),
    ),
    use_provided_mibs: option.boolean({
      default: true,
      doc: 'Whether to load the MIB modules that come along.',
    }),
    ...snmpOptions({ format: 'default', mapsValues: false }),
  },
  concerns: (options) => [
    ...startConcern('hosts', () => readOptions(options)),
    ...packageConcern('hosts', packageName),
  ],
  create({ options, ecs, logger }) {
    const stop = new Stop()
    const sessions = new Set<SnmpSession>()
    const names = new OidNames()
    const isOld = ecs === 'disabled'
    const fieldOf = (part: string) =>
      isOld ? `[@metadata][host_${part}]` : `[@metadata][input][snmp][host][${part}]`
    const hasOwnFields = ((options as unknown as { add_field?: { size: number } }).add_field?.size ?? 0) > 0
    let snmp: SnmpPackage
    let asked: ReturnType<typeof readOptions>
    let naming: Naming

    const open = (host: SnmpHost): SnmpSession => {
      const common = {
        port: Number(host.port),
        retries: host.retries,
        timeout: host.timeout,
        backoff: 1,
        transport: transportOf(host.address),
        idBitsSize: 32,
      }
      const session =
        host.version === '3'
          ? snmp.createV3Session(host.address, userOf(options, snmp), common)
          : snmp.createSession(host.address, host.community, {
              ...common,
              version: host.version === '1' ? snmp.Version1 : snmp.Version2c,
            })
      session.on('error', (error) =>
        logger.debug('SNMP session error', { host: host.name, message: error.message }),
      )
      return session
    }

    const eventOf = (host: SnmpHost, fields: Fields, isFailure: boolean): Event => {
      const data: Fields = options.target === undefined ? fields : {}
      const event = Event.from(data, Timestamp.now())
      if (options.target !== undefined) event.set(options.target, fields)
      const facts: [string, Value][] = [
        ['protocol', host.protocol],
        ['address', host.address],
        ['port', host.port],
        ['community', host.community],
      ]
      for (const [part, value] of facts) event.set(fieldOf(part), value)
      // In Logstash this is the default of `add_field`.
      if (!hasOwnFields) event.set(isOld ? 'host' : '[host][ip]', host.address)
      if (isFailure) for (const tag of options.tag_on_failure) event.tag(String(tag))
      return event
    }

    const poll = async (host: SnmpHost, sink: Sink): Promise<void> => {
      let session: SnmpSession | undefined
      try {
        session = open(host)
        sessions.add(session)
        const { fields, problems } = await pollHost(session, asked, naming)
        if (stop.isRequested && problems.length > 0) return
        for (const { message } of problems)
          logger.error('error invoking an SNMP operation', { host: host.name, message })
        if (Object.keys(fields).length > 0 || problems.length > 0)
          await sink.events([eventOf(host, fields, problems.length > 0)])
        else logger.debug('No SNMP data retrieved', { host: host.address })
      } catch (error) {
        logger.error('A host could not be asked', { host: host.name, message: (error as Error).message })
      } finally {
        if (session !== undefined) {
          sessions.delete(session)
          session.close()
        }
      }
    }

    return {
      async register() {
        asked = readOptions(options)
        snmp = await loadSnmp()
        const mapping = mappingOf(options)
        const paths = [...(options.use_provided_mibs ? [providedMibs()] : []), ...options.mib_paths]
        if (paths.length > 0) await loadMibs(paths, names, logger)
        const values = {
          oid: (oid: string) => (options.oid_map_field_values ? names.map(oid, mapping) : oid),
          label: (oid: string, value: number) =>
            options.map_enum_values ? names.labelOf(oid, value) : undefined,
        }
        naming = {
          name: (oid) => names.map(oid, mapping),
          value: (varbind) => fieldValue(varbind, snmp.ObjectType, values),
        }
      },
      async run(sink) {
        const lanes = Math.max(1, options.threads ?? availableParallelism()) * hostsPerThread
        while (!stop.isRequested) {
          const start = performance.now()
          const waiting = [...asked.hosts]
          const lane = async () => {
            for (let host = waiting.shift(); host !== undefined && !stop.isRequested; host = waiting.shift())
              await poll(host, sink)
          }
          await Promise.all(Array.from({ length: Math.min(lanes, waiting.length) }, lane))
          const seconds = (performance.now() - start) / 1000
          if (seconds >= options.interval)
            logger.warn('polling hosts took longer than the configured interval', {
              interval_seconds: options.interval,
              duration_seconds: Math.round(seconds * 1000) / 1000,
            })
          await stop.sleep(
            Math.max(seconds >= options.interval ? 10 : 0, (options.interval - seconds) * 1000),
          )
        }
      },
      stop() {
        stop.request()
        for (const session of sessions) session.close()
      },
      close() {
        for (const session of sessions) session.close()
      },
    }
  },
})

interface Given extends SnmpChoice {
  readonly hosts: Value[]
  readonly get: Value[]
  readonly walk: Value[]
  readonly tables: Value[]
  readonly max_repetitions: number
  readonly allow_partial_response: boolean
  readonly local_engine_id: string | undefined
}

function readOptions(options: Given) {
  const get = oidsOf(options.get, 'get')
  const walk = oidsOf(options.walk, 'walk')
  const tables = tablesOf(options.tables)
  if (get.length + walk.length + tables.length === 0)
    throw new Error('at least one get OID, one walk OID, or one table OID is required')
  const hosts = hostsOf(options.hosts)
  const id = options.local_engine_id
  if (id !== undefined && id.length < 5)
    throw new Error('`local_engine_id` length must be greater or equal than 5')
  if (id !== undefined && id.length > 32)
    throw new Error('`local_engine_id` length must be lower or equal than 32')
  if (hosts.some(({ version }) => version === '3')) checkUser(options)
  mappingOf(options)
  return {
    hosts,
    get,
    walk,
    tables,
    maxRepetitions: Math.max(1, Math.trunc(options.max_repetitions)),
    allowPartial: options.allow_partial_response,
  }
}
