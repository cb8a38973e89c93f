/** The collectd codec: packets of collectd's network plugin, an event per list of values or notification. */
import { Event } from '../../event/event.ts'
import { type Fields, putField, type Value } from '../../event/value.ts'
import { startConcern } from '../../plugin/concern.ts'
import { defineCodec, type Emit, option, type Timestamp } from '../../plugin/define.ts'
import { textOf as optionText } from '../../plugin/raw-text.ts'
import { AuthFile } from './collectd/auth-file.ts'
import {
  decrypted,
  highIntervalOf,
  isSigned,
  numberOf,
  type Part,
  partTypes,
  readParts,
  textOf,
  timeOf,
  valuesOf,
} from './collectd/packet.ts'
import { readTypes } from './collectd/types.ts'

const textFields: ReadonlyMap<number, string> = new Map([
  [partTypes.host, 'host'],
  [partTypes.plugin, 'plugin'],
  [partTypes.pluginInstance, 'plugin_instance'],
  [partTypes.type, 'collectd_type'],
  [partTypes.typeInstance, 'type_instance'],
])

/** What holds from one record of a packet to the next. */
const lasting = new Set([...textFields.values(), '@timestamp'])

export default defineCodec({
  name: 'collectd',
  summary: 'Reads the binary protocol of collectd.',
  description: [
    'Each payload is one packet, as the `udp` input delivers them. A single value is called `value`, several have the',
    'names of their type in `types.db`. What cannot be read ends its packet; records before it are kept. With the',
    'security level `Sign` packets that are neither signed nor encrypted are dropped, with `Encrypt` all that are not',
    'encrypted, as collectd does.',
  ].join('\n'),
  options: {
    typesdb: option.array({
      default: [],
      doc: 'Files in the format of `types.db`, instead of the built-in types.',
    }),
    prune_intervals: option.boolean({
      default: true,
      doc: 'Whether to make no events of intervals, which come with each record.',
    }),
    security_level: option.oneOf(['None', 'Sign', 'Encrypt'], {
      default: 'None',
      doc: 'Which packets to take: all, those signed or encrypted, or those encrypted.',
    }),
    authfile: option.string({ doc: 'File with users and passwords, as collectd takes it.' }),
    nan_handling: option.oneOf(['change_value', 'warn', 'drop'], {
      default: 'change_value',
      doc: 'What to do with values that are not a number: replace them, replace and warn, or drop the event.',
    }),
    nan_value: option.number({ default: 0, doc: 'What such values are replaced with.' }),
    nan_tag: option.string({
      default: '_collectdNaN',
      doc: 'Tag for events whose values were replaced; empty for none.',
    }),
  },
  concerns: ({ security_level, authfile }) =>
    startConcern('security_level', () => checkSecurity(security_level, authfile)),
  create({ options, logger }) {
    const { security_level, nan_handling, nan_value, nan_tag } = options
    checkSecurity(security_level, options.authfile)
    const types = readTypes(options.typesdb.map(optionText))
    const auth = options.authfile === undefined ? undefined : new AuthFile(options.authfile)
    const keyOf = (user: string) => {
      const key = auth?.keyOf(user)
      if (key === undefined) logger.warn(`User ${user} is not found in the authfile ${options.authfile}`)
      return key
    }

    /** One packet under way. */
    class Packet {
      readonly #fields: Fields = {}
      readonly #emit: Emit
      readonly #time: Timestamp
      #isSigned = false
      #isEncrypted = false

      constructor(emit: Emit, time: Timestamp) {
        this.#emit = emit
        this.#time = time
      }

      read(bytes: Buffer): void {
        for (const part of readParts(bytes)) {
          if (part.type === partTypes.signature) this.#verify(part)
          else if (part.type === partTypes.encryption && !this.#isEncrypted) {
            const parts = decrypted(part.body, keyOf)
            if (parts === undefined) throw new Error('Unable to decrypt packet')
            this.#isEncrypted = true
            this.read(parts)
            this.#isEncrypted = false
          } else this.#take(part)
        }
      }

      #verify({ body, rest }: Part): void {
        if (security_level === 'None') return
        if (!isSigned(body, rest, keyOf)) throw new Error('the signature is wrong')
        this.#isSigned = true
      }

      #take({ type, body }: Part): void {
        if (security_level === 'Encrypt' && !this.#isEncrypted) throw new Error('the packet is not encrypted')
        if (security_level === 'Sign' && !this.#isEncrypted && !this.#isSigned)
          throw new Error('the packet is not signed')
        const fields = this.#fields
        const name = textFields.get(type)
        if (name !== undefined) fields[name] = textOf(body)
        else if (type === partTypes.time) fields['@timestamp'] = timeOf(body, false)
        else if (type === partTypes.timeHigh) fields['@timestamp'] = timeOf(body, true)
        else if (type === partTypes.severity) fields['severity'] = numberOf(body)
        else if (type === partTypes.interval || type === partTypes.intervalHigh) {
          fields['interval'] = type === partTypes.interval ? numberOf(body) : highIntervalOf(body)
          this.#complete(!options.prune_intervals)
        } else if (type === partTypes.message) {
          fields['message'] = textOf(body)
          this.#complete(true)
        } else if (type === partTypes.values) this.#values(body)
        else logger.warn(`Unknown typenumber: ${type}`)
      }

      #values(body: Buffer): void {
        const values = valuesOf(body)
        const isDropped = nan_handling === 'drop' && values.includes(undefined)
        if (values.includes(undefined)) {
          if (nan_handling === 'warn') logger.warn(`NaN replaced by ${nan_value}`)
          if (nan_tag !== '') this.#fields['tags'] = [nan_tag]
        }
        const known: Value[] = values.map((value) => value ?? nan_value)
        if (known.length === 1) this.#fields['value'] = known[0]!
        else this.#named(known)
        this.#complete(!isDropped)
      }

      #named(values: readonly Value[]): void {
        const type = String(this.#fields['collectd_type'])
        const names = types.get(type)
        for (const [index, value] of values.entries()) {
          const name = names?.[index]
          if (name === undefined) logger.error(`Invalid value for type=${type}, index=${index}`)
          else putField(this.#fields, name, value)
        }
      }

      #complete(isWanted: boolean): void {
        const fields = this.#fields
        if (isWanted) {
          for (const name of ['type_instance', 'plugin_instance'])
            if (fields[name] === '') delete fields[name]
          this.#emit(Event.from({ ...fields }, this.#time))
        }
        for (const name of Object.keys(fields)) if (!lasting.has(name)) delete fields[name]
      }
    }

    return {
      decodeBytes(bytes, emit, time) {
        try {
          new Packet(emit, time).read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
        } catch (error) {
          logger.warn('A collectd packet cannot be read', { message: (error as Error).message })
        }
      },
    }
  },
})

function checkSecurity(level: string, authfile: string | undefined): void {
  if (level !== 'None' && authfile === undefined)
    throw new Error(`Security level is set to ${level}, but no authfile was configured`)
}
