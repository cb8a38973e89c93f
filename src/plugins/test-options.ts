/** Options to create any plugin with, made of its declaration, for tests only. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PluginDefinition } from '../plugin/define.ts'
import type { Option } from '../plugin/option.ts'

/** A value of the option's kind. */
export function sample({ kind, list, values }: Option<unknown>): unknown {
  const one = {
    string: 'x',
    number: 1,
    boolean: true,
    array: ['x'],
    hash: { x: 'x' },
    one_of: values?.[0],
    codec: 'plain',
    password: 'secret',
    uri: 'http://127.0.0.1:1',
    path: tmpdir(),
    bytes: 1024,
    ipaddr: '127.0.0.1',
    field_reference: 'message',
    sha_256_hex: 'ab'.repeat(32),
    ecs_compatibility: 'disabled',
    any: 'x',
  }[kind]
  return list ? [one] : one
}

const folder = mkdtempSync(join(tmpdir(), 'millrace-options-'))
const avroSchema = join(folder, 'any.avsc')
writeFileSync(avroSchema, '{"type":"record","name":"any","fields":[]}')

const protoFile = join(folder, 'any.proto')
writeFileSync(protoFile, 'syntax = "proto3"; message Any { string message = 1; }')

const nobody = '127.0.0.1:1'
const jdbc = { jdbc_connection_string: 'jdbc:postgresql://127.0.0.1:1/x' }

/** What plugins need besides the options they declare as required. */
const further: ReadonlyMap<string, Record<string, unknown>> = new Map<string, Record<string, unknown>>([
  ['aggregate', { task_id: '%{x}' }],
  ['anonymize', { key: '8' }],
  ['avro', { schema_uri: avroSchema }],
  ['date', { match: ['message', 'ISO8601'] }],
  ['filter elasticsearch', { hosts: [nobody], query: '*' }],
  ['geoip', { target: 'geo' }],
  ['filter http', { target_body: 'body' }],
  ['output jdbc', { connection_string: 'jdbc:postgresql://127.0.0.1:1/x', statement: ['select ?', 'x'] }],
  ['jdbc_static', { ...jdbc, local_lookups: [] }],
  ['jdbc_streaming', jdbc],
  ['loki', { url: 'http://127.0.0.1:1' }],
  ['memcached', { hosts: [nobody] }],
  ['protobuf', { class_name: 'Any', class_file: protoFile }],
  ['rest', { request: { url: 'http://127.0.0.1:1' } }],
  ['ruby', { code: '' }],
  ['sleep', { time: '0' }],
  ['translate', { source: 'message' }],
  ['xml', { target: 'doc' }],
  ['zabbix', { zabbix_key: 'k' }],
])

/** The least a plugin can be created with. */
export function requiredOptions({ type, name, options }: PluginDefinition): Record<string, unknown> {
  const required = Object.entries(options).filter(([, declared]) => declared.required)
  const samples = required.map(([option, declared]) => [option, sample(declared)])
  return { ...Object.fromEntries(samples), ...(further.get(`${type} ${name}`) ?? further.get(name)) }
}
