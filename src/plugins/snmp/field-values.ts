/** Values of SNMP as fields, written as SNMP4J does, because that is what Logstash puts into events. */
import type { Value } from '../../event/value.ts'
import { integer } from '../../event/value.ts'
import type { SnmpPackage, Varbind } from './client.ts'

interface ValueMapping {
  /** An OID that is a value. */
  oid(oid: string): string
  label(oid: string, value: number): string | undefined
}

export function fieldValue(
  { oid, type, value }: Varbind,
  types: SnmpPackage['ObjectType'],
  mapping: ValueMapping,
): Value {
  switch (type) {
    case types['NoSuchInstance']:
      return 'error: no such instance currently exists at this OID'
    case types['NoSuchObject']:
      return 'error: no such object currently exists at this OID'
    case types['EndOfMibView']:
      return 'end of MIB view'
    case types['Null']:
      return 'null'
    case types['OID']:
      return mapping.oid(String(value))
    case types['Counter64']:
      return Buffer.isBuffer(value) ? unsigned(value) : Number(value)
    case types['Integer']:
      return mapping.label(oid, Number(value)) ?? Number(value)
    case types['OctetString']:
    case types['Opaque']:
      return Buffer.isBuffer(value) ? octets(value) : String(value)
    default:
      if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return value
      return Buffer.isBuffer(value) ? octets(value) : String(value)
  }
}

function unsigned(bytes: Buffer): number | bigint {
  let number = 0n
  for (const byte of bytes.subarray(-8)) number = number * 256n + BigInt(byte)
  return integer(number)
}

/** Printable ASCII as it is, anything else as hexadecimal bytes: `00:1b:21`. */
function octets(bytes: Buffer): string {
  const isText = bytes.every(
    (byte) => (byte >= 32 && byte < 127) || (byte >= 9 && byte <= 13) || (byte >= 28 && byte <= 31),
  )
  return isText ? bytes.toString('latin1') : bytes.toString('hex').replace(/..(?=.)/g, '$&:')
}
