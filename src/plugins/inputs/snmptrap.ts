/** Receives SNMP traps and informs (v1, v2c, v3) and makes an event of each. */
import { isIPv6 } from 'node:net'
import { Event } from '../../event/event.ts'
import { writeJson } from '../../event/json-write.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { type Fields, putField, type Value } from '../../event/value.ts'
import { packageConcern, startConcern } from '../../plugin/concern.ts'
import { defineInput, option, type Sink, withoutEffect } from '../../plugin/define.ts'
import { LimitedLog } from '../../plugin/limited-log.ts'
import { textOf } from '../../plugin/raw-text.ts'
import { keepListening } from '../receiving/keep-listening.ts'
import { listenOptionsAt } from '../receiving/listen-options.ts'
import { peerAddress } from '../receiving/peer-address.ts'
import { orAborted, Stop } from '../receiving/stop.ts'
import {
  loadSnmp,
  type Notification,
  packageName,
  providedMibs,
  type SnmpPackage,
  type SnmpReceiver,
  userOf,
} from '../snmp/client.ts'
import { fieldValue } from '../snmp/field-values.ts'
import { loadMibs } from '../snmp/mib-files.ts'
import { OidNames } from '../snmp/oid-names.ts'
import { checkUser, mappingOf, type SnmpChoice, snmpOptions } from '../snmp/options.ts'

const maxWaiting = 10_000

export default defineInput({
  name: 'snmptrap',
  summary: 'Receives SNMP traps and informs.',
  description: [
    `The client is the package \`${packageName}\`, which has to be installed beside millrace. Traps are received over UDP.`,
    'The fields of an event are the variables of the trap, under their names; all of the trap is JSON in `message` and, part',
    'by part, under `[@metadata][input][snmptrap][pdu]`.',
  ].join('\n'),
  options: {
    ...listenOptionsAt(1062),
    community: option.array({
      default: ['public'],
      doc: 'Communities whose traps are taken; an empty list takes all.',
    }),
    supported_versions: option.list(option.oneOf(['1', '2c', '3'] as const, { doc: 'A version.' }), {
      default: ['1', '2c'] as ('1' | '2c' | '3')[],
      doc: 'Versions of SNMP whose traps are taken.',
    }),
    supported_transports: option.list(option.oneOf(['tcp', 'udp'] as const, { doc: 'A transport.' }), {
      default: ['udp'] as ('tcp' | 'udp')[],
      doc: 'How traps come; only `udp` is supported.',
    }),
    threads: option.number(withoutEffect('one thread receives all traps.')),
    local_engine_id: option.string({ doc: 'Own engine ID, 5 to 32 characters, for SNMPv3.' }),
    use_provided_mibs: option.boolean({
      default: false,
      doc: 'Whether to load all MIB modules that come along; without it and without `mib_paths` the usual ones are.',
    }),
    ...snmpOptions({ format: 'ruby_snmp', mapsValues: true }),
    yamlmibdir: option.string({
      doc: 'Folder of YAML files with names of OIDs.',
      deprecated: 'Use `mib_paths` instead.',
    }),
  },
  metrics: { dropped: 'Traps lost because the pipeline was busy.' },
  concerns: (options) => [
    ...startConcern('supported_versions', () => checkOptions(options)),
    ...packageConcern('port', packageName),
  ],
  create({ options, ecs, logger, abort, metrics }) {
    const stop = new Stop()
    const log = new LimitedLog(logger)
    const names = new OidNames()
    const communities = new Set(options.community.map(textOf))
    const versions = new Set<string>(options.supported_versions)
    const hostField = ecs === 'disabled' ? 'host' : '[host][ip]'
    const waiting: Event[] = []
    let busy: Promise<void> | undefined
    let snmp: SnmpPackage
    let receiver: SnmpReceiver | undefined

    const eventOf = ({ pdu, rinfo }: Notification): Event | undefined => {
      const version = versionOf(pdu, snmp)
      if (!versions.has(version)) return undefined
      if (version !== '3' && communities.size > 0 && !communities.has(String(pdu['community'] ?? '')))
        return undefined
      const mapping = mappingOf(options)
      const mapped = (oid: string) => names.map(oid, mapping)
      const values = {
        oid: (oid: string) => (options.oid_map_field_values ? mapped(oid) : oid),
        label: (oid: string, value: number) =>
          options.map_enum_values ? names.labelOf(oid, value) : undefined,
      }
      const fields: Fields = {}
      const bindings: Fields = {}
      for (const varbind of pdu.varbinds) {
        const value = fieldValue(varbind, snmp.ObjectType, values)
        putField(fields, mapped(varbind.oid), value)
        putField(bindings, varbind.oid, value)
      }
      const facts = pduFacts(pdu, version, bindings, snmp)
      const event = Event.from(options.target === undefined ? fields : {}, Timestamp.now())
      if (options.target !== undefined) event.set(options.target, fields)
      event.set(hostField, peerAddress(rinfo.address))
      event.set('message', writeJson(facts))
      for (const [name, value] of Object.entries(facts)) {
        if (value !== undefined && value !== null)
          event.set(`[@metadata][input][snmptrap][pdu][${name}]`, value)
      }
      return event
    }

    const drain = async (sink: Sink): Promise<void> => {
      try {
        while (waiting.length > 0) await sink.events(waiting.splice(0, 500))
      } catch (error) {
        logger.error('Traps were not accepted', { message: (error as Error).message })
      } finally {
        busy = undefined
      }
    }

    const receive = (sink: Sink, notification: Notification): void => {
      try {
        const event = eventOf(notification)
        if (event === undefined) {
          logger.debug('Received trap message of an unknown community or version. Skipping')
          return
        }
        if (waiting.length >= maxWaiting) metrics.dropped.increment()
        else waiting.push(event)
        busy ??= drain(sink)
      } catch (error) {
        log.say('error', 'Failed to create event', () => ({ exception: (error as Error).message }))
      }
    }

    /** Resolves when the input stops; rejects when the port fails. */
    const listen = async (sink: Sink): Promise<void> => {
      let fail: (error: Error) => void = () => {}
      const failed = new Promise<never>((_, reject) => {
        fail = reject
      })
      failed.catch(() => undefined)
      const opened = snmp.createReceiver(
        {
          port: options.port,
          address: options.host,
          transport: isIPv6(options.host) ? 'udp6' : 'udp4',
          // Communities are looked at here, users by the package.
          disableAuthorization: true,
          includeAuthentication: true,
          ...(options.local_engine_id !== undefined && {
            engineID: Buffer.from(options.local_engine_id).toString('hex'),
          }),
        },
        (error, notification) => {
          if (error === null || error === undefined) return receive(sink, notification)
          const { code, syscall } = error as NodeJS.ErrnoException
          if (syscall === 'bind' || code === 'EADDRINUSE' || code === 'EACCES') fail(error)
          else log.say('warn', 'A trap could not be read', () => ({ message: error.message }))
        },
      )
      receiver = opened
      if (options.security_name !== undefined) opened.getAuthorizer().addUser(userOf(options, snmp))
      logger.info('SNMP trap receiver started.', { address: `${options.host}:${options.port}` })
      try {
        await stop.during(failed)
      } finally {
        receiver = undefined
        closeReceiver(opened)
      }
    }

    return {
      async register() {
        checkOptions(options)
        snmp = await loadSnmp()
        const own = [...options.mib_paths, ...(options.yamlmibdir === undefined ? [] : [options.yamlmibdir])]
        const provided = options.use_provided_mibs || own.length === 0 ? [providedMibs()] : []
        await loadMibs([...provided, ...own], names, logger)
      },
      async run(sink) {
        await keepListening(
          stop,
          () => listen(sink),
          ({ message }) => logger.warn('SNMP Trap listener died', { exception: message }),
        )
        if (busy !== undefined) await orAborted(busy, abort)
      },
      stop() {
        stop.request()
      },
      close() {
        if (receiver !== undefined) closeReceiver(receiver)
        receiver = undefined
      },
    }
  },
})

