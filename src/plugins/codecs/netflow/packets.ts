/**
 * NetFlow version 5 and 9 and IPFIX packets taken apart. A packet is a header and, from version 9 on, sets: of
 * templates, of templates for options, of records. Lengths that do not fit the packet end its reading.
 *
 *   v5     version count uptime sec nsec seq type/id sampling | 48 bytes per record
 *   v9     version count uptime sec seq source | sets: id length … (0 templates, 1 options, 256… records)
 *   IPFIX  version length sec seq domain       | sets: id length … (2 templates, 3 options, 256… records)
 */
import { Timestamp } from '../../../event/timestamp.ts'
import type { Fields } from '../../../event/value.ts'
import { type FieldTable, version9Scopes } from './field-tables.ts'
import { readFlowValue } from './field-values.ts'
import { readTemplate, type Template, type TemplateCache, variableLength } from './templates.ts'

export interface FlowTables {
  readonly version9: FieldTable
  readonly ipfix: FieldTable
  /** Fields of single vendors, by their number. */
  readonly enterprises: ReadonlyMap<number, FieldTable>
}

export interface FlowSettings {
  readonly tables: FlowTables
  readonly cache: TemplateCache
  readonly includeSetId: boolean
  /** No template for a set yet. */
  onUnknown(setId: number, source: number, version: 9 | 10): void
}

type EmitFlow = (fields: Fields, time: Timestamp) => void

class BadPacket extends Error {}

// -------------------------------------------------------------------------------------------- version 5

const headerOf5 = 24
const recordOf5 = 48

export function readVersion5(bytes: Buffer, emit: EmitFlow): void {
  if (bytes.length < headerOf5) throw new BadPacket('the header is incomplete')
  const count = bytes.readUInt16BE(2)
  if (bytes.length < headerOf5 + count * recordOf5) throw new BadPacket('records are missing')
  const clock: Clock = {
    uptime: bytes.readUInt32BE(4),
    seconds: bytes.readUInt32BE(8),
    nanoseconds: bytes.readUInt32BE(12),
  }
  const time = timeOf(clock.seconds, Math.floor(clock.nanoseconds / 1000))
  const sampling = bytes.readUInt16BE(22)
  const ip = (at: number) => bytes.subarray(at, at + 4).join('.')
  for (let i = 0; i < count; i++) {
    const at = headerOf5 + i * recordOf5
    emit(
      {
        version: 5,
        flow_seq_num: bytes.readUInt32BE(16),
        engine_type: bytes[20]!,
        engine_id: bytes[21]!,
        sampling_algorithm: sampling >> 14,
        sampling_interval: sampling & 0x3fff,
        flow_records: count,
        ipv4_src_addr: ip(at),
        ipv4_dst_addr: ip(at + 4),
        ipv4_next_hop: ip(at + 8),
        input_snmp: bytes.readUInt16BE(at + 12),
        output_snmp: bytes.readUInt16BE(at + 14),
        in_pkts: bytes.readUInt32BE(at + 16),
        in_bytes: bytes.readUInt32BE(at + 20),
        first_switched: switchedAt(bytes.readUInt32BE(at + 24), clock, false),
        last_switched: switchedAt(bytes.readUInt32BE(at + 28), clock, false),
        l4_src_port: bytes.readUInt16BE(at + 32),
        l4_dst_port: bytes.readUInt16BE(at + 34),
        tcp_flags: bytes[at + 37]!,
        protocol: bytes[at + 38]!,
        src_tos: bytes[at + 39]!,
        src_as: bytes.readUInt16BE(at + 40),
        dst_as: bytes.readUInt16BE(at + 42),
        src_mask: bytes[at + 44]!,
        dst_mask: bytes[at + 45]!,
      },
      time,
    )
  }
}

interface Clock {
  /** Milliseconds since the exporter started. */
  readonly uptime: number
  readonly seconds: number
  readonly nanoseconds: number
}

function timeOf(seconds: number, microseconds: number): Timestamp {
  const micros = seconds * 1_000_000 + microseconds
  const millis = Math.floor(micros / 1000)
  return new Timestamp(millis, (micros - millis * 1000) * 1000)
}

/**
 * Times of switches count from the start of the exporter, too. The milliseconds within a second count as microseconds,
 * as in Logstash, whose figures others compare with.
 */
function switchedAt(
  uptime: number,
  { uptime: now, seconds, nanoseconds }: Clock,
  isVersion9: boolean,
): string {
  const ago = now - uptime
  const within = ago - Math.floor(ago / 1000) * 1000
  const micros = (isVersion9 ? 1_000_000 : Math.floor(nanoseconds / 1000)) - within
  return timeOf(seconds - Math.floor(ago / 1000), micros < 0 ? micros + 1_000_000 : micros).toString()
}

// ------------------------------------------------------------------------------- version 9 and IPFIX

export function readVersion9(bytes: Buffer, settings: FlowSettings, emit: EmitFlow): void {
  if (bytes.length < 20) throw new BadPacket('the header is incomplete')
  const clock: Clock = { uptime: bytes.readUInt32BE(4), seconds: bytes.readUInt32BE(8), nanoseconds: 0 }
  const sets = new SetReader(settings, 9, bytes.readUInt32BE(16), clock)
  sets.readAll(bytes, 20, bytes.readUInt32BE(12), emit)
}

export function readIpfix(bytes: Buffer, settings: FlowSettings, emit: EmitFlow): void {
  if (bytes.length < 16) throw new BadPacket('the header is incomplete')
  const length = bytes.readUInt16BE(2)
  if (length > bytes.length || length < 16) throw new BadPacket('the packet is cut off')
  const clock: Clock = { uptime: 0, seconds: bytes.readUInt32BE(4), nanoseconds: 0 }
  const sets = new SetReader(settings, 10, bytes.readUInt32BE(12), clock)
  sets.readAll(bytes.subarray(0, length), 16, bytes.readUInt32BE(8), emit)
}

