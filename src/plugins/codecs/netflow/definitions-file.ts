/**
 * Further field definitions from a YAML file, in the form Logstash takes: numbers with a kind (or a length in
 * bytes) and a name; for IPFIX below the number of the vendor, 0 for the common ones.
 *
 *   1000:
 *   - :uint32
 *   - :my_field
 */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { FieldKind, FlowField } from './field-tables.ts'

const kinds: readonly (readonly [RegExp, FieldKind])[] = [
  [/^(?:ip4_addr|ip6_addr|ipv4|ipv6)/, 'ip'],
  [/^mac_addr/, 'mac'],
  [/^(?:string|application_id\w*)/, 'text'],
  [/^u?float|^double/, 'float'],
  [/^int/, 'int'],
  [/^octet_?array/, 'bytes'],
  [/^mpls_label/, 'mpls'],
]

export function readDefinitions(path: string): Map<number, FlowField> {
  return fieldsOf(parse(readFileSync(path, 'utf8')) as unknown)
}

/** Returns definitions by vendor and number. */
export function readIpfixDefinitions(path: string): Map<number, Map<number, FlowField>> {
  const vendors = new Map<number, Map<number, FlowField>>()
  const given = parse(readFileSync(path, 'utf8')) as unknown
  for (const [vendor, fields] of entriesOf(given)) vendors.set(vendor, fieldsOf(fields))
  return vendors
}

function fieldsOf(given: unknown): Map<number, FlowField> {
  const fields = new Map<number, FlowField>()
  for (const [number, definition] of entriesOf(given)) {
    const [kind, name] = Array.isArray(definition) ? (definition as unknown[]) : []
    if (kind === undefined || name === undefined || symbol(kind) === 'skip') continue
    fields.set(number, { name: symbol(name), kind: kindOf(kind) })
  }
  return fields
}

function entriesOf(given: unknown): [number, unknown][] {
  if (typeof given !== 'object' || given === null) return []
  return Object.entries(given).flatMap(([key, value]) =>
    /^\d+$/.test(key) ? [[Number(key), value] as [number, unknown]] : [],
  )
}

function symbol(value: unknown): string {
  return String(value).replace(/^:/, '')
}

function kindOf(value: unknown): FieldKind {
  if (typeof value === 'number') return 'uint'
  const name = symbol(value)
  return kinds.find(([pattern]) => pattern.test(name))?.[1] ?? 'uint'
}