function closeReceiver(receiver: SnmpReceiver): void {
  try {
    receiver.close()
  } catch {
    // Its socket was never open.
  }
}

interface Given extends SnmpChoice {
  readonly supported_versions: readonly string[]
  readonly supported_transports: readonly string[]
}

function checkOptions(options: Given): void {
  if (options.supported_transports.some((transport) => transport !== 'udp'))
    throw new Error('supported_transports: tcp is not supported yet; use udp')
  if (options.supported_versions.includes('3')) checkUser(options)
  mappingOf(options)
}

function versionOf(pdu: Notification['pdu'], { PduType }: SnmpPackage): '1' | '2c' | '3' {
  if (pdu.type === PduType['Trap']) return '1'
  return pdu['user'] === undefined ? '2c' : '3'
}

/** The parts of a trap under the names of the documentation. */
function pduFacts(pdu: Notification['pdu'], version: string, bindings: Fields, snmp: SnmpPackage): Fields {
  const number = (name: string): Value => Number(pdu[name] ?? 0)
  if (version === '1') {
    return {
      agent_addr: String(pdu['agentAddr'] ?? ''),
      generic_trap: number('generic'),
      specific_trap: number('specific'),
      enterprise: String(pdu['enterprise'] ?? ''),
      variable_bindings: bindings,
      type: 'V1TRAP',
      community: String(pdu['community'] ?? ''),
      version,
      timestamp: number('upTime'),
    }
  }
  const status = Number(pdu['errorStatus'] ?? 0)
  const facts: Fields = {
    error_index: number('errorIndex'),
    variable_bindings: bindings,
    error_status: status,
    type: pdu.type === snmp.PduType['InformRequest'] ? 'INFORM' : 'TRAP',
    error_status_text: status === 0 ? 'Success' : String(snmp.ErrorStatus[String(status)] ?? status),
    version,
    request_id: number('id'),
  }
  if (version === '2c') facts['community'] = String(pdu['community'] ?? '')
  else {
    facts['context_engine_id'] = String(pdu['contextEngineID'] ?? '')
    facts['context_name'] = String(pdu['contextName'] ?? '')
  }
  return facts
}