class SetReader {
  readonly #settings: FlowSettings
  readonly #version: 9 | 10
  readonly #source: number
  readonly #clock: Clock
  readonly #now = Date.now()

  constructor(settings: FlowSettings, version: 9 | 10, source: number, clock: Clock) {
    this.#settings = settings
    this.#version = version
    this.#source = source
    this.#clock = clock
  }

  readAll(bytes: Buffer, start: number, sequence: number, emit: EmitFlow): void {
    for (let at = start; at + 4 <= bytes.length; ) {
      const id = bytes.readUInt16BE(at)
      const length = bytes.readUInt16BE(at + 2)
      if (length < 4 || at + length > bytes.length) throw new BadPacket('a flow set is cut off')
      const set = bytes.subarray(at + 4, at + length)
      if (id === (this.#version === 9 ? 0 : 2)) this.#templates(set)
      else if (id === (this.#version === 9 ? 1 : 3)) this.#optionTemplates(set)
      else if (id >= 256) this.#records(set, id, sequence, emit)
      at += length
    }
  }

  #tableOf = (_index: number, enterprise: number): FieldTable | undefined => {
    const { version9, ipfix, enterprises } = this.#settings.tables
    if (enterprise !== 0) return enterprises.get(enterprise)
    return this.#version === 9 ? version9 : ipfix
  }

  #keep(id: number, template: Template): void {
    this.#settings.cache.set(this.#version, this.#source, id, template, this.#now)
  }

  /** Each: number, count of fields, fields. */
  #templates(set: Buffer): void {
    for (let at = 0; at + 4 <= set.length; ) {
      const id = set.readUInt16BE(at)
      const count = set.readUInt16BE(at + 2)
      // What is left may be padding.
      if (id < 256) return
      const read = readTemplate(set, at + 4, count, this.#tableOf, this.#version === 10)
      if (read === undefined) return
      if (count > 0) this.#keep(id, read.template)
      at = read.end
    }
  }

  /** Version 9 counts bytes of scopes and of fields, IPFIX counts all fields and those that are scopes. */
  #optionTemplates(set: Buffer): void {
    for (let at = 0; at + 6 <= set.length; ) {
      const id = set.readUInt16BE(at)
      if (id < 256) return
      const [first, second] = [set.readUInt16BE(at + 2), set.readUInt16BE(at + 4)]
      const scopes = this.#version === 9 ? first >> 2 : second
      const count = this.#version === 9 ? scopes + (second >> 2) : first
      const tableOf = (index: number, enterprise: number) =>
        this.#version === 9 && index < scopes ? version9Scopes : this.#tableOf(index, enterprise)
      const read = readTemplate(set, at + 6, count, tableOf, this.#version === 10)
      if (read === undefined) return
      if (count > 0) this.#keep(id, read.template)
      at = read.end
    }
  }

  #records(set: Buffer, id: number, sequence: number, emit: EmitFlow): void {
    const template = this.#settings.cache.get(this.#version, this.#source, id, this.#now)
    if (template === undefined) {
      this.#settings.onUnknown(id, this.#source, this.#version)
      return
    }
    const time = timeOf(this.#clock.seconds, 0)
    for (let at = 0; at + template.shortest <= set.length; ) {
      const fields: Fields = { version: this.#version }
      if (this.#version === 9) fields['flow_seq_num'] = sequence
      if (this.#settings.includeSetId || this.#version === 9) fields['flowset_id'] = id
      const end = this.#record(set, at, template, fields)
      if (end === undefined) return
      emit(fields, time)
      at = end
    }
  }

  /** Where the record ends; undefined when it is cut off. */
  #record(set: Buffer, start: number, template: Template, fields: Fields): number | undefined {
    let at = start
    for (const { field, length: declared } of template.fields) {
      let length = declared
      if (declared === variableLength) {
        length = set[at] ?? 0
        at += 1
        if (length === 255) {
          if (at + 2 > set.length) return undefined
          length = set.readUInt16BE(at)
          at += 2
        }
      }
      if (at + length > set.length) return undefined
      if (field !== undefined) {
        const value = readFlowValue(set.subarray(at, at + length), field.kind)
        fields[field.name] = this.#shown(field.name, value, set.subarray(at, at + length))
      }
      at += length
    }
    return at
  }

  #shown(name: string, value: Fields[string], bytes: Buffer): Fields[string] {
    if (this.#version === 9) {
      return (name === 'first_switched' || name === 'last_switched') && typeof value === 'number'
        ? switchedAt(value, this.#clock, true)
        : value
    }
    const unit = /^flow(?:Start|End)(Seconds|Milliseconds|Microseconds|Nanoseconds)$/.exec(name)?.[1]
    if (unit === 'Seconds' && typeof value === 'number') return new Timestamp(value * 1000).toString()
    if (unit === 'Milliseconds' && typeof value === 'number') return new Timestamp(value).toString()
    // Seconds since 1900 and a fraction of 2^32.
    if (unit !== undefined && bytes.length === 8) {
      const seconds = bytes.readUInt32BE(0) - 2_208_988_800
      const nanoseconds = Math.floor((bytes.readUInt32BE(4) / 2 ** 32) * 1e9)
      const millis = Math.floor(nanoseconds / 1e6)
      const exact = unit === 'Nanoseconds' ? 1 : 1000
      return new Timestamp(
        seconds * 1000 + millis,
        Math.floor((nanoseconds - millis * 1e6) / exact) * exact,
      ).toString()
    }
    return value
  }
}
